import type { PlanName } from "./plans.ts";

/** Workspace of a request. All queries for its resources filter by its id. */
export interface Workspace {
  id: string;
  name: string;
  description: string;
  plan: PlanName;
  /** Number of the shard that stores the workspace. */
  shard: number;
  /** True during the last step of a move, which blocks changes. */
  isMoving: boolean;
  createdAt: number;
  /** Time since which an administrator has suspended the workspace, which blocks changes. */
  suspendedAt: number | null;
  /** Short hosts of the workspace, the primary domain first. */
  hostnames: readonly [string, ...string[]];
}
