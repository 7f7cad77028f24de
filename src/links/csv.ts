import { LINK_RESPONSE_NAMES, type LinkResponse } from "./link-response.ts";

/** First line of the export: the names of the fields. */
export const CSV_HEADER = `${LINK_RESPONSE_NAMES.join(",")}\r\n`;

/** Formats a link as one line of CSV (RFC 4180). */
export function formatCsvLine(link: LinkResponse): string {
  const cells = LINK_RESPONSE_NAMES.map((name) => quoteCell(formatCell(link[name])));
  return `${cells.join(",")}\r\n`;
}

/** Formats a value: lists of texts are joined by semicolons, lists of objects are JSON, missing values are empty. */
function formatCell(value: LinkResponse[keyof LinkResponse]): string {
  if (!Array.isArray(value)) return String(value ?? "");
  if (value.length === 0) return "";
  return typeof value[0] === "string" ? escapeFormulas(value.join(";")) : JSON.stringify(value);
}

/**
 * Puts an apostrophe before texts that a spreadsheet would run as a formula. A semicolon starts such a text too, because
 * spreadsheets with a decimal comma use it as separator.
 */
function escapeFormulas(cell: string): string {
  return cell.replace(/(^|;)(?=[=+\-@\t\r])/g, "$1'");
}

function quoteCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
