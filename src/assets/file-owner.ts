import { type DatabaseBindings, getShard, listShards } from "../db/shards.ts";
import { buildPublicFileKey, WORKSPACE_KEY } from "./storage.ts";

const SELECT_OWNER = "SELECT workspace_id FROM assets WHERE id = ?1";

/**
 * Returns true if one of the workspaces owns a published file. Reads the file's metadata, or all shards if the file
 * was published before files had metadata. Reads nothing without workspaces.
 */
export async function isOwnedBy(
  workspaceIds: ReadonlySet<string>,
  env: DatabaseBindings & { PUBLIC_FILES: R2Bucket },
  file: { id: string; filename: string },
): Promise<boolean> {
  if (workspaceIds.size === 0) return false;
  const object = await env.PUBLIC_FILES.head(buildPublicFileKey(file));
  if (object === null) return false;
  const owner = object.customMetadata?.[WORKSPACE_KEY];
  return workspaceIds.has(owner ?? (await findOwner(env, file.id)) ?? "");
}

async function findOwner(env: DatabaseBindings, assetId: string): Promise<string | null> {
  const owners = await Promise.all(
    listShards(env).map((shard) =>
      getShard(env, shard).prepare(SELECT_OWNER).bind(assetId).first<string>("workspace_id"),
    ),
  );
  return owners.find((owner) => owner !== null) ?? null;
}
