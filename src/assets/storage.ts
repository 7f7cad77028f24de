import { HOUR_MS } from "../core/time.ts";

/** Where files lie: what was uploaded, and copies of what was published. */
export interface Buckets {
  private: R2Bucket;
  public: R2Bucket;
}

/** By what the keys of a file are made. */
interface StoredFile {
  workspaceId: string;
  id: string;
  filename: string;
}

/** How long one upload may take. */
export const UPLOAD_MAX_MS = HOUR_MS;

/** At most this many keys go into one R2 delete. */
export const DELETE_MAX_KEYS = 1_000;

const IF_NONE_THERE = new Headers({ "If-None-Match": "*" });

export function openBuckets(env: Env): Buckets {
  return { private: env.PRIVATE_FILES, public: env.PUBLIC_FILES };
}

/** Key of the uploaded bytes. Ids are never used twice, so neither are keys. */
export function privateKey({ workspaceId, id }: Pick<StoredFile, "workspaceId" | "id">): string {
  return `${workspaceId}/${id}`;
}

/** Key of the published copy, and its path on the CDN before encoding. */
export function publicKey({ id, filename }: Pick<StoredFile, "id" | "filename">): string {
  return `${id}/${filename}`;
}

/**
 * Streams exactly `sizeBytes` of an upload to a key that holds nothing yet; no more than a chunk is in memory. Of
 * several at once, the bucket stores one and answers false to the others. Throws, and stores nothing, if the body
 * fails, is too short or too long, or takes longer than {@link UPLOAD_MAX_MS} (`TimeoutError`).
 */
export async function putOnce(
  bucket: R2Bucket,
  key: string,
  body: ReadableStream<Uint8Array>,
  sizeBytes: number,
  contentType: string,
): Promise<boolean> {
  const options = { onlyIf: IF_NONE_THERE, httpMetadata: { contentType } };
  return (await putStream(bucket, key, body, sizeBytes, options)) !== null;
}

/** Copies the bytes of this ETag to the public bucket. False: the source does not hold them. */
export async function copyToPublic(buckets: Buckets, file: StoredFile, etag: string): Promise<boolean> {
  const source = await buckets.private.get(privateKey(file), { onlyIf: { etagMatches: etag } });
  if (source === null || !("body" in source)) return false;
  await putStream(buckets.public, publicKey(file), source.body, source.size, {
    httpMetadata: source.httpMetadata ?? {},
  });
  return true;
}

/**
 * R2 takes a stream only of a length that is known before, which {@link FixedLengthStream} says and enforces. Throws
 * what went wrong with the body, or else with the bucket.
 */
async function putStream(
  bucket: R2Bucket,
  key: string,
  body: ReadableStream<Uint8Array>,
  sizeBytes: number,
  options: R2PutOptions,
): Promise<R2Object | null> {
  const { readable, writable } = new FixedLengthStream(sizeBytes);
  const stop = new AbortController();
  const timer = setTimeout(
    () => stop.abort(new DOMException("took too long", "TimeoutError")),
    UPLOAD_MAX_MS,
  );
  const done = new Error("the bucket reads no further");
  const bodyError = body.pipeTo(writable, { signal: stop.signal }).then(
    () => null,
    (error: unknown) => (error === done ? null : error),
  );
  try {
    return await bucket.put(key, readable, options);
  } catch (error) {
    stop.abort(done);
    throw (await bodyError) ?? error;
  } finally {
    clearTimeout(timer);
    stop.abort(done);
  }
}

/** Removes the uploaded and the published bytes of files; those that are not there do not matter. */
export async function removeFiles(buckets: Buckets, files: readonly StoredFile[]): Promise<void> {
  if (files.length === 0) return;
  await Promise.all([
    buckets.private.delete(files.map(privateKey)),
    buckets.public.delete(files.map(publicKey)),
  ]);
}
