import type { PlanName } from "./plans.ts";

/** A workspace. Every query of a resource starts with its id. */
export interface Workspace {
  id: string;
  name: string;
  description: string;
  plan: PlanName;
  /** Number of the shard that holds the workspace. */
  shard: number;
  /** True while the last step of a move to another shard holds up changes. */
  isMoving: boolean;
  createdAt: number;
  /** Short hosts of the workspace; `short_url` uses the first. */
  hostnames: readonly [string, ...string[]];
}
