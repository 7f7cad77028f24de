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
 * Reads a PNG strictly by the standard (W3C PNG, third edition) and shares no code with the writer. It checks the
 * checksums and supports all filter types, palettes and true colours. Throws if the file is invalid.
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
  const data = new Uint8ClampedArray(width * height * 4);
  const palette = chunks.get("PLTE") ?? new Uint8Array();
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const offset = (y * width + x) * 4;
      if (colorType === 3) {
        const bit = x * bitDepth;
        const byte = rows[y * rowLength + (bit >> 3)] as number;
        const index = (byte >> (8 - bitDepth - (bit & 7))) & ((1 << bitDepth) - 1);
        if (index * 3 >= palette.length) throw new Error("colour index outside the palette");
        data.set(palette.subarray(index * 3, index * 3 + 3), offset);
        data[offset + 3] = 255;
      } else {
        const start = y * rowLength + x * channels;
        data[offset + 3] = 255;
        data.set(rows.subarray(start, start + channels), offset);
      }
    }
  }
  return { width, height, data, bitDepth, colorType };
}

function unfilterRows(raw: Uint8Array, rowLength: number, height: number, step: number): Uint8Array {
  const rows = new Uint8Array(rowLength * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (rowLength + 1)] as number;
    const row = y * rowLength;
    if (filter > 4) throw new Error("unknown filter");
    for (let x = 0; x < rowLength; x++) {
      const left = x >= step ? (rows[row + x - step] as number) : 0;
      const up = y > 0 ? (rows[row + x - rowLength] as number) : 0;
      const corner = x >= step && y > 0 ? (rows[row + x - rowLength - step] as number) : 0;
      const predicted = [0, left, up, (left + up) >> 1, predictPaeth(left, up, corner)][filter] as number;
      rows[row + x] = (raw[y * (rowLength + 1) + 1 + x] as number) + predicted;
    }
  }
  return rows;
}

function predictPaeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(estimate - value)) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function computeCrc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
