import { join } from "node:path";
import { expect, test } from "vitest";
import { type Unstable_Config, unstable_readConfig } from "wrangler";

/**
 * Named environments of wrangler.toml inherit no bindings, so production must repeat those of the local
 * start.
 */

const config = join(import.meta.dirname, "../../wrangler.toml");
const local = unstable_readConfig({ config });
const production = unstable_readConfig({ config, env: "production" });

/** Vars that only a deployment sets. */
const DEPLOYMENT_VARS = ["ANALYTICS_ACCOUNT_ID"];

/** Declarations by name. Each must exist and be the same in both environments. */
const DECLARATIONS: [string, (config: Unstable_Config) => unknown][] = [
  // Every deployment has its own database id.
  ["D1 databases", (config) => config.d1_databases.map(({ database_id: _, ...database }) => database)],
  ["R2 buckets", (config) => config.r2_buckets],
  ["queue producers", (config) => config.queues.producers],
  ["queue consumers with their settings", (config) => config.queues.consumers],
  ["Durable Objects", (config) => config.durable_objects.bindings],
  ["Durable Object migrations", (config) => config.migrations],
  ["Analytics Engine datasets", (config) => config.analytics_engine_datasets],
  ["rate limits", (config) => config.ratelimits],
  ["required secrets", (config) => config.secrets?.required],
  ["cron triggers", (config) => config.triggers.crons],
  [
    "names of vars",
    ({ vars }) =>
      Object.keys(vars)
        .filter((name) => !DEPLOYMENT_VARS.includes(name))
        .sort(),
  ],
];

test.each(DECLARATIONS)("wrangler.toml declares the same %s locally and in production", (_, select) => {
  expect(select(local)).not.toHaveLength(0);
  expect(select(production)).toEqual(select(local));
});
