import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { CONFIG_FILE } from "./state.ts";

/** Settings of the local start in wrangler.toml that the commands work with. */
export interface LocalConfig {
  compatibility_date: string;
  vars: Record<string, string>;
  d1_databases: { binding: string; database_id: string; migrations_dir: string }[];
  r2_buckets: { binding: string; bucket_name: string }[];
}

/** Reads the part of wrangler.toml outside of environments. Wrangler checks it too, but importing it takes two seconds. */
export function readLocalConfig(): LocalConfig {
  return parse(readFileSync(CONFIG_FILE, "utf8")) as unknown as LocalConfig;
}
