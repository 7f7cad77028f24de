import type { ImageHeader } from "./image-header.ts";
import type { PngLogo } from "./png.ts";

/** Image file that resvg can draw: PNG, JPEG or GIF. */
export interface EncodedImage extends ImageHeader {
  bytes: Uint8Array;
}

/**
 * Maximum number of pixels of an image that is decoded, which takes up to 60 ms and 30 MB. An image of twice the side
 * takes four times as much.
 */
export const DECODED_PIXELS_MAX = 1_048_576;

/** Returns true if an image is small enough to be decoded in a Worker. */
export function isDecodable({ width, height }: ImageHeader): boolean {
  return width * height <= DECODED_PIXELS_MAX;
}

/** Builds the data URI of an image. */
export function buildDataUri({ type, bytes }: EncodedImage): string {
  return `data:${type};base64,${toBase64(bytes)}`;
}

/**
 * Fits an image into a square of `side` pixels. Returns null if the image cannot be decoded or is fully transparent.
 * resvg receives an SVG of our own that contains the image, never an SVG from outside.
 */
export async function rasterize(image: EncodedImage, side: number): Promise<PngLogo | null> {
  const { Resvg } = await import("@cf-wasm/resvg");
  const resvg = await Resvg.async(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">` +
      `<image width="${side}" height="${side}" href="${buildDataUri(image)}"/></svg>`,
  );
  const rendered = resvg.render();
  try {
    const pixels = unpremultiply(rendered.pixels);
    return pixels.some((channel) => channel !== 0) ? { side, pixels } : null;
  } finally {
    // The garbage collector does not free WebAssembly memory.
    rendered.free();
    resvg.free();
  }
}

/** Divides colours by their alpha in place, because resvg returns premultiplied colours. */
function unpremultiply(pixels: Uint8Array): Uint8Array {
  for (let i = 0; i < pixels.length; i += 4) {
    const alpha = pixels[i + 3] as number;
    if (alpha === 0 || alpha === 255) continue;
    for (let channel = i; channel < i + 3; channel++) {
      pixels[channel] = Math.min(255, Math.round(((pixels[channel] as number) * 255) / alpha));
    }
  }
  return pixels;
}

const BASE64_CHUNK_BYTES = 0x6000;

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += BASE64_CHUNK_BYTES) {
    text += btoa(String.fromCharCode(...bytes.subarray(start, start + BASE64_CHUNK_BYTES)));
  }
  return text;
}
