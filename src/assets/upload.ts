import { ApiError, createNotFoundError, createValidationError } from "../core/error.ts";
import { openShard } from "../db/database.ts";
import { createSuspendedError } from "../safety/suspension.ts";
import { findLocations } from "../tenant/locations.ts";
import { selectAsset } from "./assets.ts";
import { createExactLengthStream, requireContentLength } from "./exact-length.ts";
import { normalizeMimeType } from "./mime-type.ts";
import { buildPrivateFileKey, openBuckets, putOnce } from "./storage.ts";
import { type UploadGrant, verifyUploadUrl } from "./upload-url.ts";

/**
 * Handles `PUT /uploads/…`, which stores the file of an asset. A file can be uploaded only once. The signed
 * URL authorises the request. Checks the request against the URL before reading the body.
 */
export async function receiveUpload(request: Request, env: Env, nowMs: number): Promise<void> {
  const grant = await requireGrant(new URL(request.url), env.UPLOAD_SECRET, nowMs);
  requireContentType(request.headers.get("Content-Type"), grant.mimeType);
  const body = requireBody(request, grant.fileSize);

  const { workspaceId, assetId } = grant;
  // Looks up the shard on each call, because the workspace may be deleted or moved during the upload.
  const hasAsset = async () => {
    const location = (await findLocations(env.DIRECTORY, [workspaceId])).get(workspaceId);
    if (location === undefined) return false;
    if (location.isSuspended) throw createSuspendedError();
    return (await selectAsset(openShard(env, location.shard).db, workspaceId, assetId))[0] !== undefined;
  };
  const bucket = openBuckets(env).private;
  const key = buildPrivateFileKey({ workspaceId, id: assetId });
  const [isKnown, stored] = await Promise.all([hasAsset(), bucket.head(key)]);
  if (!isKnown) throw createNotFoundError("asset");
  if (stored !== null || !(await storeFile(bucket, key, body, grant))) {
    throw new ApiError("ASSET_ALREADY_UPLOADED", "The file has already been uploaded to this URL.");
  }
  if (!(await hasAsset())) {
    // The asset was deleted during the upload. Its file may not have existed yet when the files of deleted
    // assets were removed, so it is removed here.
    await bucket.delete(key);
    throw createNotFoundError("asset");
  }
}

async function requireGrant(url: URL, secret: string, nowMs: number): Promise<UploadGrant> {
  const grant = await verifyUploadUrl(secret, url, nowMs);
  if (grant === "invalid") {
    throw new ApiError("INVALID_UPLOAD_URL", "The signature of this upload URL is not valid.");
  }
  if (grant === "expired") {
    throw new ApiError("EXPIRED_UPLOAD_URL", "This upload URL has expired. Presign the file again.");
  }
  return grant;
}

function requireContentType(contentType: string | null, mimeType: string): void {
  if (normalizeMimeType(contentType ?? "") !== mimeType) {
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", `Content-Type: must be ${mimeType}`);
  }
}

/**
 * Returns the body of an upload. The HTTP server enforces a declared `Content-Length`; a body without that
 * header is counted while it's read. Throws if the declared length is wrong or the body is missing.
 */
function requireBody({ headers, body }: Request, sizeBytes: number): ReadableStream<Uint8Array> {
  const contentLength = headers.get("Content-Length");
  if (contentLength !== null || body === null) requireContentLength(Number(contentLength), sizeBytes);
  const stream = body as ReadableStream<Uint8Array>;
  return contentLength === null ? stream.pipeThrough(createExactLengthStream(sizeBytes)) : stream;
}

/** Stores the file. Returns false if the key already has a file. */
async function storeFile(
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
      throw createValidationError({ field: "body", message: "must arrive within an hour" });
    }
    // If two writes to a key are concurrent, R2 may throw an error for one of them instead of reporting a
    // failed precondition.
    if ((await bucket.head(key)) !== null) return false;
    throw error;
  }
}
