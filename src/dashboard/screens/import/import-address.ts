import { SOURCE_NAMES, type SourceName } from "../../../client/import/import-row.ts";
import { CONFLICT_WAYS, type OnConflict } from "../../../client/import/plan-import.ts";
import { LABELS_MAX } from "../../../links/link-limits.ts";
import { readChoice } from "../../address/query-state.ts";
import { LINE_STATES, type LineFilter } from "./plan-lines.ts";

/** State of the screen in its address. */

export const IMPORT_TABS = [
  { name: "import", label: "Import" },
  { name: "export", label: "Export" },
] as const;

export type ImportTab = (typeof IMPORT_TABS)[number]["name"];

/** Source that a person chose. `auto` leaves it to the file. */
export type SourceChoice = SourceName | "auto";

/** Choices of the import, as the address has them. */
export interface ImportChoices {
  source: SourceChoice;
  onConflict: OnConflict;
  /** Labels for all imported links. */
  labels: string[];
  /** Lines of the plan that are listed. */
  shown: LineFilter;
}

/** Reads which tab is shown. */
export function readTab(query: string): ImportTab {
  return readChoice(query, "tab", ["import", "export"]);
}

/** Reads the choices of the import. */
export function readChoices(query: string): ImportChoices {
  const labels = new URLSearchParams(query).get("labels") ?? "";
  return {
    source: readChoice(query, "source", ["auto", ...SOURCE_NAMES]),
    onConflict: readChoice(query, "conflict", CONFLICT_WAYS),
    labels: readLabels(labels),
    shown: readChoice(query, "show", ["all", ...LINE_STATES]),
  };
}

/** Labels are parted by commas, which a field for labels takes for the end of one. */
function readLabels(text: string): string[] {
  const labels = text.split(",").map((label) => label.trim());
  return [...new Set(labels.filter((label) => label !== ""))].slice(0, LABELS_MAX);
}
