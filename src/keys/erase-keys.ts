import { eq } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { apiKeys } from "./keys.directory.table.ts";

/** Deletes some keys of a deleted workspace and returns their number. */
export function eraseKeys(db: Database, workspaceId: string): Promise<number> {
  return deleteSome(db, apiKeys, [apiKeys.id], eq(apiKeys.workspaceId, workspaceId));
}
