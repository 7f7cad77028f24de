import { globSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getPlatformProxy } from "wrangler";

/** Wrangler configuration with only the database binding of the Worker. */
const CONFIG = {
  name: "bench",
  compatibility_date: "2026-11-01",
  d1_databases: [{ binding: "DB", database_name: "bench", database_id: "bench" }],
};

/** Calls `use` with a migrated local D1, the one that `npm run dev` uses, and the path of its file. */
export async function withLocalD1(
  use: (d1: D1Database, findFile: () => string) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "bench-d1-"));
  const configPath = join(directory, "wrangler.json");
  await writeFile(configPath, JSON.stringify(CONFIG));
  const { env, dispose } = await getPlatformProxy<Env>({ configPath, persist: { path: directory } });
  const findFile = () => {
    const files = globSync("**/d1/**/*.sqlite", { cwd: directory }).filter(
      (file) => !file.includes("metadata"),
    );
    return join(directory, files[0] as string);
  };
  try {
    await migrate(env.DB);
    await use(env.DB, findFile);
  } finally {
    await dispose();
    await rm(directory, { recursive: true, force: true });
  }
}

async function migrate(d1: D1Database): Promise<void> {
  const folder = join(import.meta.dirname, "../../../migrations");
  for (const file of (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort()) {
    const statements = (await readFile(join(folder, file), "utf8")).split("--> statement-breakpoint");
    await d1.batch(statements.map((statement) => d1.prepare(statement)));
  }
}
