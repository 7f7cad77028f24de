import { ApiError, invalid, notFound } from "../core/error.ts";
import { openDatabase } from "../db/database.ts";
import { selectAsset } from "./assets.ts";
import { exactLength, requireLength } from "./exact-length.ts";
import { normalizeMimeType } from "./mime-type.ts";
import { openBuckets, privateKey, putOnce } from "./storage.ts";
import { readUploadUrl, type UploadGrant } from "./upload-url.ts";

/**
 * `PUT /uploads/…`: takes the bytes of an asset, once. The signature of the address is the authorisation; what it was
 * signed for is checked before anything is read or stored.
 */
export async function receiveUpload(request: Request, env: Env, nowMs: number): Promise<void> {
  const grant = await requireGrant(new URL(request.url), env.UPLOAD_SECRET, nowMs);
  requireType(request.headers.get("Content-Type"), grant.mimeType);
  const body = bodyOf(request, grant.fileSize);

  const { workspaceId, assetId } = grant;
  const exists = async () => (await selectAsset(openDatabase(env.DB), workspaceId, assetId))[0] !== undefined;
  const bucket = openBuckets(env).private;
  const key = privateKey({ workspaceId, id: assetId });
  const [isThere, stored] = await Promise.all([exists(), bucket.head(key)]);
  if (!isThere) throw notFound();
  if (stored !== null || !(await store(bucket, key, body, grant))) {
    throw new ApiError("ASSET_ALREADY_UPLOADED", "The file has been uploaded to this address already.");
  }
  if (!(await exists())) {
    // Deleted during the upload, after its bytes were removed.
    await bucket.delete(key);
    throw notFound();
  }
}

async function requireGrant(url: URL, secret: string, nowMs: number): Promise<UploadGrant> {
  const grant = await readUploadUrl(secret, url, nowMs);
  if (grant === "invalid") {
    throw new ApiError("INVALID_UPLOAD_URL", "This upload address is not as this service signed it.");
  }
  if (grant === "expired") {
    throw new ApiError("EXPIRED_UPLOAD_URL", "This upload address has expired; presign the file again.");
  }
  return grant;
}

function requireType(contentType: string | null, mimeType: string): void {
  if (normalizeMimeType(contentType ?? "") !== mimeType) {
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", `Content-Type: must be ${mimeType}`);
  }
}

/** The body, of which the server has said how long it is, or which is counted while it passes. */
function bodyOf({ headers, body }: Request, sizeBytes: number): ReadableStream<Uint8Array> {
  const contentLength = headers.get("Content-Length");
  if (contentLength !== null || body === null) requireLength(Number(contentLength), sizeBytes);
  const bytes = body as ReadableStream<Uint8Array>;
  return contentLength === null ? bytes.pipeThrough(exactLength(sizeBytes)) : bytes;
}

async function store(
  bucket: R2Bucket,
  key: string,
  body: ReadableStream<Uint8Array>,
  { fileSize, mimeType }: UploadGrant,
): Promise<boolean> {
  try {
    return await putOnce(bucket, key, body, fileSize, mimeType);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (error instanceof DOMException && error.name === "TimeoutError") {
      throw invalid({ field: "body", message: "must arrive within an hour" });
    }
    // R2 may also refuse one of two writes to a key at the same time by failing it.
    if ((await bucket.head(key)) !== null) return false;
    throw error;
  }
}
