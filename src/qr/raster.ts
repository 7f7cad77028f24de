import type { ImageHeader } from "./image-header.ts";
import type { PngLogo } from "./png.ts";

/** A picture that resvg can draw: PNG, JPEG or GIF. */
export interface Picture extends ImageHeader {
  bytes: Uint8Array;
}

/**
 * Pixels a picture may have to be decoded: at four bytes each and a copy of them, a quarter of a Worker's 128 MB.
 * Measured: 2,048 × 2,048 takes 70 MB at its peak, 4,096 × 4,096 takes 133.
 */
export const DECODED_PIXELS_MAX = 4_194_304;

/** Whether a picture is small enough to be decoded here. */
export function isDecodable({ width, height }: ImageHeader): boolean {
  return width * height <= DECODED_PIXELS_MAX;
}

/** A picture as the text that an SVG takes in the place of an address. */
export function dataUri({ type, bytes }: Picture): string {
  return `data:${type};base64,${toBase64(bytes)}`;
}

/**
 * A picture fitted into a square of `side` pixels, or null if it cannot be decoded or nothing of it can be seen. The
 * SVG that resvg is given is our own; what came from outside is only the picture in it.
 */
export async function rasterize(picture: Picture, side: number): Promise<PngLogo | null> {
  const { Resvg } = await import("@cf-wasm/resvg");
  const resvg = await Resvg.async(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">` +
      `<image width="${side}" height="${side}" href="${dataUri(picture)}"/></svg>`,
  );
  const image = resvg.render();
  try {
    const pixels = unmultiplied(image.pixels);
    return pixels.some((part) => part !== 0) ? { side, pixels } : null;
  } finally {
    // Memory of WebAssembly is not collected.
    image.free();
    resvg.free();
  }
}

/** resvg answers with colours that are multiplied by their alpha. */
function unmultiplied(pixels: Uint8Array): Uint8Array {
  for (let i = 0; i < pixels.length; i += 4) {
    const alpha = pixels[i + 3] as number;
    if (alpha === 0 || alpha === 255) continue;
    for (let part = i; part < i + 3; part++) {
      pixels[part] = Math.min(255, Math.round(((pixels[part] as number) * 255) / alpha));
    }
  }
  return pixels;
}

const BASE64_STEP_BYTES = 0x6000;

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += BASE64_STEP_BYTES) {
    text += btoa(String.fromCharCode(...bytes.subarray(start, start + BASE64_STEP_BYTES)));
  }
  return text;
}
