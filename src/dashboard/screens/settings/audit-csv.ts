// Pure: no I/O, clock or randomness.
import { formatCsvLine } from "../../../core/csv-line.ts";
import type { Entry } from "./audit-labels.ts";

/** Formats the audit log as CSV (RFC 4180). */

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

/** Returns the header and one line per changed field. An entry without changes has one line. */
export function listAuditLines(entries: readonly Entry[]): string[] {
  const lines = entries.flatMap(({ at, actor, operation, resource, changes, request_id }) => {
    const fields: [string, readonly unknown[]][] = Object.entries(changes);
    const listed = fields.length === 0 ? ([["", []]] as const) : fields;
    return listed.map(([field, [before, after]]) => [
      ...[at, actor.type, actor.id, actor.name, operation, resource.type, resource.id, field],
      ...[toText(before), toText(after), request_id],
    ]);
  });
  return [HEADER, ...lines].map(formatCsvLine);
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
