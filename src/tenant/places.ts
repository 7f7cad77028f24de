import type { PlanName } from "./plans.ts";

/** Where a workspace is kept, and its plan. */
export interface WorkspacePlace {
  shard: number;
  plan: PlanName;
}

// Raw SQL: consumers of queues prepare their statements without Drizzle.
const SELECT_PLACES = "SELECT id, shard, plan FROM workspaces WHERE id IN (SELECT value FROM json_each(?1))";

/** Returns the places of those of the workspaces that exist, by id, from the directory. */
export async function findPlaces(
  directory: D1Database,
  workspaceIds: readonly string[],
): Promise<Map<string, WorkspacePlace>> {
  const { results } = await directory
    .prepare(SELECT_PLACES)
    .bind(JSON.stringify(workspaceIds))
    .all<WorkspacePlace & { id: string }>();
  return new Map(results.map(({ id, ...place }) => [id, place]));
}
