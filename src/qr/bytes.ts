// Pure: no I/O, clock or randomness.

/** Helpers to compress, join and convert the bytes of image files. */

/** Maximum bytes per write to the compressor. */
const CHUNK_BYTES = 65_536;

/** Compresses bytes in the zlib format (RFC 1950), which PNG and PDF files use. */
export async function compressBands(bands: Iterable<Uint8Array>): Promise<Uint8Array> {
  const { readable, writable } = new CompressionStream("deflate");
  const compressed = new Response(readable as ReadableStream<Uint8Array>).arrayBuffer();
  const writer = writable.getWriter();
  for (const chunk of joinBands(bands)) await writer.write(chunk);
  await writer.close();
  return new Uint8Array(await compressed);
}

/** Joins small bands into chunks, because a write costs as much as compressing a few kilobytes. */
function* joinBands(bands: Iterable<Uint8Array>): Generator<Uint8Array<ArrayBuffer>> {
  let buffer = new Uint8Array(CHUNK_BYTES);
  let used = 0;
  for (const band of bands) {
    if (used > 0 && used + band.length > CHUNK_BYTES) {
      yield buffer.subarray(0, used);
      buffer = new Uint8Array(CHUNK_BYTES);
      used = 0;
    }
    if (band.length > CHUNK_BYTES) {
      yield band.slice();
    } else {
      buffer.set(band, used);
      used += band.length;
    }
  }
  if (used > 0) yield buffer.subarray(0, used);
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Converts a string with characters up to U+00FF to bytes. */
export function toBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
