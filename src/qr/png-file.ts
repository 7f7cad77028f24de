// Pure: no I/O, clock or randomness.
import { compressBands, concatBytes } from "./bytes.ts";

/** Writes PNG files (W3C PNG, third edition), row by row, so that an image needn't fit into memory. */

/** Size and colour format of a PNG file. */
export interface PngFormat {
  width: number;
  height: number;
  /** Bits per palette index, or per channel of a true-colour image. */
  bitDepth: 1 | 4 | 8;
  /** Palette with three bytes per colour, or the channels of a true-colour image. */
  color: Uint8Array | "rgb" | "rgba";
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const COLOR_TYPE = { rgb: 2, indexed: 3, rgba: 6 };
const CHANNELS = { rgb: 3, indexed: 1, rgba: 4 };
/** Filter type of a row with unfiltered bytes. */
export const FILTER_NONE = 0;
/** Filter type of a row with the differences to the row above. */
export const FILTER_UP = 2;

/** Returns the number of bytes of one row, without its filter type. */
export function countRowBytes({ width, bitDepth, color }: PngFormat): number {
  return Math.ceil((width * bitDepth * CHANNELS[getColorKind(color)]) / 8);
}

function getColorKind(color: PngFormat["color"]): "rgb" | "indexed" | "rgba" {
  return typeof color === "string" ? color : "indexed";
}

/**
 * Writes a PNG file. `bands` yields filtered rows, each preceded by its filter type. A band may contain any
 * number of rows, and its array may be reused for the next band.
 */
export async function writePng(format: PngFormat, bands: Iterable<Uint8Array>): Promise<Uint8Array> {
  return wrapPngData(format, await compressBands(bands));
}

/** Wraps compressed rows in a PNG file. */
export function wrapPngData(format: PngFormat, data: Uint8Array): Uint8Array {
  const { width, height, bitDepth, color } = format;
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header[8] = bitDepth;
  header[9] = COLOR_TYPE[getColorKind(color)];
  return concatBytes([
    SIGNATURE,
    ...buildChunk("IHDR", header),
    ...(typeof color === "string" ? [] : buildChunk("PLTE", color)),
    ...buildChunk("IDAT", data),
    ...buildChunk("IEND", new Uint8Array()),
  ]);
}

function buildChunk(type: string, data: Uint8Array): Uint8Array[] {
  const head = new Uint8Array(8);
  new DataView(head.buffer).setUint32(0, data.length);
  for (let i = 0; i < type.length; i++) head[4 + i] = type.charCodeAt(i);
  const tail = new Uint8Array(4);
  new DataView(tail.buffer).setUint32(0, crc32(head.subarray(4), data));
  return [head, data, tail];
}

/** CRC tables for a byte followed by 0, 1, 2 or 3 zero bytes. Four tables allow four bytes per step. */
const CRC_TABLES = buildCrcTables();

function buildCrcTables(): [Uint32Array, Uint32Array, Uint32Array, Uint32Array] {
  const first = Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value >>> 0;
  });
  const addZero = (table: Uint32Array) =>
    table.map((value) => (value >>> 8) ^ (first[value & 255] as number));
  const second = addZero(first);
  const third = addZero(second);
  return [first, second, third, addZero(third)];
}

/** Computes the CRC-32 of ISO 3309 over the concatenated parts, as used in PNG chunks. */
export function crc32(...parts: Uint8Array[]): number {
  const [first, second, third, fourth] = CRC_TABLES;
  let crc = 0xffffffff;
  for (const part of parts) {
    let i = 0;
    for (const end = part.length - 3; i < end; i += 4) {
      crc ^=
        (part[i] as number) |
        ((part[i + 1] as number) << 8) |
        ((part[i + 2] as number) << 16) |
        ((part[i + 3] as number) << 24);
      crc =
        (fourth[crc & 255] as number) ^
        (third[(crc >>> 8) & 255] as number) ^
        (second[(crc >>> 16) & 255] as number) ^
        (first[crc >>> 24] as number);
    }
    for (; i < part.length; i++) crc = (first[(crc ^ (part[i] as number)) & 255] as number) ^ (crc >>> 8);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
