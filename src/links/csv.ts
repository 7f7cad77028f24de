import { formatCsvLine } from "../core/csv-line.ts";
import { LINK_RESPONSE_NAMES, type LinkResponse } from "./link-response.ts";

/** Header line of the CSV export. */
export const CSV_HEADER = formatCsvLine(LINK_RESPONSE_NAMES);

/** Formats a link as one line of the CSV export. */
export function formatLinkLine(link: LinkResponse): string {
  // As JSON, because aliases may contain semicolons.
  const aliases = link.aliases.length === 0 ? "" : JSON.stringify(link.aliases);
  return formatCsvLine(LINK_RESPONSE_NAMES.map((name) => (name === "aliases" ? aliases : link[name])));
}
