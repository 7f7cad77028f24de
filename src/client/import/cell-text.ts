// Pure: no I/O, clock or randomness.

/** Parses CSV cells as spreadsheets and exports write them. */

/**
 * Apostrophe that an export adds so that spreadsheets don't run text as a formula: at the start of a cell,
 * and after characters in the cell that a spreadsheet could treat as the start of another cell (OWASP, CSV
 * Injection).
 */
const FORMULA_GUARD = /(^|[;\t\r\n])'(?=[\s"']*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;
/** Apostrophe that makes spreadsheets keep digits as text: `'0123`. */
const DIGITS_GUARD = /^'(?=\d[\d.,]*$)/;
/** Formula that makes spreadsheets keep digits as text: `="0123"`. */
const TEXT_FORMULA = /^="((?:[^"]|"")*)"$/;

/** Returns the actual text of a cell, without spreadsheet guards and surrounding white space. */
export function cleanCell(cell: string): string {
  const text = cell.trim();
  const formula = TEXT_FORMULA.exec(text)?.[1];
  if (formula !== undefined) return formula.replaceAll('""', '"').trim();
  if (!text.includes("'")) return text;
  return text.replace(FORMULA_GUARD, "$1").replace(DIGITS_GUARD, "").trim();
}

/** Returns the key for comparing column names: `Long URL`, `long_url` and `longUrl` have the same key. */
export function toColumnKey(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

const TRUE_WORDS = new Set(["true", "yes", "y", "1", "on"]);
const FALSE_WORDS = new Set(["false", "no", "n", "0", "off", ""]);

/** Parses yes or no as written by spreadsheets and exports. Returns null for other text. */
export function parseFlag(text: string): boolean | null {
  const word = text.trim().toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : null;
}

/**
 * Splits the labels in a cell: a JSON array, or text separated by semicolons, bars, line breaks or, if there
 * are none of these, commas.
 */
export function splitLabels(text: string): string[] {
  const listed = text.startsWith("[") ? parseList(text) : null;
  if (listed !== null) return listed;
  const separator = [/;/, /\|/, /\n/].find((mark) => mark.test(text)) ?? /,/;
  return text.split(separator);
}

function parseList(text: string): string[] | null {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((item) => typeof item === "string") : null;
  } catch {
    // A label may begin with a bracket.
    return null;
  }
}
