import { eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { LANE_BITS, tenants } from "./tenant.table.ts";
import type { Tenant } from "./tenant.ts";

/** Returns the statement that counts a new lane of a workspace. {@link selectLastLane} in the same batch is its number. */
export function countLane({ db, workspace }: Tenant) {
  return db
    .update(tenants)
    .set({ laneCount: sql`${tenants.laneCount} + 1` })
    .where(eq(tenants.id, workspace.id));
}

/** Returns the SQL expression for the number of the last lane of a workspace: unique on all shards, never used again. */
export function selectLastLane({ workspace }: Tenant): SQL<number> {
  return sql`(select (${tenants.number} << ${LANE_BITS}) + ${tenants.laneCount} from ${tenants}
               where ${tenants.id} = ${workspace.id})`;
}

/** Deletes a workspace from its shard. Foreign keys reject this as long as it has resources. */
export async function removeTenant(shard: Database, workspaceId: string): Promise<void> {
  await shard.delete(tenants).where(eq(tenants.id, workspaceId));
}
