// Pure: no I/O, clock or randomness.
import { fromHex, toHex } from "../core/crypto.ts";

/**
 * Compresses text (raw DEFLATE, RFC 1951). Returns hexadecimal digits, because rows are passed to SQL as
 * JSON.
 */
export async function packText(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return toHex(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** Decompresses the result of {@link packText}. Accepts upper and lower case digits. */
export async function unpackText(hex: string): Promise<string> {
  const stream = new Blob([fromHex(hex)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}
