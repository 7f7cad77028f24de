import { globSync } from "node:fs";
import { defineConfig } from "drizzle-kit";

/** Database whose migration is written: `directory` or `shard`. */
const database = process.env.SIGNPOST_DATABASE ?? "shard";
const isOfDirectory = (file: string) => file.endsWith(".directory.table.ts");
const files = globSync("src/**/*.table.ts").filter(
  (file) => isOfDirectory(file) === (database === "directory"),
);

export default defineConfig({ dialect: "sqlite", schema: files, out: `./migrations/${database}` });
