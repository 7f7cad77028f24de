/** Kinds of files, and what can be done with each. */

/** Parts of an asset that these rules need. */
export interface KindOfFile {
  mime_type: string;
  file_size: number;
  public_url: string | null;
}

/** Kinds in the order in which filters offer them. */
export const ASSET_KINDS = ["image", "document", "video", "audio", "other"] as const;
export type AssetKind = (typeof ASSET_KINDS)[number];

const DOCUMENT =
  /^text\/|^application\/(?:pdf|rtf|json|msword|vnd\.(?:openxmlformats|oasis|ms-(?:excel|powerpoint)))/;

/** Returns the kind of a file. */
export function findKind(mimeType: string): AssetKind {
  const type = mimeType.split("/", 1)[0];
  if (type === "image" || type === "video" || type === "audio") return type;
  return DOCUMENT.test(mimeType) ? "document" : "other";
}

/** Images that every browser shows. The CDN serves SVG as a download. */
const SHOWN = /^image\/(?:png|jpeg|gif|webp|avif)(?:;|$)/;

/** Returns true if browsers show a file as a picture. */
export function isPicture(mimeType: string): boolean {
  return SHOWN.test(mimeType);
}

/** Images that a QR code can have as its logo. */
const LOGO_TYPES = /^image\/(?:png|jpeg|gif|webp)(?:;|$)/;
const LOGO_MAX_BYTES = 1_048_576;

/** Returns true if a QR code can have an asset as its logo. */
export function isLogo({ mime_type: type, file_size: bytes }: KindOfFile): boolean {
  return LOGO_TYPES.test(type) && bytes <= LOGO_MAX_BYTES;
}

/** Largest file that the service takes. */
export const FILE_MAX_BYTES = 100_000_000;

/** Returns why a file cannot be uploaded, or null. It saves a call that would fail. */
export function findFileFault({ size }: { size: number }): string | null {
  if (size === 0) return "This file is empty.";
  return size > FILE_MAX_BYTES ? "This file has more than 100 MB, the most that one can have." : null;
}

/** Name of a type for people: the end of the file's name, else that of the media type. */
export function nameType(filename: string, mimeType: string): string {
  const [, extension] = /\.([a-z0-9]{1,5})$/i.exec(filename) ?? [];
  const subtype = mimeType.split(";", 1)[0]?.split("/")[1] ?? "";
  return (extension ?? subtype.replace(/^(?:x-|vnd\.).*$/, "file")).toUpperCase();
}
