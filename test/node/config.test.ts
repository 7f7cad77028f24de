import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Unstable_Config, unstable_readConfig } from "wrangler";
import { listDeclarations } from "../../src/cli/deployment-config.ts";
import { parseQueueName } from "../../src/dead-letters/queue-name.ts";
import { parseSettings, type Vars } from "../../src/env.ts";

/**
 * Named environments of wrangler.toml inherit no bindings, so production must repeat the local bindings. Its
 * resource names begin with its Worker's name, so that environments can share an account.
 */

const PROJECT = join(import.meta.dirname, "../..");
const config = join(PROJECT, "wrangler.toml");
const local = unstable_readConfig({ config });
const production = unstable_readConfig({ config, env: "production" });
const ENVIRONMENTS: [string, Unstable_Config][] = [
  ["local", local],
  ["production", production],
];

/** Maximum size of a queue message, and of a bound value of D1, in bytes. */
const MESSAGE_MAX_BYTES = 128_000;
const BOUND_VALUE_MAX_BYTES = 2_000_000;

/** Vars that only a deployment sets, or that are secrets in a deployment. */
const OTHER_VARS = ["ANALYTICS_ACCOUNT_ID", "STATUS_TOKEN", "WEBHOOK_KEY_PREVIOUS"];

/** Declarations by name. Each must exist and be the same in both environments. */
const DECLARATIONS: [string, (config: Unstable_Config) => unknown][] = [
  // Only local development has ids. It has a second shard, so that tests use several.
  [
    "D1 databases",
    (config) =>
      config.d1_databases
        .map(({ database_id: _, ...database }) => database)
        .filter(({ binding }) => binding !== "SHARD_1"),
  ],
  ["R2 buckets", (config) => config.r2_buckets],
  ["queue producers", (config) => config.queues.producers],
  ["queue consumers with their settings", (config) => config.queues.consumers],
  ["Durable Objects", (config) => config.durable_objects.bindings],
  ["Durable Object migrations", (config) => config.migrations],
  ["Analytics Engine datasets", (config) => config.analytics_engine_datasets],
  ["rate limits", (config) => config.ratelimits],
  ["required secrets", (config) => config.secrets?.required],
  ["cron triggers", (config) => config.triggers.crons],
  ["observability", (config) => [config.observability]],
  [
    "names of vars",
    ({ vars }) =>
      Object.keys(vars)
        .filter((name) => !OTHER_VARS.includes(name))
        .sort(),
  ],
];

/** Replaces the Worker's name at the beginning of every name. */
function withoutName(value: unknown, { name = "" }: Unstable_Config): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(`"${name}`, '"{name}'));
}

test.each(DECLARATIONS)("wrangler.toml declares the same %s locally and in production", (_, select) => {
  expect(select(local)).not.toHaveLength(0);
  expect(withoutName(select(production), production)).toEqual(withoutName(select(local), local));
});

/** Lists an environment's resource names that are unique in an account. */
function listResourceNames({ d1_databases, r2_buckets, queues }: Unstable_Config): string[] {
  return [
    ...d1_databases.map(({ database_name }) => database_name ?? ""),
    ...r2_buckets.map(({ bucket_name }) => bucket_name ?? ""),
    ...(queues.consumers ?? []).map(({ queue }) => queue),
  ];
}

test("production and local resources have different names, and all begin with their Worker's name", () => {
  const names = listResourceNames(production);
  expect(names.filter((name) => listResourceNames(local).includes(name))).toEqual([]);
  expect(names.filter((name) => !`${name}-`.startsWith(`${production.name}-`))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

describe.each(ENVIRONMENTS)("the queues of the %s environment", (_, { queues }) => {
  const consumers = queues.consumers ?? [];
  const consumed = consumers.map(({ queue }) => queue);
  const producers = queues.producers ?? [];

  test("have names that the Worker parses, and a consumer", () => {
    expect(consumed.filter((queue) => parseQueueName(queue) === null)).toEqual([]);
    expect(producers.filter(({ queue }) => !consumed.includes(queue ?? ""))).toEqual([]);
  });

  test("have dead-letter queues, whose consumers only store messages", () => {
    for (const { queue, dead_letter_queue: dead, max_batch_size = 0, max_retries } of consumers) {
      const name = parseQueueName(queue);
      expect(max_retries, queue).toBeGreaterThanOrEqual(50);
      if (name?.isDead) {
        expect(dead, queue).toBeUndefined();
        expect(max_batch_size * MESSAGE_MAX_BYTES, queue).toBeLessThan(BOUND_VALUE_MAX_BYTES);
        // The retry schedule keeps messages for the queue's whole retention period.
        expect(max_retries, queue).toBe(100);
      } else {
        expect(consumed, queue).toContain(dead);
        expect(parseQueueName(dead ?? ""), queue).toEqual({ kind: name?.kind, isDead: true });
      }
    }
  });

  test("have a spare queue with the same consumer for scans, and for views and clicks", () => {
    const byBinding = new Map(producers.map(({ binding, queue = "" }) => [binding, queue]));
    for (const name of ["SCAN", "PAGE_HIT"]) {
      const [main, spare] = [byBinding.get(`${name}_QUEUE`), byBinding.get(`${name}_SPARE_QUEUE`)];
      expect(spare).toBe(`${main}-spare`);
      const [mainConsumer, spareConsumer] = [main, spare].map((queue) =>
        consumers.find((consumer) => consumer.queue === queue),
      );
      expect({ ...spareConsumer, queue: main }).toEqual(mainConsumer);
    }
  });
});

describe("production", () => {
  const routes = production.routes as { pattern: string; custom_domain?: boolean; zone_name?: string }[];
  const settings = parseSettings(production.vars as unknown as Vars);

  test("serves the API, bio pages, files and the app at custom domains, only over https", () => {
    const custom = routes.filter(({ custom_domain }) => custom_domain).map(({ pattern }) => pattern);
    expect(custom.sort()).toEqual(
      [settings.apiHost, settings.bioHost, settings.cdnHost, settings.appHost].sort(),
    );
    expect(settings.shortScheme).toBe("https://");
    expect(settings.allowLoopback).toBe(false);
  });

  test("has short hosts one level below a separate zone, which Universal SSL covers", () => {
    const zones = routes.filter(({ zone_name }) => zone_name !== undefined);
    expect(zones).toContainEqual({ pattern: `*.${settings.shortHost}/*`, zone_name: settings.shortHost });
    // Route of customers' own domains, which are custom hostnames of the zone.
    expect(zones).toContainEqual({ pattern: "*/*", zone_name: settings.shortHost });
    for (const host of [settings.apiHost, settings.bioHost, settings.cdnHost, settings.appHost]) {
      expect(`.${host}`.endsWith(`.${settings.shortHost}`), host).toBe(false);
    }
  });

  test("has database names without ids, so that wrangler finds the databases of every account", () => {
    for (const { name, id } of listDeclarations(production).databases) {
      expect({ name, id }).toEqual({ name: expect.stringMatching(/./), id: null });
    }
  });

  test("keeps the Worker's log lines, and none with the URLs of requests", () => {
    expect(production.observability).toMatchObject({ enabled: true, logs: { invocation_logs: false } });
  });

  test("declares no secret as a var, which would replace the secret at each deployment", () => {
    expect(Object.keys(production.vars).filter((name) => /KEY|SECRET|TOKEN/.test(name))).toEqual([]);
  });
});
