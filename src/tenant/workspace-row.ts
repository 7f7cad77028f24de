import type { PlanName } from "./plans.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Condition that is true during the last step of a move of the workspace `w`. `phase <> 'done'` lets SQLite
 * use the index of unfinished moves.
 */
export const IS_MOVING = `EXISTS (SELECT 1 FROM workspace_moves
           WHERE workspace_id = w.id AND phase <> 'done' AND phase = 'fence')`;

/** Columns of a workspace `w`, with its hosts, the primary domain first. */
export const WORKSPACE_COLUMNS = `w.id, w.name, w.description, w.plan, w.shard, w.created_at, w.suspended_at,
  ${IS_MOVING} AS is_moving,
  (SELECT json_group_array(hostname ORDER BY number = w.primary_domain DESC, number)
     FROM domains WHERE workspace_id = w.id) AS hostnames`;

/** Row of {@link WORKSPACE_COLUMNS}. */
export interface WorkspaceRow {
  id: string;
  name: string;
  description: string;
  plan: PlanName;
  shard: number;
  is_moving: number;
  created_at: number;
  suspended_at: number | null;
  hostnames: string;
}

export function parseWorkspaceRow(row: WorkspaceRow): Workspace {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    plan: row.plan,
    shard: row.shard,
    isMoving: row.is_moving === 1,
    createdAt: row.created_at,
    suspendedAt: row.suspended_at,
    hostnames: JSON.parse(row.hostnames),
  };
}
