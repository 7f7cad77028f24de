// Pure: no I/O, clock or randomness.
import { ApiError, createValidationError } from "../core/error.ts";

/**
 * Returns a stream that passes a body of exactly `sizeBytes`. It fails with `PAYLOAD_TOO_LARGE` if the body
 * is longer and with `VALIDATION_ERROR` if it's shorter. The last chunk is held back until the body ends.
 * Otherwise a consumer that counts bytes would store the file before the stream can detect that more bytes
 * follow.
 */
export function createExactLengthStream(sizeBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let heldChunk: Uint8Array | undefined;
  let receivedBytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      receivedBytes += chunk.byteLength;
      if (receivedBytes > sizeBytes) throw createTooLongError(sizeBytes);
      if (heldChunk !== undefined) controller.enqueue(heldChunk);
      heldChunk = chunk;
    },
    flush(controller) {
      if (receivedBytes < sizeBytes) throw createTooShortError(sizeBytes);
      if (heldChunk !== undefined) controller.enqueue(heldChunk);
    },
  });
}

/** Throws `PAYLOAD_TOO_LARGE` or `VALIDATION_ERROR` if `Content-Length` differs from the file size. */
export function requireContentLength(contentLength: number, sizeBytes: number): void {
  if (contentLength > sizeBytes) throw createTooLongError(sizeBytes);
  if (contentLength < sizeBytes) throw createTooShortError(sizeBytes);
}

function createTooLongError(sizeBytes: number): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", `body: must have exactly ${sizeBytes} bytes, but has more`);
}

function createTooShortError(sizeBytes: number): ApiError {
  return createValidationError({
    field: "body",
    message: `must have exactly ${sizeBytes} bytes, but has fewer`,
  });
}
