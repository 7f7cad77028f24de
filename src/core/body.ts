/** A request or a response, of which only the body matters here. */
type Message = Pick<Response, "body">;

/** The first `maxBytes` of a body, and whether there was more. The rest is not read. */
export async function readAtMost(
  message: Message,
  maxBytes: number,
): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of firstChunks(message, maxBytes)) chunks.push(chunk);
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
