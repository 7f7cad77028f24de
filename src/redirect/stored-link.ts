import { type DatabaseBindings, getShard } from "../db/shards.ts";

/** Link as the primary databases have it, for what the caches must not hold or may have late. */
export interface StoredLink {
  maxScans: number | null;
  passwordHash: string | null;
}

// Raw SQL: importing Drizzle would add its scripts to the first visit of an isolate, for two statements.
const SELECT_SHARD = "SELECT shard FROM workspaces WHERE id = ?1";
const SELECT_LINK = `
  SELECT max_scans AS maxScans, password_hash AS passwordHash FROM links WHERE workspace_id = ?1 AND id = ?2`;

/** Reads a link from the primary of the shard that has its workspace. Returns null if it is gone. */
export async function readStoredLink(
  bindings: DatabaseBindings,
  workspaceId: string,
  linkId: string,
): Promise<StoredLink | null> {
  const shard = await bindings.DIRECTORY.prepare(SELECT_SHARD).bind(workspaceId).first<number>("shard");
  if (shard === null) return null;
  return getShard(bindings, shard).prepare(SELECT_LINK).bind(workspaceId, linkId).first<StoredLink>();
}
