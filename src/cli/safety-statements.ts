import { toIso } from "../core/time.ts";
import { buildEntry, buildOperatorEntry, showTime } from "./audit-statements.ts";
import { sql } from "./sql.ts";

/** Statements that stop and release links, workspaces and destinations. Each list is one transaction. */

/** Returns the directory's statements that suspend or resume a workspace. The last one returns the workspace. */
export function buildSuspension(slug: string, isSuspended: boolean): string[] {
  const nowMs = Date.now();
  const changed = sql`slug = ${slug} AND slug NOT LIKE 'deleted:%' AND suspended_at IS `;
  const selected = `${changed}${isSuspended ? "NULL" : "NOT NULL"}`;
  return [
    buildEntry(
      isSuspended ? "workspace suspend" : "workspace resume",
      "workspace",
      `SELECT id AS workspace_id, id AS resource_id, ${logTime("suspended_at", isSuspended, nowMs)} AS changes
         FROM workspaces WHERE ${selected}`,
    ),
    `${sql`UPDATE workspaces SET suspended_at = ${isSuspended ? nowMs : null}`} WHERE ${selected}`,
    sql`SELECT id, slug, name, suspended_at FROM workspaces WHERE slug = ${slug}`,
  ];
}

/** Columns of a link in the trash. Its short code and destination are needed to find and to show it. */
const TRASHED_COLUMNS = `workspace_id, item_id AS id, item ->> 'short_code' AS short_code,
  item ->> 'code_key' AS code_key, item ->> 'destination' AS destination, item ->> 'banned_at' AS banned_at`;

/** Subquery for all links of a shard, with the links in the trash. */
export const ALL_LINKS = `(SELECT workspace_id, id, short_code, code_key, destination, banned_at FROM links
  UNION ALL SELECT ${TRASHED_COLUMNS} FROM trash WHERE kind = 'link')`;

/** Returns the shard's statements that ban or unban a link, also in the trash. */
export function buildBan(linkId: string, isBanned: boolean): string[] {
  const nowMs = Date.now();
  const time = isBanned ? nowMs : null;
  const former = isBanned ? "IS NULL" : "IS NOT NULL";
  return [
    buildEntry(
      isBanned ? "link ban" : "link unban",
      "link",
      `SELECT workspace_id, id AS resource_id, ${logTime("banned_at", isBanned, nowMs)} AS changes
         FROM ${ALL_LINKS} WHERE ${sql`id = ${linkId}`} AND banned_at ${former}`,
    ),
    `${sql`UPDATE links SET banned_at = ${time} WHERE id = ${linkId}`} AND banned_at ${former}`,
    `${sql`UPDATE trash SET item = json_set(item, '$.banned_at', ${time}) WHERE item_id = ${linkId} AND kind = 'link'`}
       AND item ->> 'banned_at' ${former}`,
  ];
}

/** Returns the directory's statements that block or unblock a host. A host that is replaced gets a new number. */
export function buildBlock(hostname: string, isBlocked: boolean): string[] {
  return [
    buildOperatorEntry(isBlocked ? "destination block" : "destination unblock", hostname),
    sql`INSERT OR REPLACE INTO blocked_hosts (hostname, is_blocked, changed_at)
        VALUES (${hostname}, ${Number(isBlocked)}, ${Date.now()})`,
  ];
}

/**
 * Returns a shard's statement that copies a change of {@link buildBlock}. Leaves the number to the cron, which
 * copies all changes after the last number and so also finds a change whose command was interrupted.
 */
export function buildBlockCopy(hostname: string, isBlocked: boolean): string {
  return sql`INSERT INTO blocked_hosts (hostname, is_blocked) VALUES (${hostname}, ${Number(isBlocked)})
             ON CONFLICT (hostname) DO UPDATE SET is_blocked = excluded.is_blocked`;
}

function logTime(column: string, isSet: boolean, nowMs: number): string {
  return `json_object('${column}', json_array(${showTime(column)}, ${sql`${isSet ? toIso(nowMs) : null}`}))`;
}
