import { applyD1Migrations, type D1Migration, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { forgetFaults } from "../../src/caching/fault-log.ts";
import { getShard, listShards } from "../../src/db/shards.ts";
import { forgetAll } from "../../src/redirect/resolve.ts";
import { checkLeftovers } from "./leftovers.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      TEST_MIGRATIONS: Record<"directory" | "shard", D1Migration[]>;
    }
  }
}

// Files share an isolate. Each finds empty databases, so that nothing is delivered for the files before it, and no link, no
// host and no logged fault in the memory.
await reset();
await applyD1Migrations(env.DIRECTORY, env.TEST_MIGRATIONS.directory);
for (const shard of listShards(env)) {
  await applyD1Migrations(getShard(env, shard), env.TEST_MIGRATIONS.shard);
}
forgetAll();
forgetFaults();

const bindings = Object.entries(env).filter(
  (entry): entry is [string, object] => typeof entry[1] === "object" && entry[1] !== null,
);
checkLeftovers({
  env,
  ...Object.fromEntries(bindings.map(([name, binding]) => [`env.${name}`, binding])),
  "crypto.subtle": crypto.subtle,
  "caches.default": caches.default,
});
