// Pure: no I/O, clock or randomness.
import { SOURCE_NAMES, type SourceName } from "../../../client/import/import-row.ts";
import { CONFLICT_WAYS, type OnConflict } from "../../../client/import/plan-import.ts";
import { LABELS_MAX } from "../../../links/link-limits.ts";
import { readChoice } from "../../address/query-state.ts";
import { LINE_STATES, type LineFilter } from "./plan-lines.ts";

/** State of the import screen in the page's URL. */

export const IMPORT_TABS = [
  { name: "import", label: "Import" },
  { name: "export", label: "Export" },
] as const;

export type ImportTab = (typeof IMPORT_TABS)[number]["name"];

/** Source that the user chose. With `auto`, it is detected from the file. */
export type SourceChoice = SourceName | "auto";

/** Options of the import in the page's URL. */
export interface ImportChoices {
  source: SourceChoice;
  onConflict: OnConflict;
  /** Labels to add to all imported links. */
  labels: string[];
  /** Filter of the rows that the plan lists. */
  shown: LineFilter;
}

/** Reads the shown tab from a query string. */
export function readTab(query: string): ImportTab {
  return readChoice(query, "tab", ["import", "export"]);
}

/** Reads the import options from a query string. */
export function readChoices(query: string): ImportChoices {
  const labels = new URLSearchParams(query).get("labels") ?? "";
  return {
    source: readChoice(query, "source", ["auto", ...SOURCE_NAMES]),
    onConflict: readChoice(query, "conflict", CONFLICT_WAYS),
    labels: readLabels(labels),
    shown: readChoice(query, "show", ["all", ...LINE_STATES]),
  };
}

/** Splits at commas. The label field ends a label at a comma, so no label contains one. */
function readLabels(text: string): string[] {
  const labels = text.split(",").map((label) => label.trim());
  return [...new Set(labels.filter((label) => label !== ""))].slice(0, LABELS_MAX);
}
