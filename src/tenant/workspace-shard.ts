import { and, eq, type SQL } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { workspaces } from "./workspaces.directory.table.ts";

/** Returns the statement that assigns a workspace to another shard if a condition holds. */
export function setShard(directory: Database, workspaceId: string, shard: number, condition: SQL) {
  return directory
    .update(workspaces)
    .set({ shard })
    .where(and(eq(workspaces.id, workspaceId), condition));
}
