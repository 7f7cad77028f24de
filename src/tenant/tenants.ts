import { eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { LANE_BITS, tenants } from "./tenant.table.ts";
import type { Tenant } from "./tenant.ts";

/**
 * Returns the statement that counts a new lane (for a webhook endpoint) of a workspace. In the same batch,
 * {@link selectLastLane} returns the number of the lane.
 */
export function countLane({ db, workspace }: Tenant) {
  return db
    .update(tenants)
    .set({ laneCount: sql`${tenants.laneCount} + 1` })
    .where(eq(tenants.id, workspace.id));
}

/**
 * Returns the SQL expression for the number of a workspace's last lane. Lane numbers are unique on all shards
 * and never reused.
 */
export function selectLastLane({ workspace }: Tenant): SQL<number> {
  return sql`(select (${tenants.number} << ${LANE_BITS}) + ${tenants.laneCount} from ${tenants}
               where ${tenants.id} = ${workspace.id})`;
}

/** Deletes a workspace from its shard. Foreign keys prevent this while it still has resources. */
export async function removeTenant(shard: Database, workspaceId: string): Promise<void> {
  await shard.delete(tenants).where(eq(tenants.id, workspaceId));
}
