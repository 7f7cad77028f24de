import { hmacSha256, sha256Hex, toBase64 } from "../core/crypto.ts";

/** Path of a report on the app host. The token follows it. */
export const REPORT_PATH = "/reports/";

const SECRET_MIN_LENGTH = 32;
/** Purpose of the token, so that other signatures with the same secret aren't valid tokens. */
const PURPOSE = "token of a shared report";
/** 256 bits in URL-safe Base64 without padding. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Returns true if a text has the form of a token. */
export function isReportToken(text: string): boolean {
  return TOKEN.test(text);
}

/**
 * Returns the token of a report. It is derived from a secret of the deployment, so that the URL can be shown
 * again although the database contains neither the token nor a key to it.
 */
export async function deriveReportToken(secret: string, reportId: string): Promise<string> {
  if (!(secret?.length >= SECRET_MIN_LENGTH))
    throw new Error(`UPLOAD_SECRET must be set and have at least ${SECRET_MIN_LENGTH} characters`);
  const bytes = await hmacSha256(new TextEncoder().encode(secret), `${PURPOSE}\n${reportId}`);
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Returns the hash of a token, as it is stored. */
export function hashReportToken(token: string): Promise<string> {
  return sha256Hex(token);
}
