/** A request or a response, of which only the body matters here. */
type Message = Pick<Response, "body">;

/**
 * The first `maxBytes` of a body, and whether there was more. Of the rest up to `discardBytes` are read and dropped: who
 * is still sending when the connection ends may never see the answer.
 */
export async function readAtMost(
  message: Message,
  maxBytes: number,
  discardBytes = 0,
): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of firstChunks(message, maxBytes + discardBytes)) {
    if (size <= maxBytes) chunks.push(chunk);
    size += chunk.byteLength;
  }
  const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
  return { bytes: bytes.subarray(0, maxBytes), isCut: bytes.byteLength > maxBytes };
}

/** The chunks of a body as they come, up to the one that goes past `maxBytes`. The rest is not read. */
export async function* firstChunks(message: Message, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  const reader = message.body?.getReader();
  while (reader !== undefined && size <= maxBytes) {
    const { done, value } = await reader.read();
    if (done) return;
    size += value.byteLength;
    yield value;
  }
  await reader?.cancel();
}
