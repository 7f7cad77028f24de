import type { ImageHeader } from "./image-header.ts";
import type { PngLogo } from "./png.ts";

/** Image file in a format that resvg can draw: PNG, JPEG or GIF. */
export interface EncodedImage extends ImageHeader {
  bytes: Uint8Array;
}

/**
 * Maximum pixels of an image that is decoded. Decoding this many takes up to 60 ms and 30 MB. Twice the side
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
 * Scales an image into a square of `side` pixels. Returns null if the image can't be decoded or is fully
 * transparent. resvg only receives an SVG that is built here around the image, never an SVG from outside.
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
    // WebAssembly memory isn't garbage-collected.
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

const BASE64_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const PADDING = 61;

/** Encodes bytes in base64 (RFC 4648 section 4), ten times as fast as making a string for `btoa`. */
function toBase64(bytes: Uint8Array): string {
  const digits = new TextEncoder().encode(BASE64_DIGITS);
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill(PADDING);
  for (let i = 0, at = 0; i < bytes.length; i += 3, at += 4) {
    const second = bytes[i + 1] ?? 0;
    const bits = ((bytes[i] as number) << 16) | (second << 8) | (bytes[i + 2] ?? 0);
    text[at] = digits[bits >> 18] as number;
    text[at + 1] = digits[(bits >> 12) & 63] as number;
    if (i + 1 < bytes.length) text[at + 2] = digits[(bits >> 6) & 63] as number;
    if (i + 2 < bytes.length) text[at + 3] = digits[bits & 63] as number;
  }
  return new TextDecoder().decode(text);
}
