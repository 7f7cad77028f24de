// Pure: no I/O, clock or randomness.

/** Number of bytes that {@link findImageProblem} needs from the start of a file. */
export const IMAGE_HEAD_BYTES = 64;

/** Media types of an image format, and a check for the first bytes of a file. */
interface ImageFormat {
  types: readonly string[];
  hasSignature(head: Uint8Array): boolean;
}

const FORMATS: readonly ImageFormat[] = [
  { types: ["image/png", "image/apng", "image/x-png"], hasSignature: hasPrefix("\x89PNG\r\n\x1a\n") },
  { types: ["image/jpeg", "image/jpg", "image/pjpeg"], hasSignature: hasPrefix("\xff\xd8\xff") },
  { types: ["image/gif"], hasSignature: hasPrefix("GIF87a", "GIF89a") },
  {
    types: ["image/webp"],
    hasSignature: (head) => decodeLatin1(head, 0, 4) === "RIFF" && decodeLatin1(head, 8, 12) === "WEBP",
  },
  { types: ["image/avif", "image/avif-sequence"], hasSignature: hasBrand("avif", "avis") },
  {
    types: ["image/heic", "image/heif", "image/heic-sequence", "image/heif-sequence"],
    hasSignature: hasBrand("heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "mif2", "msf1"),
  },
  { types: ["image/bmp", "image/x-ms-bmp"], hasSignature: hasPrefix("BM") },
  { types: ["image/tiff"], hasSignature: hasPrefix("II*\0", "MM\0*", "II+\0", "MM\0+") },
  {
    types: ["image/x-icon", "image/vnd.microsoft.icon"],
    hasSignature: hasPrefix("\0\0\x01\0", "\0\0\x02\0"),
  },
  { types: ["image/jxl"], hasSignature: hasPrefix("\xff\x0a", "\0\0\0\x0cJXL ") },
  { types: ["image/svg+xml"], hasSignature: isMarkup },
];

/**
 * Returns an error message if a file's first bytes contradict its declared media type, otherwise null. Only
 * checks image formats with a known signature.
 *
 * @param essence Declared media type without parameters.
 * @param head First {@link IMAGE_HEAD_BYTES} bytes of the file, or the whole file if it is shorter.
 */
export function findImageProblem(essence: string, head: Uint8Array): string | null {
  const declared = FORMATS.find(({ types }) => types.includes(essence));
  if (declared === undefined || declared.hasSignature(head)) return null;
  return `is ${essence}, but the uploaded bytes are not`;
}

/** Returns a check for files that begin with one of the signatures. */
function hasPrefix(...signatures: string[]): ImageFormat["hasSignature"] {
  return (head) => signatures.some((signature) => decodeLatin1(head, 0, signature.length) === signature);
}

/** Returns a check for ISO base media files (ISO/IEC 14496-12) with one of the brands in their `ftyp` box. */
function hasBrand(...brands: string[]): ImageFormat["hasSignature"] {
  return (head) => {
    if (decodeLatin1(head, 4, 8) !== "ftyp") return false;
    const end = Math.min(new DataView(head.buffer, head.byteOffset).getUint32(0), head.length);
    for (let offset = 8; offset + 4 <= end; offset += 4) {
      // Skips bytes 12 to 15: they are the version of the major brand, not a brand.
      if (offset !== 12 && brands.includes(decodeLatin1(head, offset, offset + 4))) return true;
    }
    return false;
  };
}

function isMarkup(head: Uint8Array): boolean {
  const text = decodeLatin1(head, 0, head.length);
  // Ignores a byte order mark, and the null bytes of ASCII characters in UTF-16.
  return /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*(?:<|$)/.test(text);
}

/** Decodes bytes as ISO 8859-1, where each byte is the code point of one character. */
function decodeLatin1(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}
