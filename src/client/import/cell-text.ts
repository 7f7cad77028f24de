/** Texts of CSV cells, as spreadsheets and exports write them. */

/**
 * Apostrophe that an export puts before what a spreadsheet would run as a formula: at the start of a cell, and after what
 * can start a cell in it (OWASP, CSV Injection).
 */
const FORMULA_GUARD = /(^|[;\t\r\n])'(?=[\s"']*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;
/** Apostrophe by which a spreadsheet keeps digits as text: `'0123`. */
const DIGITS_GUARD = /^'(?=\d[\d.,]*$)/;
/** Formula by which an export keeps digits as text: `="0123"`. */
const TEXT_FORMULA = /^="((?:[^"]|"")*)"$/;

/** Returns the text that a cell means, without the guards of spreadsheets and without white space around it. */
export function cleanCell(cell: string): string {
  const text = cell.trim();
  const formula = TEXT_FORMULA.exec(text)?.[1];
  if (formula !== undefined) return formula.replaceAll('""', '"').trim();
  if (!text.includes("'")) return text;
  return text.replace(FORMULA_GUARD, "$1").replace(DIGITS_GUARD, "").trim();
}

/** Returns the key by which names of columns are compared: `Long URL`, `long_url` and `longUrl` are one. */
export function toColumnKey(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

const TRUE_WORDS = new Set(["true", "yes", "y", "1", "on"]);
const FALSE_WORDS = new Set(["false", "no", "n", "0", "off", ""]);

/** Parses yes or no in the words of spreadsheets and exports. Returns null for any other text. */
export function parseFlag(text: string): boolean | null {
  const word = text.trim().toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : null;
}

/** Splits the labels of a cell: a list as JSON, or texts between semicolons, bars, line breaks or, without these, commas. */
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
