import { formatBytes } from "../../../core/byte-size.ts";

/** Changes of fields, as people read them. */

/** Change of a field: from one text to another, or what a list lost and got. */
export interface ShownChange {
  field: string;
  /** Null if there was nothing. */
  before: string | null;
  /** Null if there is nothing any more. */
  after: string | null;
  /** Items of a list. Then `before` and `after` are null. */
  removed: readonly string[];
  added: readonly string[];
}

/** Values before and after, by field. */
type Changes = Readonly<Record<string, readonly unknown[]>>;

/** Lists the changes of an entry, in the order of the service. */
export function listChanges(changes: Changes): ShownChange[] {
  return Object.entries(changes).map(([field, [before, after]]) => {
    const name = formatField(field);
    if (isTextList(before) && isTextList(after)) {
      return {
        field: name,
        before: null,
        after: null,
        removed: before.filter((item) => !after.includes(item)),
        added: after.filter((item) => !before.includes(item)),
      };
    }
    return { field: name, before: formatValue(before), after: formatValue(after), removed: [], added: [] };
  });
}

/** Formats the name of a field: `max_scans` as `Max scans`, and words that are none in capitals. */
export function formatField(field: string): string {
  const text = field
    .replaceAll("_", " ")
    .replace(/\burl\b/, "URL")
    .replace(/\bid\b/, "id");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

/** Formats a value. Null for none. */
export function formatValue(value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (value === "…") return "hidden";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return value.toLocaleString("en-GB");
  if (typeof value === "string") return TIME.test(value) ? formatTime(value) : value;
  if (isTextList(value)) return value.length === 0 ? null : value.join(", ");
  const bytes = (value as { omitted_bytes?: unknown }).omitted_bytes;
  if (typeof bytes === "number") return `a document of ${formatBytes(bytes)}`;
  return JSON.stringify(value, null, 2);
}

function formatTime(text: string): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  return date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

const SUMMARY_MAX = 3;

/** Names the fields of changes in a few words. */
export function summarizeFields(changes: Changes): string {
  const names = Object.keys(changes).map((field) => formatField(field).toLowerCase().replace("url", "URL"));
  const more = names.length - SUMMARY_MAX;
  const shown = names.slice(0, SUMMARY_MAX).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}
