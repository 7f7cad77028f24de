import { fromHex, toHex } from "../core/crypto.ts";

/** Compresses a text (RFC 1951). Returns hexadecimal digits, since rows are handed to SQL as JSON. */
export async function packText(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return toHex(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** Decompresses what {@link packText} returned, with digits in either case. */
export async function unpackText(hex: string): Promise<string> {
  const stream = new Blob([fromHex(hex)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}
