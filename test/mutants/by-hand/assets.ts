import { type Mutant, mutate } from "../by-hand.ts";

export const mutants: Mutant[] = [
  ...mutate("src/assets/preconditions.ts", "unit/asset-files", ["Math.floor(timeMs", "Math.ceil(timeMs"]),
  ...mutate(
    "src/assets/assets.ts",
    "worker/assets",
    ['takeUsage(tenant, "storage_bytes", asset.fileSize)', 'takeUsage(tenant, "storage_bytes", 1)'],
    ["asset.isPublic ? formatPublicUrl(settings, asset) : null", "formatPublicUrl(settings, asset)"],
    ["encodeURIComponent(filename)", "filename"],
    [".orderBy(desc(assets.id))", ".orderBy(assets.id)"],
  ),
  ...mutate(
    "src/assets/sweep.ts",
    "worker/assets",
    ["not(isLockedByMove(assets.workspaceId)),", ""],
    ["lte(deletedAssets.dueAt, nowMs)", "lt(deletedAssets.dueAt, nowMs)"],
  ),
  ...mutate(
    "src/assets/storage.ts",
    "worker/assets",
    ['"If-None-Match": "*"', '"If-None-Match": "none"'],
    ["`${workspaceId}/${id}`", "`${id}`"],
    ["    buckets.public.delete(files.map(buildPublicFileKey)),", ""],
    ["source.httpMetadata ?? {}", "{}"],
  ),
  ...mutate(
    "src/assets/storage.ts",
    "worker/bounds",
    ["Promise.race([storing, expired])", "storing"],
    ["throw (await bodyError) ?? error;", "throw error;"],
  ),
  ...mutate("src/assets/sweep.ts", "worker/erasure", [
    "return { deleted: ids.length,",
    "return { deleted: 0,",
  ]),
];
