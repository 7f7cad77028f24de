/** A request or a response. */
type WithBody = Pick<Response, "body">;

/**
 * Reads the first `maxBytes` of a body. `isCut` is true if the body is longer. Up to `discardBytes` of the rest are
 * read and dropped, because a client that is still sending when the connection closes may never receive the response.
 */
export async function readAtMost(
  source: WithBody,
  maxBytes: number,
  discardBytes = 0,
): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readChunks(source, maxBytes + discardBytes)) {
    if (size <= maxBytes) chunks.push(chunk);
    size += chunk.byteLength;
  }
  const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
  return { bytes: bytes.subarray(0, maxBytes), isCut: bytes.byteLength > maxBytes };
}

/** Yields the chunks of a body up to and including the one that exceeds `maxBytes`, then cancels the body. */
export async function* readChunks(source: WithBody, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  const reader = source.body?.getReader();
  while (reader !== undefined && size <= maxBytes) {
    const { done, value } = await reader.read();
    if (done) return;
    size += value.byteLength;
    yield value;
  }
  await reader?.cancel();
}
