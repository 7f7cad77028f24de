import { HOUR_MS } from "../core/time.ts";

/** R2 buckets. Uploaded files are in the private bucket, copies of published files in the public bucket. */
export interface Buckets {
  private: R2Bucket;
  public: R2Bucket;
}

/** Fields of an asset that its bucket keys are built from. */
interface StoredFile {
  workspaceId: string;
  id: string;
  filename: string;
}

/** Maximum duration of one upload. */
export const UPLOAD_MAX_MS = HOUR_MS;

/** Maximum number of keys in one R2 `delete` call (Cloudflare R2, Workers API reference). */
export const DELETE_MAX_KEYS = 1_000;

/** Metadata of published files: the id of their workspace. Files published by older versions have none. */
export const WORKSPACE_KEY = "workspace";

const IF_ABSENT = new Headers({ "If-None-Match": "*" });

export function openBuckets(env: Env): Buckets {
  return { private: env.PRIVATE_FILES, public: env.PUBLIC_FILES };
}

/**
 * Returns the key of an uploaded file in the private bucket. Asset ids are never reused, so keys aren't
 * either.
 */
export function buildPrivateFileKey({ workspaceId, id }: Pick<StoredFile, "workspaceId" | "id">): string {
  return `${workspaceId}/${id}`;
}

/**
 * Returns the key of a published file in the public bucket. It is also the file's unencoded path on the CDN.
 */
export function buildPublicFileKey({ id, filename }: Pick<StoredFile, "id" | "filename">): string {
  return `${id}/${filename}`;
}

/**
 * Streams an upload of exactly `sizeBytes` to a key and returns true. Returns false if the key already has an
 * object, so only one of several concurrent uploads is stored. Holds at most one chunk in memory.
 *
 * Throws and stores nothing if the body fails, has another length, or takes longer than {@link UPLOAD_MAX_MS}
 * (`TimeoutError`).
 */
export async function putOnce(
  bucket: R2Bucket,
  key: string,
  body: ReadableStream<Uint8Array>,
  sizeBytes: number,
  contentType: string,
): Promise<boolean> {
  const options = { onlyIf: IF_ABSENT, httpMetadata: { contentType } };
  return (await putStream(bucket, key, body, sizeBytes, options)) !== null;
}

/** Copies a file to the public bucket. Returns false if the private bucket has no object with this ETag. */
export async function copyToPublic(buckets: Buckets, file: StoredFile, etag: string): Promise<boolean> {
  const source = await buckets.private.get(buildPrivateFileKey(file), { onlyIf: { etagMatches: etag } });
  if (source === null || !("body" in source)) return false;
  await putStream(buckets.public, buildPublicFileKey(file), source.body, source.size, {
    httpMetadata: source.httpMetadata ?? {},
    customMetadata: { [WORKSPACE_KEY]: file.workspaceId },
  });
  return true;
}

/**
 * Stores a stream. R2 requires the length of a stream in advance; {@link FixedLengthStream} declares and
 * enforces the length. Throws the body's error if the body failed, otherwise the bucket's error.
 */
async function putStream(
  bucket: R2Bucket,
  key: string,
  body: ReadableStream<Uint8Array>,
  sizeBytes: number,
  options: R2PutOptions,
): Promise<R2Object | null> {
  const { readable, writable } = new FixedLengthStream(sizeBytes);
  const abortController = new AbortController();
  const bucketStopped = new Error("the bucket stopped reading");
  const bodyError = body.pipeTo(writable, { signal: abortController.signal }).then(
    () => null,
    (error: unknown) => (error === bucketStopped ? null : error),
  );
  const storing = bucket.put(key, readable, options).catch(async (error: unknown) => {
    abortController.abort(bucketStopped);
    throw (await bodyError) ?? error;
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Aborting the pipe isn't enough: it only takes effect when the next chunk arrives, which may never happen.
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new DOMException("the upload took too long", "TimeoutError");
      abortController.abort(error);
      reject(error);
    }, UPLOAD_MAX_MS);
  });
  try {
    return await Promise.race([storing, expired]);
  } finally {
    clearTimeout(timer);
    abortController.abort(bucketStopped);
  }
}

/** Removes the uploaded and published copies of files. Missing copies are ignored. */
export async function removeFiles(buckets: Buckets, files: readonly StoredFile[]): Promise<void> {
  if (files.length === 0) return;
  await Promise.all([
    buckets.private.delete(files.map(buildPrivateFileKey)),
    buckets.public.delete(files.map(buildPublicFileKey)),
  ]);
}
