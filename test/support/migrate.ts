import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getShard, listShards } from "../../src/db/shards.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      TEST_MIGRATIONS: Record<"directory" | "shard", D1Migration[]>;
    }
  }
}

/** Set once the databases have their tables: files that share an isolate share them. */
const state = globalThis as { hasTables?: boolean };

if (!state.hasTables) {
  await applyD1Migrations(env.DIRECTORY, env.TEST_MIGRATIONS.directory);
  for (const shard of listShards(env)) {
    await applyD1Migrations(getShard(env, shard), env.TEST_MIGRATIONS.shard);
  }
  state.hasTables = true;
}
