import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Resvg } from "@cf-wasm/resvg";
import jsQR from "jsqr";
import { prepareZXingModule, type ReaderOptions, readBarcodes } from "zxing-wasm/reader";
import type { Pixels } from "../../support/png.ts";

/** Two independent QR decoders, and helpers that create their input. */

const wasmBinary = readFileSync(
  createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm"),
);
prepareZXingModule({ overrides: { wasmBinary } });

const OPTIONS: ReaderOptions = {
  formats: ["QRCode"],
  tryRotate: false,
  tryDownscale: false,
  maxNumberOfSymbols: 1,
};

/** Returns the text that ZXing reads, or null. */
export async function decodeWithZxing(pixels: Pixels): Promise<string | null> {
  const results = await readBarcodes(pixels as unknown as Parameters<typeof readBarcodes>[0], OPTIONS);
  const [result] = results;
  return result?.isValid ? result.text : null;
}

/** Returns the text that jsQR reads, or null. */
export function decodeWithJsQr({ data, width, height }: Pixels): string | null {
  return jsQR(data, width, height)?.data ?? null;
}

/** Returns the names of the decoders that cannot read the content. */
export async function listFailingDecoders(pixels: Pixels, content: string): Promise<string[]> {
  return [
    ...((await decodeWithZxing(pixels)) === content ? [] : ["zxing"]),
    ...(decodeWithJsQr(pixels) === content ? [] : ["jsqr"]),
  ];
}

/** Builds a text of the given length that only byte mode can encode. */
export function buildText(length: number): string {
  return "https://example.com/".padEnd(length, "abcDEF12-").slice(0, length);
}

/** Rasterizes an SVG at its own size. */
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
