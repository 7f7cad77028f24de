import type { ResourceType } from "../audit/resource-type.ts";
import { generateUuidv7 } from "../core/id.ts";
import { DAY_MS } from "../core/time.ts";
import { sql } from "./sql.ts";

/** Actor shown in the audit log for changes made with `npm run admin`. */
const ACTOR = { id: "admin", name: "admin command" };

/**
 * Returns the statement that adds an audit log entry. Run it in the same transaction as the change: after
 * a creation, otherwise before the change. `rows` is a query for `workspace_id`, `resource_id` and
 * `changes` (JSON) of each resource. Each statement has its own request ID. Commands don't count towards the
 * workspace's budget (`tenant/write-budget.ts`), but continue its sum.
 */
export function buildEntry(
  operation: string,
  resourceType: ResourceType | "deployment",
  rows: string,
): string {
  const nowMs = Date.now();
  // The end of an ID is random for each row.
  const id = generateUuidv7(nowMs).slice(0, -12);
  return `${sql`INSERT INTO audit_log (workspace_id, id, at, actor_type, actor_id, actor_name, operation, resource_type,
                                       resource_id, request_id, changes, day_bytes)
                SELECT workspace_id, ${id} || lower(hex(randomblob(6))), ${nowMs}, 'admin', ${ACTOR.id}, ${ACTOR.name}, ${operation}, ${resourceType},
                       resource_id, ${generateUuidv7(nowMs)}, changes,
                       coalesce((SELECT iif(at / ${DAY_MS} = ${nowMs} / ${DAY_MS}, day_bytes, 0) FROM audit_log AS last
                                  WHERE last.workspace_id = entry.workspace_id ORDER BY last.id DESC LIMIT 1), 0)
                  FROM (`}${rows}) AS entry`;
}

/**
 * Workspace id of audit log entries that concern the whole deployment. Only `npm run admin -- log` shows these
 * entries.
 */
export const DEPLOYMENT_ID = "deployment";

/** Returns the statement that logs a command about something that belongs to no workspace. */
export function buildOperatorEntry(operation: string, resource: string): string {
  return buildEntry(
    operation,
    "deployment",
    sql`SELECT ${DEPLOYMENT_ID} AS workspace_id, ${resource} AS resource_id, '{}' AS changes`,
  );
}

/**
 * Returns the SQL expression for the changes logged when a resource is created. `fields` maps the names
 * of its fields to SQL expressions.
 */
export function buildCreation(fields: Readonly<Record<string, string>>): string {
  return buildChanges(fields, (value) => `json_array(NULL, ${value})`);
}

/** Returns the SQL expression for the changes logged when a resource is deleted. */
export function buildRemoval(fields: Readonly<Record<string, string>>): string {
  return buildChanges(fields, (value) => `json_array(${value}, NULL)`);
}

function buildChanges(fields: Readonly<Record<string, string>>, format: (value: string) => string): string {
  return `json_object(${Object.entries(fields)
    .map(([name, value]) => `'${name}', ${format(value)}`)
    .join(", ")})`;
}

/** Returns the SQL expression that formats a column of Unix milliseconds as ISO 8601. */
export function showTime(column: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`;
}
