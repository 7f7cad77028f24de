import type { PlanName } from "./plans.ts";
import { IS_MOVING } from "./workspace-row.ts";

/** Shard and plan of a workspace. */
export interface WorkspaceLocation {
  shard: number;
  plan: PlanName;
  /** True during the last step of a move, which blocks changes. */
  isMoving: boolean;
  /** True if an administrator has suspended the workspace. */
  isSuspended: boolean;
  /** Shards that the workspace has left recently, with the times of the moves. */
  formerShards: readonly FormerShard[];
}

/** Shard that counted a workspace's scans until the given time. */
export interface FormerShard {
  shard: number;
  untilMs: number;
}

// Raw SQL, because callers pass the D1 binding.
const SELECT_LOCATIONS = `
  SELECT id, shard, plan, suspended_at, ${IS_MOVING} AS is_moving,
         (SELECT json_group_array(json_object('shard', from_shard, 'untilMs', moved_at)) FROM workspace_moves
           WHERE workspace_id = w.id AND moved_at IS NOT NULL AND from_shard <> w.shard) AS former_shards
    FROM workspaces AS w WHERE id IN (SELECT value FROM json_each(?1))`;

interface LocationRow {
  id: string;
  shard: number;
  plan: PlanName;
  suspended_at: number | null;
  is_moving: number;
  former_shards: string;
}

/**
 * Returns the shards and plans of workspaces from the directory, by workspace id. Leaves out workspaces that
 * don't exist.
 */
export async function findLocations(
  directory: D1Database,
  workspaceIds: readonly string[],
): Promise<Map<string, WorkspaceLocation>> {
  const { results } = await directory
    .prepare(SELECT_LOCATIONS)
    .bind(JSON.stringify(workspaceIds))
    .all<LocationRow>();
  return new Map(
    results.map(({ id, shard, plan, suspended_at, is_moving, former_shards }) => [
      id,
      {
        shard,
        plan,
        isMoving: is_moving === 1,
        isSuspended: suspended_at !== null,
        formerShards: JSON.parse(former_shards),
      },
    ]),
  );
}
