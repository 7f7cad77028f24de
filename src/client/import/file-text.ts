// Pure: no I/O, clock or randomness.
import { formatBytes } from "../../core/byte-size.ts";
import { ImportFormatError } from "./import-row.ts";

/** Maximum size of a file. The whole file is read into memory, and each link takes some more. */
export const IMPORT_MAX_BYTES = 64 * 1_024 * 1_024;

/** First characters of files that aren't text, and the kind of file. */
const FOREIGN_STARTS: readonly [start: string, name: string][] = [
  ["PK\u0003\u0004", "a workbook or a ZIP archive"],
  ["\u001f", "a gzip archive"],
  ["%PDF", "a PDF"],
];
const MARKUP = /^\s*<(?:!doctype|html|\?xml)/i;
const BYTE_ORDER_MARK = /^\ufeff/;

const LINE_FEED = 0x0a;

/**
 * Decodes a file in UTF-8. Throws {@link ImportFormatError} for other encodings, because text in a
 * spreadsheet's own character set would become links with broken titles and labels.
 */
export function decodeFile(bytes: Uint8Array): string {
  if (bytes.length > IMPORT_MAX_BYTES) throw createSizeError();
  try {
    return decodeStrictly(bytes);
  } catch {
    // If the file is of another known kind, an error that names the kind is more helpful than a byte's
    // position.
    normalizeText(new TextDecoder().decode(bytes));
  }
  throw new ImportFormatError(
    `line ${findForeignLine(bytes)}: the file is not UTF-8; in Excel, save it as "CSV UTF-8"`,
  );
}

function decodeStrictly(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
}

/** Returns the first line that isn't valid UTF-8. Multi-byte characters contain no line feed bytes. */
function findForeignLine(bytes: Uint8Array): number {
  let start = 0;
  for (let line = 1; ; line++) {
    const feed = bytes.indexOf(LINE_FEED, start);
    try {
      decodeStrictly(bytes.subarray(start, feed === -1 ? undefined : feed));
    } catch {
      return line;
    }
    if (feed === -1) return line;
    start = feed + 1;
  }
}

function createSizeError(): ImportFormatError {
  return new ImportFormatError(
    `the file is larger than ${formatBytes(IMPORT_MAX_BYTES)}; split it into smaller files`,
  );
}

/**
 * Returns a file's text without a byte order mark and with LF line endings. Throws {@link ImportFormatError}
 * if the file is too large or isn't UTF-8 text.
 */
export function normalizeText(text: string): string {
  // Each character takes at least one byte.
  if (text.length > IMPORT_MAX_BYTES) throw createSizeError();
  const known = FOREIGN_STARTS.find(([start]) => text.startsWith(start))?.[1];
  const name = MARKUP.test(text) ? "a page of HTML or XML" : known;
  if (name !== undefined) throw new ImportFormatError(`line 1: found ${name}, expected CSV, JSON or SQL`);
  // UTF-16 text that was decoded as UTF-8 has a NUL next to each letter.
  if (text.slice(0, 1_000).includes("\0")) {
    throw new ImportFormatError("line 1: this is not a text file; expected CSV, JSON or SQL in UTF-8");
  }
  return text.replace(BYTE_ORDER_MARK, "").replace(/\r\n?/g, "\n");
}
