// Pure: no I/O, clock or randomness.
import type { PngLogo } from "../../qr/png.ts";

/** Reads and scales the logo of a PNG that the API rendered. */

/** Position of a square in an image, in pixels. */
export interface PixelSquare {
  start: number;
  side: number;
}

const SIGNATURE_BYTES = 8;
const CHANNELS = 3;
const FILTER_UP = 2;

/** Cuts a square out of a true-colour PNG of `qr/png.ts`, whose rows are unfiltered or filtered by the row above. */
export async function cutOutLogo(png: Uint8Array, { start, side }: PixelSquare): Promise<PngLogo> {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const rowBytes = view.getUint32(SIGNATURE_BYTES + 8) * CHANNELS;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let at = SIGNATURE_BYTES; at < png.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8));
    if (type === "IDAT") parts.push(png.slice(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const stream = new Blob(parts).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const pixels = new Uint8Array(side * side * 4).fill(255);
  let above = new Uint8Array(rowBytes);
  for (let y = 0; y < start + side; y++) {
    const at = y * (rowBytes + 1);
    const row = bytes.slice(at + 1, at + 1 + rowBytes);
    if (bytes[at] === FILTER_UP) for (let i = 0; i < rowBytes; i++) row[i] = (row[i] ?? 0) + (above[i] ?? 0);
    above = row;
    if (y < start) continue;
    for (let x = 0; x < side; x++) {
      const from = (start + x) * CHANNELS;
      pixels.set(row.subarray(from, from + CHANNELS), ((y - start) * side + x) * 4);
    }
  }
  return { side, pixels };
}

/** Scales a logo down to `side` pixels, each the average of the pixels that it covers. Leaves smaller logos as they are. */
export function shrinkLogo(logo: PngLogo, side: number): PngLogo {
  if (side >= logo.side) return logo;
  const pixels = new Uint8Array(side * side * 4);
  const scale = logo.side / side;
  const toEnd = (position: number) => Math.ceil(Math.round((position + 1) * scale * 1_000) / 1_000);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const sums = [0, 0, 0, 0];
      let count = 0;
      for (let fromY = Math.floor(y * scale); fromY < toEnd(y); fromY++) {
        for (let fromX = Math.floor(x * scale); fromX < toEnd(x); fromX++, count++) {
          const pixel = (fromY * logo.side + fromX) * 4;
          for (let channel = 0; channel < 4; channel++)
            sums[channel] = (sums[channel] ?? 0) + (logo.pixels[pixel + channel] ?? 0);
        }
      }
      pixels.set(
        sums.map((sum) => Math.round(sum / count)),
        (y * side + x) * 4,
      );
    }
  }
  return { side, pixels };
}
