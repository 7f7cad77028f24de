import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Resvg } from "@cf-wasm/resvg";
import jsQR from "jsqr";
import { prepareZXingModule, type ReaderOptions, readBarcodes } from "zxing-wasm/reader";
import type { Pixels } from "../../support/png.ts";

/** Two independent decoders, and what makes pixels for them. */

const wasmBinary = readFileSync(
  createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm"),
);
prepareZXingModule({ overrides: { wasmBinary } });

const OPTIONS: ReaderOptions = { formats: ["QRCode"], tryRotate: false, tryDownscale: false };

/** What ZXing reads, or null. */
export async function zxing(pixels: Pixels): Promise<string | null> {
  const results = await readBarcodes(pixels as unknown as Parameters<typeof readBarcodes>[0], OPTIONS);
  const [result] = results;
  return result?.isValid ? result.text : null;
}

/** What jsQR reads, or null. */
export function jsqr({ data, width, height }: Pixels): string | null {
  return jsQR(data, width, height)?.data ?? null;
}

/** Which of the decoders do not read the content. */
export async function misreads(pixels: Pixels, content: string): Promise<string[]> {
  return [
    ...((await zxing(pixels)) === content ? [] : ["zxing"]),
    ...(jsqr(pixels) === content ? [] : ["jsqr"]),
  ];
}

/** Text of a length that no mode but bytes takes. */
export function textOfLength(length: number): string {
  return "https://example.com/".padEnd(length, "abcDEF12-").slice(0, length);
}

/** An SVG as pixels, at its own size. */
export async function rasterizeSvg(svg: string): Promise<Pixels> {
  const resvg = await Resvg.async(svg);
  const image = resvg.render();
  const pixels = {
    width: image.width,
    height: image.height,
    data: new Uint8ClampedArray(image.pixels),
  };
  image.free();
  resvg.free();
  return pixels;
}
