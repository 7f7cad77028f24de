import decoder from "@jsquash/webp/codec/dec/webp_dec.wasm";
import decode, { init } from "@jsquash/webp/decode.js";
import { compressPicture } from "./picture-data.ts";
import { wrapPngData } from "./png-file.ts";

/** Converts a WebP to a PNG with the same pixels, because resvg and many SVG viewers can't draw WebP. */
export async function webpToPng(webp: Uint8Array): Promise<Uint8Array> {
  await init(decoder);
  // The decoder defines a global `location` without an origin, which breaks modules that are imported later.
  Reflect.deleteProperty(globalThis, "location");
  const { width, height, data } = await decode(webp.slice().buffer);
  const pixels = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return wrapPngData({ width, height, bitDepth: 8, color: "rgba" }, await compressPicture(pixels, width * 4));
}
