import { globSync, statSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getPlatformProxy } from "wrangler";
import type { DatabaseBindings } from "../../../src/db/shards.ts";
import { migrate } from "./migrate.ts";

/** Wrangler configuration with only the bindings of the directory and one shard. */
const CONFIG = {
  name: "bench",
  compatibility_date: "2026-11-01",
  d1_databases: ["DIRECTORY", "SHARD_0"].map((binding) => ({
    binding,
    database_name: binding,
    database_id: binding,
  })),
};

/**
 * Calls `use` with a migrated directory and shard as in `npm run dev`, and with a function that returns the
 * shard's file.
 */
export async function withLocalD1(
  use: (databases: DatabaseBindings, findShardFile: () => string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bench-d1-"));
  const configPath = join(folder, "wrangler.json");
  await writeFile(configPath, JSON.stringify(CONFIG));
  const { env, dispose } = await getPlatformProxy<Env>({ configPath, persist: { path: folder } });
  try {
    await migrate(env.DIRECTORY, "directory");
    await migrate(env.SHARD_0, "shard");
    await use({ DIRECTORY: env.DIRECTORY, SHARD_0: env.SHARD_0 }, () => findLargestFile(folder));
  } finally {
    await dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the shard's database file, which is larger than the directory's. */
function findLargestFile(folder: string): string {
  const files = globSync("**/d1/**/*.sqlite", { cwd: folder })
    .filter((file) => !file.includes("metadata"))
    .map((file) => join(folder, file));
  const sizeOf = (file: string) =>
    statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0);
  return files.sort((one, other) => sizeOf(other) - sizeOf(one))[0] as string;
}
