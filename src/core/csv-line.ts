/** Writes CSV lines (RFC 4180) that are safe to open in a spreadsheet. */

/** Formats one line, including its line break. */
export function formatCsvLine(values: readonly unknown[]): string {
  return `${values.map((value) => quoteCell(formatCell(value))).join(",")}\r\n`;
}

/**
 * Formats a value: joins lists of strings with semicolons, writes objects and lists of objects as JSON, and
 * leaves missing values empty.
 */
function formatCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return escapeFormulas(value);
  if (!Array.isArray(value)) return escapeFormulas(JSON.stringify(value));
  if (value.length === 0) return "";
  return escapeFormulas(typeof value[0] === "string" ? value.join(";") : JSON.stringify(value));
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
