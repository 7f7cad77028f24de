/** Writes CSV lines (RFC 4180) that are safe to open in a spreadsheet. */

/** Formats one line, including its line break. */
export function formatCsvLine(values: readonly unknown[]): string {
  return `${values.map(formatCell).join(",")}\r\n`;
}

/** Matches text that needs neither quotes nor an apostrophe, as most cells of an export. */
const PLAIN = /^[\w/:][^",;\t\r\n]*$/;

/** Formats a value as a cell. */
function formatCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = formatText(value);
  return text === "" || PLAIN.test(text) ? text : quoteCell(escapeFormulas(text));
}

/** Joins lists of strings with semicolons, and writes objects and lists of objects as JSON. */
function formatText(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  if (value.length === 0) return "";
  return typeof value[0] === "string" ? value.join(";") : JSON.stringify(value);
}

/**
 * Matches text that a spreadsheet may run as a formula, including after spaces and quotes and in full-width
 * characters (OWASP, CSV Injection). A cell may also start after a semicolon, tab or line break: spreadsheets
 * with a decimal comma separate cells by semicolons, and then ignore quotes within a cell.
 */
const FORMULA_START = /(^|[;\t\r\n])(?=[\s"']*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

/** Puts an apostrophe before each possible formula, so that a spreadsheet shows it as text. */
function escapeFormulas(cell: string): string {
  return cell.replace(FORMULA_START, "$1'");
}

function quoteCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
