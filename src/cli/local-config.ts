import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import type { QueueConfig } from "../self-host/durable-queue.ts";
import { CONFIG_FILE } from "./state.ts";

/** Top-level settings of wrangler.toml that the commands use for the local service. */
export interface LocalConfig {
  name: string;
  compatibility_date: string;
  compatibility_flags: string[];
  vars: Record<string, string>;
  d1_databases: { binding: string; database_id: string; migrations_dir: string }[];
  r2_buckets: { binding: string; bucket_name: string }[];
  durable_objects: { bindings: { name: string; class_name: string }[] };
  migrations: { new_classes?: string[] }[];
  analytics_engine_datasets: { binding: string; dataset: string }[];
  ratelimits: { name: string; namespace_id: string; simple: { limit: number; period: 10 | 60 } }[];
  queues: QueueConfig;
}

/**
 * Reads the top-level settings of wrangler.toml. Doesn't use wrangler to read them, because importing
 * wrangler takes two seconds.
 */
export function readLocalConfig(): LocalConfig {
  return parse(readFileSync(CONFIG_FILE, "utf8")) as unknown as LocalConfig;
}

/** Returns the database bindings in Miniflare's format. */
export function bindDatabases({ d1_databases }: LocalConfig) {
  return Object.fromEntries(
    d1_databases.map(({ binding, database_id: id }) => [binding, { type: "d1" as const, id }]),
  );
}

/** Returns the bucket bindings in Miniflare's format. */
export function bindBuckets({ r2_buckets }: LocalConfig) {
  return Object.fromEntries(
    r2_buckets.map(({ binding, bucket_name: name }) => [binding, { type: "r2" as const, name }]),
  );
}
