// Pure: no I/O, clock or randomness.
import { formatBytes } from "../../../../core/byte-size.ts";
import type { RuleBody } from "../rules/rule-draft.ts";
import { formatMoment, writeSentence } from "../rules/rule-texts.ts";

/** Describes changes of a link for the history tab. */

/** Change of a field, as texts that were removed and added. */
export interface FieldChange {
  field: string;
  label: string;
  removed: string[];
  added: string[];
}

/** Changes by field as the API returns them: `[before, after]`. */
export type Changes = Readonly<Record<string, readonly unknown[]>>;

const LABELS: Readonly<Record<string, string>> = {
  banned_at: "Banned since",
  short_code: "Short code",
  destination: "Destination",
  enabled: "Enabled",
  labels: "Labels",
  routing_rules: "Rules",
  expires_at: "Expires",
  title: "Title",
  note: "Note",
  archived: "Archived",
  starts_at: "Starts",
  early_url: "Destination before start",
  expired_url: "Destination after expiry",
  max_scans: "Scan limit",
  has_password: "Password protected",
  password: "Password",
  preview: "Preview",
  forward_query: "Forward query parameters",
  confirm: "Ask before opening",
  qr_template_id: "QR template",
  imported_scans: "Imported scans",
};

const TIMES: ReadonlySet<string> = new Set(["banned_at", "expires_at", "starts_at"]);
/** Fields that a revert can't restore, or that never change. */
const LOST: ReadonlySet<string> = new Set(["short_code", "has_password", "password"]);

/** Describes the changed fields of a history entry. */
export function describeChanges(changes: Changes, timeZone?: string): FieldChange[] {
  return Object.entries(changes)
    .filter(isShown)
    .map(([field, [before, after]]) => {
      const removed = listTexts(field, before, timeZone);
      const added = listTexts(field, after, timeZone);
      const isList = Array.isArray(before) && Array.isArray(after);
      return {
        field,
        label: LABELS[field] ?? field,
        // For lists, only shows the elements that differ.
        removed: isList ? removed.filter((text) => !added.includes(text)) : removed,
        added: isList ? added.filter((text) => !removed.includes(text)) : added,
      };
    });
}

/** Returns false for fields that a creation left at their default: null before, and nothing after. */
function isShown([, [before, after]]: [string, readonly unknown[]]): boolean {
  return before !== null || !(Array.isArray(after) ? after.length === 0 : after === false || after === 0);
}

/** Returns true if only the order of a list changed. */
export function isReordering({ removed, added }: FieldChange): boolean {
  return removed.length === 0 && added.length === 0;
}

function listTexts(field: string, value: unknown, timeZone?: string): string[] {
  if (value === null || value === undefined || value === "") return [];
  if (field === "routing_rules" && Array.isArray(value))
    return value.map((rule) => writeSentence(rule as RuleBody, timeZone));
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === "boolean") return [value ? "yes" : "no"];
  if (TIMES.has(field)) return [formatMoment(String(value), timeZone)];
  const { omitted_bytes } = value as { omitted_bytes?: number };
  if (omitted_bytes !== undefined) return [`long value (${formatBytes(omitted_bytes)})`];
  if (typeof value === "object") return Object.values(value).filter(Boolean).map(String);
  return [String(value)];
}

const OPERATIONS: Readonly<Record<string, string>> = {
  createLink: "created this link",
  bulkCreateLinks: "created this link in bulk",
  updateLink: "changed this link",
  upsertLink: "saved this link with an ID from your system",
  bulkUpdateLinks: "changed this link in bulk",
  bulkUpdateLinkStatus: "changed this link in bulk",
  revertLink: "reverted a change",
  deleteLink: "deleted this link",
  restoreLink: "restored this link",
};

/** Describes an operation by its id, such as `updateLink`. Unknown ids are returned unchanged. */
export function describeOperation(operation: string): string {
  return OPERATIONS[operation] ?? operation;
}

/** Returns false for creations, and for changes that only affect an existing password. */
export function isRevertible(changes: Changes): boolean {
  if (changes.short_code !== undefined) return false;
  const wasUnprotected = changes.has_password?.[0] === false;
  return wasUnprotected || Object.keys(changes).some((field) => !LOST.has(field));
}

/**
 * Returns the request body that undoes a revert: the link's current values of the changed fields. Passwords
 * can't be restored.
 */
export function buildRestore(
  link: Readonly<Record<string, unknown>>,
  changes: Changes,
): Record<string, unknown> {
  const fields = Object.keys(changes).filter((field) => !LOST.has(field) && field in link);
  return Object.fromEntries(fields.map((field) => [field, link[field]]));
}
