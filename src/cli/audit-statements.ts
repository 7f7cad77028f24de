import type { ResourceType } from "../audit/resource-type.ts";
import { generateUuidv7 } from "../core/id.ts";
import { sql } from "./sql.ts";

/** Maker of the changes of the admin command, in the log of a workspace. */
const ACTOR = { id: "admin", name: "admin command" };

/**
 * Returns the statement that logs what a command changes in the directory. It belongs in the transaction of the change:
 * before it, or after a creation. `rows` selects `workspace_id`, `resource_id` and `changes` (JSON) of at most one resource.
 * The request id is one that the run of the command has to itself.
 */
export function buildEntry(operation: string, resourceType: ResourceType, rows: string): string {
  const nowMs = Date.now();
  const id = generateUuidv7(nowMs);
  return `${sql`INSERT INTO audit_log (workspace_id, id, at, actor_type, actor_id, actor_name, operation, resource_type,
                                       resource_id, request_id, changes)
                SELECT workspace_id, ${id}, ${nowMs}, 'admin', ${ACTOR.id}, ${ACTOR.name}, ${operation}, ${resourceType},
                       resource_id, ${generateUuidv7(nowMs)}, changes FROM (`}${rows})`;
}

/** Returns the SQL expression for the changes of a resource that is created, by the expressions for its fields. */
export function buildCreation(fields: Readonly<Record<string, string>>): string {
  return buildChanges(fields, (value) => `json_array(NULL, ${value})`);
}

/** Returns the SQL expression for the changes of a resource that is deleted. */
export function buildRemoval(fields: Readonly<Record<string, string>>): string {
  return buildChanges(fields, (value) => `json_array(${value}, NULL)`);
}

function buildChanges(fields: Readonly<Record<string, string>>, format: (value: string) => string): string {
  return `json_object(${Object.entries(fields)
    .map(([name, value]) => `'${name}', ${format(value)}`)
    .join(", ")})`;
}

/** Returns the SQL expression for a column of times, as ISO 8601. */
export function showTime(column: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`;
}
