import { constantTimeEqual, hmacSha256Hex } from "../core/crypto.ts";
import { SECOND_MS } from "../core/time.ts";

/** What one upload address permits: these bytes of this asset, until then. */
export interface UploadGrant {
  workspaceId: string;
  assetId: string;
  fileSize: number;
  mimeType: string;
  /** Unix time in whole seconds. */
  expiresAtSeconds: number;
}

export const UPLOAD_SECRET_MIN_LENGTH = 32;

const METHOD = "PUT";
const PATH = /^\/uploads\/([^/]+)\/([^/]+)$/;
const PARAMETERS = ["size", "type", "expires", "signature"] as const;

/** Path and query of a signed upload address. */
export async function signUploadPath(secret: string, grant: UploadGrant): Promise<string> {
  const path = `/uploads/${grant.workspaceId}/${grant.assetId}`;
  const query = new URLSearchParams([...grantQuery(grant), ["signature", await sign(secret, path, grant)]]);
  return `${path}?${query}`;
}

/** What an address says of its grant, and is signed. */
function grantQuery({ fileSize, mimeType, expiresAtSeconds }: UploadGrant): [name: string, value: string][] {
  return [
    ["size", String(fileSize)],
    ["type", mimeType],
    ["expires", String(expiresAtSeconds)],
  ];
}

/** What an upload address permits, or why it permits nothing: `invalid` if this service did not sign it as it is. */
export async function readUploadUrl(
  secret: string,
  url: URL,
  nowMs: number,
): Promise<UploadGrant | "invalid" | "expired"> {
  const match = PATH.exec(url.pathname);
  const names = [...url.searchParams.keys()];
  const isWhole = names.length === PARAMETERS.length && PARAMETERS.every((name) => names.includes(name));
  if (match === null || !isWhole) return "invalid";
  const grant: UploadGrant = {
    workspaceId: match[1] as string,
    assetId: match[2] as string,
    fileSize: Number(url.searchParams.get("size")),
    mimeType: url.searchParams.get("type") ?? "",
    expiresAtSeconds: Number(url.searchParams.get("expires")),
  };
  const signature = await sign(secret, url.pathname, grant);
  // The signature is over numbers, which more than one text reads as.
  if (grantQuery(grant).some(([name, value]) => url.searchParams.get(name) !== value)) return "invalid";
  if (!constantTimeEqual(signature, url.searchParams.get("signature") ?? "")) return "invalid";
  return grant.expiresAtSeconds * SECOND_MS <= nowMs ? "expired" : grant;
}

async function sign(secret: string, path: string, grant: UploadGrant): Promise<string> {
  if (!(secret?.length >= UPLOAD_SECRET_MIN_LENGTH)) {
    throw new Error(
      `UPLOAD_SECRET must be set, to at least ${UPLOAD_SECRET_MIN_LENGTH} characters: wrangler secret put UPLOAD_SECRET`,
    );
  }
  const { fileSize, mimeType, expiresAtSeconds } = grant;
  return hmacSha256Hex(secret, [METHOD, path, fileSize, mimeType, expiresAtSeconds].join("\n"));
}
