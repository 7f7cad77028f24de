// Pure: no I/O, clock or randomness.
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** Type and size of an image, as read from its first bytes. */
export interface ImageHeader {
  type: ImageType;
  width: number;
  height: number;
}

/** Reads the type and size of a PNG, JPEG, GIF or WebP. Returns null for other or truncated files. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | null {
  const view = viewBytes(bytes);
  const header = readOrNull(() => readPng(view) ?? readJpeg(view) ?? readGif(view) ?? readWebp(view));
  return header !== null && header.width > 0 && header.height > 0 ? header : null;
}

function viewBytes(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Returns the result of `read`, or null if it reads past the end because the file is truncated. */
function readOrNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function readPng(view: DataView): ImageHeader | null {
  if (!startsWith(view, 0, "\x89PNG\r\n\x1a\n") || !startsWith(view, 12, "IHDR")) return null;
  return { type: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
}

const GIF_EXTENSION = 0x21;
const GIF_IMAGE = 0x2c;

/**
 * Returns the larger width and height of the logical screen and the first frame, because decoders allocate
 * memory for both and their sizes can differ (GIF89a sections 18 to 20).
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

/** Start of frame of a JPEG file (ITU-T T.81 section B.2.2). */
export interface JpegFrame {
  /** Marker, which identifies the coding process. */
  marker: number;
  /** Bits of each sample. */
  precision: number;
  width: number;
  height: number;
  /** Number of colour components: 1 for greyscale, 3 for colour, 4 for CMYK. */
  components: number;
}

/** Reads the start of frame of a JPEG file. Returns null for other or truncated files. */
export function readJpegFrame(bytes: Uint8Array): JpegFrame | null {
  return readOrNull(() => findJpegFrame(viewBytes(bytes)));
}

function readJpeg(view: DataView): ImageHeader | null {
  const frame = findJpegFrame(view);
  return frame && { type: "image/jpeg", width: frame.width, height: frame.height };
}

/** Walks through the segments to the start of frame (ITU-T T.81 annex B). */
function findJpegFrame(view: DataView): JpegFrame | null {
  if (!startsWith(view, 0, "\xff\xd8\xff")) return null;
  for (let offset = 2; ; ) {
    if (view.getUint8(offset) !== JPEG_MARKER) return null;
    const marker = view.getUint8(offset + 1);
    if (marker === JPEG_MARKER) {
      offset += 1;
    } else if (isStartOfFrame(marker)) {
      return {
        marker,
        precision: view.getUint8(offset + 4),
        height: view.getUint16(offset + 5),
        width: view.getUint16(offset + 7),
        components: view.getUint8(offset + 9),
      };
    } else {
      offset += 2 + view.getUint16(offset + 2);
    }
  }
}

/** Returns true for SOF0 to SOF15, but not for DHT, JPG and DAC in between (ITU-T T.81 table B.1). */
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
