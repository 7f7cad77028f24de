export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** Type and size of an image, as its first bytes tell. */
export interface ImageHeader {
  type: ImageType;
  width: number;
  height: number;
}

/** Reads type and size of a PNG, JPEG, GIF or WebP from its bytes. Returns null for other or truncated files. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const read of [readPng, readJpeg, readGif, readWebp]) {
    try {
      const header = read(view);
      if (header !== null) return header.width > 0 && header.height > 0 ? header : null;
    } catch (error) {
      // DataView throws this for a read past the end: the header is truncated.
      if (error instanceof RangeError) return null;
      throw error;
    }
  }
  return null;
}

function readPng(view: DataView): ImageHeader | null {
  if (!startsWith(view, 0, "\x89PNG\r\n\x1a\n") || !startsWith(view, 12, "IHDR")) return null;
  return { type: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
}

const GIF_EXTENSION = 0x21;
const GIF_IMAGE = 0x2c;

/**
 * Returns the larger of the logical screen and the first frame, because decoders allocate memory for both and the two
 * can differ (GIF89a sections 18 to 20).
 */
function readGif(view: DataView): ImageHeader | null {
  if (!startsWith(view, 0, "GIF87a") && !startsWith(view, 0, "GIF89a")) return null;
  const flags = view.getUint8(10);
  const paletteBytes = flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
  let offset = 13 + paletteBytes;
  while (view.getUint8(offset) === GIF_EXTENSION) offset = skipSubBlocks(view, offset + 2);
  if (view.getUint8(offset) !== GIF_IMAGE) return null;
  return {
    type: "image/gif",
    width: Math.max(view.getUint16(6, true), view.getUint16(offset + 5, true)),
    height: Math.max(view.getUint16(8, true), view.getUint16(offset + 7, true)),
  };
}

/** Returns the offset after a chain of sub-blocks. Each begins with its length, and the last has length 0. */
function skipSubBlocks(view: DataView, start: number): number {
  let offset = start;
  for (let length = -1; length !== 0; offset += 1 + length) length = view.getUint8(offset);
  return offset;
}

const JPEG_MARKER = 0xff;

/** Walks the segments to the start of frame, which contains the size (ITU-T T.81 annex B). */
function readJpeg(view: DataView): ImageHeader | null {
  if (!startsWith(view, 0, "\xff\xd8\xff")) return null;
  for (let offset = 2; ; ) {
    if (view.getUint8(offset) !== JPEG_MARKER) return null;
    const marker = view.getUint8(offset + 1);
    if (marker === JPEG_MARKER) {
      offset += 1;
    } else if (isStartOfFrame(marker)) {
      return { type: "image/jpeg", height: view.getUint16(offset + 5), width: view.getUint16(offset + 7) };
    } else {
      offset += 2 + view.getUint16(offset + 2);
    }
  }
}

/** Returns true for SOF0 to SOF15, but not for DHT, JPG and DAC, which lie in the same range (ITU-T T.81 table B.1). */
function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Reads the size from the first chunk, whose layout depends on its type (RFC 9649 section 2). */
function readWebp(view: DataView): ImageHeader | null {
  if (!startsWith(view, 0, "RIFF") || !startsWith(view, 8, "WEBP")) return null;
  const type = "image/webp";
  if (startsWith(view, 12, "VP8 ")) {
    return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (startsWith(view, 12, "VP8L")) {
    const bits = view.getUint32(21, true);
    return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (startsWith(view, 12, "VP8X")) {
    return { type, width: getUint24(view, 24) + 1, height: getUint24(view, 27) + 1 };
  }
  return null;
}

function getUint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);
}

function startsWith(view: DataView, offset: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (offset + i >= view.byteLength || view.getUint8(offset + i) !== text.charCodeAt(i)) return false;
  }
  return true;
}
