// Pure: no I/O, clock or randomness.
import { hmacSha256Hex, isEqualInConstantTime } from "../core/crypto.ts";
import { SECOND_MS } from "../core/time.ts";
import { API_PATHS } from "../routing/api-paths.ts";

/** Permission carried by an upload URL: upload one file of this size and type before it expires. */
export interface UploadGrant {
  workspaceId: string;
  assetId: string;
  /** Bytes. */
  fileSize: number;
  mimeType: string;
  /** Unix time in whole seconds. */
  expiresAtSeconds: number;
}

export const UPLOAD_SECRET_MIN_LENGTH = 32;

const METHOD = "PUT";
const PATH = new RegExp(`^${API_PATHS.uploads}/([^/]+)/([^/]+)$`);
const PARAMETERS = ["size", "type", "expires", "signature"] as const;

/** Returns the path and query of a signed upload URL. Throws if `secret` is too short. */
export async function signUploadPath(secret: string, grant: UploadGrant): Promise<string> {
  const path = `${API_PATHS.uploads}/${grant.workspaceId}/${grant.assetId}`;
  const signature = await signGrant(secret, path, grant);
  const query = new URLSearchParams([...listGrantParameters(grant), ["signature", signature]]);
  return `${path}?${query}`;
}

/** Returns the query parameters that describe the grant. The signature covers them. */
function listGrantParameters({
  fileSize,
  mimeType,
  expiresAtSeconds,
}: UploadGrant): [name: string, value: string][] {
  return [
    ["size", String(fileSize)],
    ["type", mimeType],
    ["expires", String(expiresAtSeconds)],
  ];
}

/**
 * Verifies an upload URL. Returns its grant, `invalid` if the signature doesn't match, or `expired`. Throws
 * if `secret` is too short.
 */
export async function verifyUploadUrl(
  secret: string,
  url: URL,
  nowMs: number,
): Promise<UploadGrant | "invalid" | "expired"> {
  const match = PATH.exec(url.pathname);
  const names = [...url.searchParams.keys()];
  const hasAllParameters =
    names.length === PARAMETERS.length && PARAMETERS.every((name) => names.includes(name));
  if (match === null || !hasAllParameters) return "invalid";
  const grant: UploadGrant = {
    workspaceId: match[1] as string,
    assetId: match[2] as string,
    fileSize: Number(url.searchParams.get("size")),
    mimeType: url.searchParams.get("type") ?? "",
    expiresAtSeconds: Number(url.searchParams.get("expires")),
  };
  const signature = await signGrant(secret, url.pathname, grant);
  // The signature covers parsed numbers, and different texts can parse as the same number, so only the
  // canonical text is accepted.
  const isCanonical = listGrantParameters(grant).every(
    ([name, value]) => url.searchParams.get(name) === value,
  );
  if (!isCanonical) return "invalid";
  if (!isEqualInConstantTime(signature, url.searchParams.get("signature") ?? "")) return "invalid";
  return grant.expiresAtSeconds * SECOND_MS <= nowMs ? "expired" : grant;
}

async function signGrant(secret: string, path: string, grant: UploadGrant): Promise<string> {
  if (!(secret?.length >= UPLOAD_SECRET_MIN_LENGTH)) {
    throw new Error(
      `UPLOAD_SECRET must be set and have at least ${UPLOAD_SECRET_MIN_LENGTH} characters: wrangler secret put UPLOAD_SECRET`,
    );
  }
  const { fileSize, mimeType, expiresAtSeconds } = grant;
  return hmacSha256Hex(secret, [METHOD, path, fileSize, mimeType, expiresAtSeconds].join("\n"));
}
