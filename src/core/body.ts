type WithBody = Pick<Response, "body">;

/**
 * Reads the first `maxBytes` of a body. `isCut` is true if the body is longer. Reads and drops up to
 * `discardBytes` more, because a client that is still sending when the connection closes may never receive
 * the response.
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

/**
 * Yields a body's chunks until their total size exceeds `maxBytes`, including the chunk that exceeds it. Then
 * cancels the body.
 */
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
