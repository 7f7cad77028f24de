import { hmacSha256, hmacSha256Hex, isEqualInConstantTime, toHex } from "../core/crypto.ts";
import { HOUR_MS, SECOND_MS } from "../core/time.ts";

/** Time for which a visitor who entered a link's password isn't asked again. */
export const COOKIE_MS = HOUR_MS;

const NAME = "signpost_password";
const SECRET_MIN_LENGTH = 32;
/** Purpose of the derived key, so that other signatures with the same secret aren't valid cookies. */
const PURPOSE = "cookie of a link with a password";
const VALUE = /^(\d{1,12})\.([0-9a-f]{64})$/;

/** Link and password version that the cookie is signed for. */
export interface Guarded {
  linkId: string;
  /** Random text that changes with each password of a link. Reveals nothing about the password. */
  passwordVersion: string;
}

/**
 * Returns the `Set-Cookie` header for a visitor who entered the right password. The cookie isn't valid for
 * other links or passwords.
 */
export async function writePasswordCookie(
  secret: string,
  guarded: Guarded,
  url: URL,
  nowMs: number,
): Promise<string> {
  const expiresAt = String(Math.floor((nowMs + COOKIE_MS) / SECOND_MS));
  const signature = await sign(secret, guarded, expiresAt);
  const attributes = [
    `${NAME}=${expiresAt}.${signature}`,
    `Max-Age=${COOKIE_MS / SECOND_MS}`,
    `Path=${url.pathname}`,
    "HttpOnly",
    "SameSite=Lax",
  ];
  // No `Domain` attribute, so that only this host receives the cookie.
  return [...attributes, ...(url.protocol === "https:" ? ["Secure"] : [])].join("; ");
}

/**
 * Returns true if a request's cookie proves that the visitor entered the link's password within the last
 * hour.
 */
export async function hasPasswordCookie(
  secret: string,
  guarded: Guarded,
  headers: Headers,
  nowMs: number,
): Promise<boolean> {
  const value = readCookie(headers, NAME);
  const [, expiresAt, signature] = VALUE.exec(value ?? "") ?? [];
  if (expiresAt === undefined || signature === undefined) return false;
  if (Number(expiresAt) * SECOND_MS <= nowMs) return false;
  return isEqualInConstantTime(await sign(secret, guarded, expiresAt), signature);
}

/**
 * Returns the first cookie with a name. Browsers send the cookie with the longest path first (RFC 6265
 * section 5.4).
 */
function readCookie(headers: Headers, name: string): string | undefined {
  const cookies = (headers.get("Cookie") ?? "").split(";").map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
}

async function sign(
  secret: string,
  { linkId, passwordVersion }: Guarded,
  expiresAt: string,
): Promise<string> {
  if (!(secret?.length >= SECRET_MIN_LENGTH))
    throw new Error(`UPLOAD_SECRET must be set and have at least ${SECRET_MIN_LENGTH} characters`);
  const key = await hmacSha256Hex(secret, PURPOSE);
  const bytes = await hmacSha256(
    new TextEncoder().encode(key),
    [linkId, passwordVersion, expiresAt].join("\n"),
  );
  return toHex(bytes);
}
