import { applyD1Migrations, type D1Migration, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll } from "vitest";
import { getShard, listShards } from "../../src/db/shards.ts";
import { forgetAll } from "../../src/resolving/resolve.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      TEST_MIGRATIONS: Record<"directory" | "shard", D1Migration[]>;
    }
  }
}

/** Creates the tables of all databases. */
export async function migrate(): Promise<void> {
  await applyD1Migrations(env.DIRECTORY, env.TEST_MIGRATIONS.directory);
  for (const shard of listShards(env)) {
    await applyD1Migrations(getShard(env, shard), env.TEST_MIGRATIONS.shard);
  }
}

/**
 * Empties all storage before the tests of a file that counts all rows of a database or sweeps one, because
 * files of an isolate share it.
 */
export function useEmptyDatabases(): void {
  beforeAll(async () => {
    await reset();
    forgetAll();
    await migrate();
  });
}

/** Deletes all endpoints, so that nothing is delivered while later files stub `fetch`. */
export async function deleteEndpoints(): Promise<void> {
  for (const shard of listShards(env)) {
    const d1 = getShard(env, shard);
    await d1.batch(
      ["delivery_attempts", "event_deliveries", "webhook_lanes", "webhooks"].map((table) =>
        d1.prepare(`DELETE FROM ${table}`),
      ),
    );
  }
}
