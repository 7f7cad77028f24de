/** CSV (RFC 4180) in lines that are safe to open in a spreadsheet. */

/** Formats a line with its end. */
export function formatCsvLine(values: readonly unknown[]): string {
  return `${values.map((value) => quoteCell(formatCell(value))).join(",")}\r\n`;
}

/** Formats a value: lists of texts are joined by semicolons, objects and lists of them are JSON, missing values are empty. */
function formatCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return escapeFormulas(value);
  if (!Array.isArray(value)) return escapeFormulas(JSON.stringify(value));
  if (value.length === 0) return "";
  return escapeFormulas(typeof value[0] === "string" ? value.join(";") : JSON.stringify(value));
}

/**
 * Starts of texts that a spreadsheet may run as a formula: after spaces and quotes too, and in full width
 * (OWASP, CSV Injection). A semicolon, tab or line break can start a cell as well: spreadsheets with a decimal comma
 * separate cells by semicolons, and then ignore quotes within a cell.
 */
const FORMULA_START = /(^|[;\t\r\n])(?=[\s"']*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

/** Puts an apostrophe before each start of a formula, so that a spreadsheet shows it as text. */
function escapeFormulas(cell: string): string {
  return cell.replace(FORMULA_START, "$1'");
}

function quoteCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
