import type { PlanName } from "./plans.ts";

/** Shard that keeps a workspace, and its plan. */
export interface WorkspacePlace {
  shard: number;
  plan: PlanName;
  /** True while the last step of a move holds up changes. */
  isMoving: boolean;
  /** Shards that the workspace left lately, each with the time of the move. */
  formerShards: readonly FormerShard[];
}

/** Shard that counted the scans of a workspace up to a time. */
export interface FormerShard {
  shard: number;
  untilMs: number;
}

// Raw SQL: consumers of queues prepare their statements without Drizzle.
const SELECT_PLACES = `
  SELECT id, shard, plan,
         EXISTS (SELECT 1 FROM workspace_moves
                  WHERE workspace_id = w.id AND phase <> 'done' AND phase = 'fence') AS is_moving,
         (SELECT json_group_array(json_object('shard', from_shard, 'untilMs', moved_at)) FROM workspace_moves
           WHERE workspace_id = w.id AND moved_at IS NOT NULL AND from_shard <> w.shard) AS former_shards
    FROM workspaces AS w WHERE id IN (SELECT value FROM json_each(?1))`;

interface PlaceRow {
  id: string;
  shard: number;
  plan: PlanName;
  is_moving: number;
  former_shards: string;
}

/** Returns the places of those of the workspaces that exist, by id, from the directory. */
export async function findPlaces(
  directory: D1Database,
  workspaceIds: readonly string[],
): Promise<Map<string, WorkspacePlace>> {
  const { results } = await directory
    .prepare(SELECT_PLACES)
    .bind(JSON.stringify(workspaceIds))
    .all<PlaceRow>();
  return new Map(
    results.map(({ id, shard, plan, is_moving, former_shards }) => [
      id,
      { shard, plan, isMoving: is_moving === 1, formerShards: JSON.parse(former_shards) },
    ]),
  );
}
