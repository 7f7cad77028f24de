import { formatBytes } from "../../core/byte-size.ts";
import { ImportFormatError } from "./import-row.ts";

/** Maximum size of a file. All of it is read at once, and each link of it takes some more memory. */
export const IMPORT_MAX_BYTES = 64 * 1_024 * 1_024;

/** Starts of files that are no text, and what they are. */
const FOREIGN_STARTS: readonly [start: string, name: string][] = [
  ["PK\u0003\u0004", "a workbook or a ZIP archive"],
  ["\u001f", "a gzip archive"],
  ["%PDF", "a PDF"],
];
const MARKUP = /^\s*<(?:!doctype|html|\?xml)/i;
const BYTE_ORDER_MARK = /^\ufeff/;

/**
 * Returns the text of a file without a byte order mark and with LF at the end of each line. Throws
 * {@link ImportFormatError} for a file that is too large, or is no text in UTF-8.
 */
export function normalizeText(text: string): string {
  // A character takes at least one byte.
  if (text.length > IMPORT_MAX_BYTES) {
    throw new ImportFormatError(
      `found more than ${formatBytes(IMPORT_MAX_BYTES)}, expected parts of at most this size`,
    );
  }
  const known = FOREIGN_STARTS.find(([start]) => text.startsWith(start))?.[1];
  const name = MARKUP.test(text) ? "a page of HTML or XML" : known;
  if (name !== undefined) throw new ImportFormatError(`line 1: found ${name}, expected CSV or JSON`);
  // UTF-16 read as UTF-8 has a NUL beside each letter.
  if (text.slice(0, 1_000).includes("\0")) {
    throw new ImportFormatError("line 1: found characters that no text has, expected CSV or JSON in UTF-8");
  }
  return text.replace(BYTE_ORDER_MARK, "").replace(/\r\n?/g, "\n");
}
