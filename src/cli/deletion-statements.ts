import { formatDeletedName } from "../tenant/deleted-name.ts";
import { HELD_MS } from "../tenant/reserved-names.ts";
import { buildEntry } from "./audit-statements.ts";
import { sql } from "./sql.ts";

/**
 * Returns the directory statements that delete a workspace. Its keys, short hosts and bio page URLs stop
 * working immediately. The cron erases everything else later.
 */
export function buildDeletion(id: string, slug: string, nowMs: number): string[] {
  const deleted = sql`SELECT id AS workspace_id, id AS resource_id,
                             json_object('slug', json_array(slug, NULL), 'name', json_array(name, NULL)) AS changes
                        FROM workspaces WHERE id = ${id}`;
  return [
    // This entry stays until the cron erases the workspace's audit log too.
    buildEntry("workspace delete", "workspace", deleted),
    sql`DELETE FROM api_keys WHERE workspace_id = ${id}`,
    // The time 0 makes the next sweep (a clean-up by the cron) delete the hosts' copies on the shards.
    ...buildHostRemoval(sql`workspace_id = ${id}`, 0),
    sql`INSERT INTO held_names (name, rule, workspace_id, held_until)
        SELECT '/' || slug, 'used', workspace_id, ${nowMs + HELD_MS} FROM bio_slugs WHERE workspace_id = ${id}
            ON CONFLICT (name) DO UPDATE SET rule = 'used', workspace_id = excluded.workspace_id,
                                             held_until = excluded.held_until WHERE rule <> 'reserved'`,
    sql`DELETE FROM bio_slugs WHERE workspace_id = ${id}`,
    sql`UPDATE workspaces SET slug = ${formatDeletedName(slug, nowMs)}, name = '', description = '' WHERE id = ${id}`,
  ];
}

/**
 * Returns the statements that remove hosts from their workspaces, and mark the hosts' copies on the shards
 * for deletion by a sweep.
 */
export function buildHostRemoval(condition: string, unsettledAtMs: number): string[] {
  return [
    `INSERT INTO unsettled_hosts (hostname, number, unsettled_at)
     SELECT hostname, number, ${unsettledAtMs} FROM domains WHERE ${condition}
         ON CONFLICT (hostname) DO UPDATE SET number = excluded.number, unsettled_at = excluded.unsettled_at`,
    `DELETE FROM domains WHERE ${condition}`,
  ];
}

/** Returns the shard statement that stops a deleted workspace's webhook deliveries before they are erased. */
export function buildWebhookStop(id: string): string {
  return sql`UPDATE webhooks SET enabled = FALSE WHERE workspace_id = ${id}`;
}

/**
 * Returns the shard statement that ends an interrupted import, so that the erasure of its bio pages also finds their
 * counts.
 */
export function buildImportEnd(id: string): string {
  return sql`DELETE FROM transits WHERE workspace_id = ${id}`;
}
