import { type Mutant, mutate } from "../by-hand.ts";

const ASSET_FILES = "test/unit/asset-files.test.ts";
const ASSETS = "test/worker/assets.test.ts";
const BOUNDS = "test/worker/bounds.test.ts";
const ERASURE = "test/worker/erasure.test.ts";

export const mutants: Mutant[] = [
  ...mutate("src/assets/preconditions.ts", ASSET_FILES, ["Math.floor(timeMs", "Math.ceil(timeMs"]),
  ...mutate(
    "src/assets/assets.ts",
    ASSETS,
    ['takeUsage(tenant, "storage_bytes", asset.fileSize)', 'takeUsage(tenant, "storage_bytes", 1)'],
    ["if ((await selectCurrent).length > 0) throw error;", "throw error;"],
    ["asset.isPublic ? formatPublicUrl(settings, asset) : null", "formatPublicUrl(settings, asset)"],
    ["encodeURIComponent(filename)", "filename"],
    [".orderBy(desc(assets.id))", ".orderBy(assets.id)"],
  ),
  ...mutate(
    "src/assets/sweep.ts",
    ASSETS,
    ["not(isLockedByMove(assets.workspaceId)),", ""],
    ["lte(deletedAssets.dueAt, nowMs)", "lt(deletedAssets.dueAt, nowMs)"],
    ["if (due.length === 0) return;", "return;"],
  ),
  ...mutate(
    "src/assets/storage.ts",
    ASSETS,
    ['"If-None-Match": "*"', '"If-None-Match": "none"'],
    ["`${workspaceId}/${id}`", "`${id}`"],
    ["throw (await bodyError) ?? error;", "throw error;"],
    ["    buckets.public.delete(files.map(buildPublicFileKey)),", ""],
    ["source.httpMetadata ?? {}", "{}"],
  ),
  ...mutate("src/assets/storage.ts", BOUNDS, ["Promise.race([storing, expired])", "storing"]),
  ...mutate("src/assets/sweep.ts", ERASURE, ["return { deleted: ids.length,", "return { deleted: 0,"]),
];
