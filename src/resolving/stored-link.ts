import { type DatabaseBindings, getShard } from "../db/shards.ts";

/**
 * Link as stored in the primary database. Used for columns that caches must not contain, or whose cached
 * values may be outdated.
 */
export interface StoredLink {
  maxScans: number | null;
  passwordHash: string | null;
}

// Raw SQL, because importing Drizzle for two statements would slow down an isolate's first visit.
const SELECT_SHARD = "SELECT shard FROM workspaces WHERE id = ?1";
const SELECT_LINK = `
  SELECT max_scans AS maxScans, password_hash AS passwordHash FROM links WHERE workspace_id = ?1 AND id = ?2`;

/**
 * Reads a link from the primary of its workspace's shard. Returns null if the link or workspace doesn't
 * exist.
 */
export async function readStoredLink(
  bindings: DatabaseBindings,
  workspaceId: string,
  linkId: string,
): Promise<StoredLink | null> {
  const shard = await bindings.DIRECTORY.prepare(SELECT_SHARD).bind(workspaceId).first<number>("shard");
  if (shard === null) return null;
  return getShard(bindings, shard).prepare(SELECT_LINK).bind(workspaceId, linkId).first<StoredLink>();
}
