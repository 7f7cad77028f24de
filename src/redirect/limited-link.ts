import { type DatabaseBindings, getShard } from "../db/shards.ts";

/** Returns true if a link exists and has `max_scans`, according to the primary databases. */
export async function isLimitedLink(
  bindings: DatabaseBindings,
  workspaceId: string,
  linkId: string,
): Promise<boolean> {
  const shard = await bindings.DIRECTORY.prepare("SELECT shard FROM workspaces WHERE id = ?1")
    .bind(workspaceId)
    .first<number>("shard");
  if (shard === null) return false;
  const found = await getShard(bindings, shard)
    .prepare("SELECT 1 FROM links WHERE workspace_id = ?1 AND id = ?2 AND max_scans IS NOT NULL")
    .bind(workspaceId, linkId)
    .first();
  return found !== null;
}
