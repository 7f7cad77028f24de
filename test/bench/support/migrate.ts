import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Part of D1 that migrations use. Miniflare's own database type has it too. */
interface MigratedDatabase {
  prepare(sql: string): object;
  batch(statements: never[]): Promise<unknown>;
}

/** Applies all migrations of the directory or a shard to an empty database. */
export async function migrate(d1: MigratedDatabase, kind: "directory" | "shard"): Promise<void> {
  const folder = join(import.meta.dirname, "../../../migrations", kind);
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  for (const file of files.sort()) {
    const statements = readFileSync(join(folder, file), "utf8").split("--> statement-breakpoint");
    await d1.batch(statements.map((statement) => d1.prepare(statement)) as never[]);
  }
}
