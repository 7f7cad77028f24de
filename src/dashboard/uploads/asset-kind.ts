// Pure: no I/O, clock or randomness.

/** Determines the kind of a file, and what can be done with it. */

/** Fields of an asset that these functions need. */
export interface KindOfFile {
  mime_type: string;
  file_size: number;
  public_url: string | null;
}

/** Kinds in the order in which filters list them. */
export const ASSET_KINDS = ["image", "document", "video", "audio", "other"] as const;
export type AssetKind = (typeof ASSET_KINDS)[number];

const DOCUMENT =
  /^text\/|^application\/(?:pdf|rtf|json|msword|vnd\.(?:openxmlformats|oasis|ms-(?:excel|powerpoint)))/;

export function findKind(mimeType: string): AssetKind {
  const type = mimeType.split("/", 1)[0];
  if (type === "image" || type === "video" || type === "audio") return type;
  return DOCUMENT.test(mimeType) ? "document" : "other";
}

/** Image types that every browser can show. SVG isn't included, because the CDN serves it as a download. */
const SHOWN = /^image\/(?:png|jpeg|gif|webp|avif)(?:;|$)/;

/** Returns true if browsers can show the file as an image. */
export function isPicture(mimeType: string): boolean {
  return SHOWN.test(mimeType);
}

/** Image types that a QR code supports as its logo. */
const LOGO_TYPES = /^image\/(?:png|jpeg|gif|webp)(?:;|$)/;
const LOGO_MAX_BYTES = 1_048_576;

/** Returns true if an asset can be used as the logo of a QR code. */
export function isLogo({ mime_type: type, file_size: bytes }: KindOfFile): boolean {
  return LOGO_TYPES.test(type) && bytes <= LOGO_MAX_BYTES;
}

/** Maximum file size that the service accepts. */
export const FILE_MAX_BYTES = 100_000_000;

/** Returns the reason why a file can't be uploaded, or null. Checking here avoids a call that would fail. */
export function findFileFault({ size }: { size: number }): string | null {
  if (size === 0) return "This file is empty.";
  return size > FILE_MAX_BYTES ? "This file is larger than the 100 MB maximum." : null;
}

/** Returns the display name of a file's type: the file extension, or else the subtype of the media type. */
export function nameType(filename: string, mimeType: string): string {
  const [, extension] = /\.([a-z0-9]{1,5})$/i.exec(filename) ?? [];
  const subtype = mimeType.split(";", 1)[0]?.split("/")[1] ?? "";
  return (extension ?? subtype.replace(/^(?:x-|vnd\.).*$/, "file")).toUpperCase();
}
