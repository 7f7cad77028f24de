import { globSync } from "node:fs";
import { defineConfig } from "drizzle-kit";

const database = process.env.SIGNPOST_DATABASE;
if (database !== "directory" && database !== "shard") {
  throw new Error("SIGNPOST_DATABASE must be directory or shard: the database that the migration is for");
}

const isOfDirectory = (file: string) => file.endsWith(".directory.table.ts");
const files = globSync("src/**/*.table.ts").filter((file) => isOfDirectory(file) === (database === "directory"));

export default defineConfig({ dialect: "sqlite", schema: files, out: `./migrations/${database}` });
