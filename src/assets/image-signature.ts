/** Bytes at the start of a file by which {@link imageFault} knows an image. */
export const IMAGE_HEAD_BYTES = 64;

/** Names of one format, and how its files begin. */
interface ImageFormat {
  types: readonly string[];
  matches(head: Uint8Array): boolean;
}

const FORMATS: readonly ImageFormat[] = [
  { types: ["image/png", "image/apng", "image/x-png"], matches: startsWith("\x89PNG\r\n\x1a\n") },
  { types: ["image/jpeg", "image/jpg", "image/pjpeg"], matches: startsWith("\xff\xd8\xff") },
  { types: ["image/gif"], matches: startsWith("GIF87a", "GIF89a") },
  {
    types: ["image/webp"],
    matches: (head) => textOf(head, 0, 4) === "RIFF" && textOf(head, 8, 12) === "WEBP",
  },
  { types: ["image/avif", "image/avif-sequence"], matches: hasBrand("avif", "avis") },
  {
    types: ["image/heic", "image/heif", "image/heic-sequence", "image/heif-sequence"],
    matches: hasBrand("heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "mif2", "msf1"),
  },
  { types: ["image/bmp", "image/x-ms-bmp"], matches: startsWith("BM") },
  { types: ["image/tiff"], matches: startsWith("II*\0", "MM\0*", "II+\0", "MM\0+") },
  { types: ["image/x-icon", "image/vnd.microsoft.icon"], matches: startsWith("\0\0\x01\0", "\0\0\x02\0") },
  { types: ["image/jxl"], matches: startsWith("\xff\x0a", "\0\0\0\x0cJXL ") },
  { types: ["image/svg+xml"], matches: isMarkup },
];

/**
 * Why bytes that begin with `head` are no image of the declared type, worded to follow the name of its field; null if
 * they may be one. Only image types are judged, and of those only the ones whose files have a known beginning.
 */
export function imageFault(essence: string, head: Uint8Array): string | null {
  const declared = FORMATS.find(({ types }) => types.includes(essence));
  if (declared === undefined || declared.matches(head)) return null;
  return `is ${essence}, but the uploaded bytes are not`;
}

function startsWith(...signatures: string[]): ImageFormat["matches"] {
  return (head) => signatures.some((signature) => textOf(head, 0, signature.length) === signature);
}

/** Whether an ISO base media file (ISO/IEC 14496-12) names one of these brands in its `ftyp` box. */
function hasBrand(...brands: string[]): ImageFormat["matches"] {
  return (head) => {
    if (textOf(head, 4, 8) !== "ftyp") return false;
    const end = Math.min(new DataView(head.buffer, head.byteOffset).getUint32(0), head.length);
    for (let at = 8; at + 4 <= end; at += 4) {
      // The four bytes after the first brand are its version.
      if (at !== 12 && brands.includes(textOf(head, at, at + 4))) return true;
    }
    return false;
  };
}

function isMarkup(head: Uint8Array): boolean {
  const text = textOf(head, 0, head.length);
  // A byte order mark, and in UTF-16 a null byte beside each character.
  return /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*(?:<|$)/.test(text);
}

/** Bytes as characters of the same number. */
function textOf(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}
