import { ApiError, invalid } from "../core/error.ts";

/**
 * Passes on a body of exactly `sizeBytes`, and fails one that is longer (`PAYLOAD_TOO_LARGE`) or shorter
 * (`VALIDATION_ERROR`). The last bytes are held back until the body has ended: a reader that counts would otherwise
 * have its whole file, and keep it, before it is known that more bytes would follow.
 */
export function exactLength(sizeBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let held: Uint8Array | undefined;
  let seenBytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      seenBytes += chunk.byteLength;
      if (seenBytes > sizeBytes) throw bodyTooLong(sizeBytes);
      if (held !== undefined) controller.enqueue(held);
      held = chunk;
    },
    flush(controller) {
      if (seenBytes < sizeBytes) throw bodyTooShort(sizeBytes);
      if (held !== undefined) controller.enqueue(held);
    },
  });
}

/** Refuses a declared `Content-Length` that is not the size of the file, before a byte is read. */
export function requireLength(contentLength: number, sizeBytes: number): void {
  if (contentLength > sizeBytes) throw bodyTooLong(sizeBytes);
  if (contentLength < sizeBytes) throw bodyTooShort(sizeBytes);
}

function bodyTooLong(sizeBytes: number): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", `body: must have exactly ${sizeBytes} bytes, and has more`);
}

function bodyTooShort(sizeBytes: number): ApiError {
  return invalid({ field: "body", message: `must have exactly ${sizeBytes} bytes, and has fewer` });
}
