import type { Entry } from "./audit-words.ts";

/** Audit log as a table for spreadsheets (RFC 4180). */

const HEADER = [
  "time",
  "actor_type",
  "actor_id",
  "actor",
  "operation",
  "resource_type",
  "resource_id",
  "field",
  "before",
  "after",
  "request_id",
];

/** Returns a line for each changed field, and one for an entry without any. */
export function buildAuditCsv(entries: readonly Entry[]): string {
  const lines = entries.flatMap(({ at, actor, operation, resource, changes, request_id }) => {
    const fields: [string, readonly unknown[]][] = Object.entries(changes);
    const listed = fields.length === 0 ? ([["", []]] as const) : fields;
    return listed.map(([field, [before, after]]) => [
      ...[at, actor.type, actor.id, actor.name, operation, resource.type, resource.id, field],
      ...[toText(before), toText(after), request_id],
    ]);
  });
  return [HEADER, ...lines].map((cells) => `${cells.map(formatCell).join(",")}\r\n`).join("");
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Formats a cell. Spreadsheets would evaluate a text that begins like a formula, so it gets an apostrophe. */
function formatCell(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
