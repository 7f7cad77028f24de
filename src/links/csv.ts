import { toIso, toIsoOrNull } from "../core/time.ts";
import type { Link } from "./links.ts";

const COLUMNS = [
  "id",
  "short_url",
  "short_code",
  "destination",
  "enabled",
  "labels",
  "routing_rules",
  "scan_count",
  "last_scan_at",
  "expires_at",
  "created_at",
  "updated_at",
];

/** First line of the export. */
export const CSV_HEADER = `${COLUMNS.join(",")}\r\n`;

/** A link as one line of CSV (RFC 4180). */
export function csvLine(link: Link, shortUrl: string): string {
  const cells = [
    link.id,
    shortUrl,
    link.shortCode,
    link.destination,
    String(link.enabled),
    asText(link.labels.join(";")),
    link.routingRules.length === 0 ? "" : JSON.stringify(link.routingRules),
    String(link.scanCount),
    toIsoOrNull(link.lastScanAt) ?? "",
    toIsoOrNull(link.expiresAt) ?? "",
    toIso(link.createdAt),
    toIso(link.updatedAt),
  ];
  return `${cells.map(quoted).join(",")}\r\n`;
}

/**
 * A spreadsheet runs a cell that begins like a formula; an apostrophe makes it text. Also after a semicolon: where the
 * decimal sign is a comma, a spreadsheet takes that for the end of a cell.
 */
function asText(cell: string): string {
  return cell.replace(/(^|;)(?=[=+\-@\t\r])/g, "$1'");
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
