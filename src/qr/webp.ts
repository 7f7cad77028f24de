import decoder from "@jsquash/webp/codec/dec/webp_dec.wasm";
import decode, { init } from "@jsquash/webp/decode.js";
import { FILTER_NONE, writePng } from "./png-file.ts";

/** Converts a WebP to a PNG with the same pixels, because resvg and many SVG viewers do not draw WebP images. */
export async function webpToPng(webp: Uint8Array): Promise<Uint8Array> {
  await init(decoder);
  const { width, height, data } = await decode(webp.slice().buffer);
  const rowLength = width * 4;
  function* rows(): Generator<Uint8Array> {
    for (let y = 0; y < height; y++) {
      const row = new Uint8Array(rowLength + 1);
      row[0] = FILTER_NONE;
      row.set(data.subarray(y * rowLength, (y + 1) * rowLength), 1);
      yield row;
    }
  }
  return writePng({ width, height, bitDepth: 8, color: "rgba" }, rows());
}
