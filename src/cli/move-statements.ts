import { buildEntry } from "./audit-statements.ts";
import { sql } from "./sql.ts";

/**
 * Returns the statements that log and request the move of a workspace to a shard. The second statement
 * returns no row if the workspace doesn't exist, is already on the shard, or is being moved.
 */
export function buildMoveRequest(slug: string, shard: number, nowMs: number): [log: string, request: string] {
  const movable = sql`FROM workspaces
              WHERE slug = ${slug} AND shard <> ${shard} AND slug NOT GLOB 'deleted:*'
                AND NOT EXISTS (SELECT 1 FROM workspace_moves
                                 WHERE workspace_id = workspaces.id AND phase <> 'done')`;
  const moved = sql`SELECT id AS workspace_id, id AS resource_id,
                           json_object('shard', json_array(shard, ${shard})) AS changes `;
  return [
    buildEntry("workspace move", "workspace", moved + movable),
    `${sql`INSERT INTO workspace_moves (workspace_id, from_shard, to_shard, phase, requested_at)
           SELECT id, shard, ${shard}, 'wanted', ${nowMs} `}${movable} RETURNING id`,
  ];
}

/** Returns the statement that reads a workspace's shard and its unfinished move, if any. */
export function buildMoveLookup(slug: string): string {
  return sql`SELECT w.shard, m.id, m.to_shard FROM workspaces w
               LEFT JOIN workspace_moves m ON m.workspace_id = w.id AND m.phase <> 'done'
              WHERE w.slug = ${slug} AND w.slug NOT GLOB 'deleted:*'`;
}

/** Returns the statement that reads the progress of a move. */
export function buildMoveStatus(id: number): string {
  return sql`SELECT m.id, m.workspace_id, m.from_shard, m.to_shard, m.phase, m.progress, m.requested_at, m.moved_at
               FROM workspace_moves m WHERE m.id = ${id}`;
}
