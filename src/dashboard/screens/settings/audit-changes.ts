// Pure: no I/O, clock or randomness.
import { formatBytes } from "../../../core/byte-size.ts";

/** Formats changed fields of audit log entries for display. */

/** Change of a field: old and new text or, for lists, removed and added items. */
export interface ShownChange {
  field: string;
  /** Null if the field was empty. */
  before: string | null;
  /** Null if the field is empty now. */
  after: string | null;
  /** Items removed from a list. For lists, `before` and `after` are null. */
  removed: readonly string[];
  added: readonly string[];
}

/** Changes by field as the API returns them: `[before, after]`. */
type Changes = Readonly<Record<string, readonly unknown[]>>;

/** Formats the changes of an entry, in the order of the API. */
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

/** Formats a field name, such as `max_scans` as `Max scans`. */
export function formatField(field: string): string {
  const text = field
    .replaceAll("_", " ")
    .replace(/\burl\b/, "URL")
    .replace(/\bid\b/, "ID");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

/** Formats a value. Returns null for an empty one. */
export function formatValue(value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (value === "…") return "hidden";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return value.toLocaleString("en-GB");
  if (typeof value === "string") return TIME.test(value) ? formatTime(value) : value;
  if (isTextList(value)) return value.length === 0 ? null : value.join(", ");
  const bytes = (value as { omitted_bytes?: unknown }).omitted_bytes;
  if (typeof bytes === "number") return `long value (${formatBytes(bytes)})`;
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

/** Lists up to three changed fields, followed by the number of further ones. */
export function summarizeFields(changes: Changes): string {
  const names = Object.keys(changes).map((field) => formatField(field).toLowerCase().replace("url", "URL"));
  const more = names.length - SUMMARY_MAX;
  const shown = names.slice(0, SUMMARY_MAX).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}
