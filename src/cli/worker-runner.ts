import type { MiniflareOptions } from "miniflare";
import type { Vars } from "../env.ts";
import { bindBuckets, bindDatabases, type LocalConfig, readLocalConfig } from "./local-config.ts";
import { createDatabasesWorker, openMiniflare } from "./local-databases.ts";
import { SECRETS } from "./local-service.ts";
import type { StateFolder } from "./state.ts";
import type { WorkerModules } from "./worker-bundle.ts";

/** Runs the bundled Worker in its own workerd (the Workers runtime), with a folder of `npm run dev`. */

/**
 * Starts a Worker on a local port and waits until it accepts requests. `log` is called with each line the
 * Worker prints. `closeStorage` kills the Worker, like a crash. Until then, `runLocalBatch` in this
 * process uses the same workerd.
 */
export async function runWorker(
  state: StateFolder,
  port: number,
  vars: Vars,
  manifest: WorkerModules,
  log: (line: string) => void,
): Promise<void> {
  const config = readLocalConfig();
  const miniflare = openMiniflare(state, {
    host: "localhost",
    port,
    // Otherwise, Miniflare asks a server on the internet for this machine's location.
    cf: false,
    logRequests: false,
    handleStructuredLogs: ({ message }) => log(message),
    unsafeTriggerHandlers: true,
    workers: [
      {
        config: {
          name: config.name,
          compatibilityDate: config.compatibility_date,
          compatibilityFlags: config.compatibility_flags,
          manifest,
          env: buildBindings(config, { ...config.vars, ...vars, ...state.ensureSecrets(SECRETS) }),
          exports: buildExports(config),
          triggers: buildTriggers(config),
        },
      },
      createDatabasesWorker(config),
    ],
  });
  await miniflare.ready;
}

type WorkerConfig = MiniflareOptions["workers"][number]["config"];

function buildBindings(config: LocalConfig, vars: Record<string, string>): WorkerConfig["env"] {
  const { durable_objects, analytics_engine_datasets, ratelimits, queues } = config;
  return Object.fromEntries([
    ...Object.entries(vars).map(([name, value]) => [name, { type: "text", value }]),
    ...Object.entries({ ...bindDatabases(config), ...bindBuckets(config) }),
    ...durable_objects.bindings.map(({ name, class_name: exportName }) => [
      name,
      { type: "durable-object", worker: config.name, exportName },
    ]),
    ...analytics_engine_datasets.map(({ binding, dataset: name }) => [
      binding,
      { type: "analytics-engine-dataset", name },
    ]),
    ...ratelimits.map(({ name, namespace_id: namespace, simple }) => [
      name,
      { type: "rate-limit", namespace, simple },
    ]),
    ...queues.producers.map(({ binding, queue: name }) => [binding, { type: "queue", name }]),
  ]);
}

function buildExports({ durable_objects, migrations }: LocalConfig): WorkerConfig["exports"] {
  const withoutSqlite = new Set(migrations.flatMap(({ new_classes = [] }) => new_classes));
  return Object.fromEntries(
    durable_objects.bindings.map(({ class_name: name }) => [
      name,
      { type: "durable-object", storage: withoutSqlite.has(name) ? "legacy-kv" : "sqlite" },
    ]),
  );
}

function buildTriggers({ queues }: LocalConfig): WorkerConfig["triggers"] {
  return queues.consumers.map((consumer) => ({
    type: "queue",
    name: consumer.queue,
    maxBatchSize: consumer.max_batch_size,
    maxBatchTimeout: consumer.max_batch_timeout,
    maxRetries: consumer.max_retries,
    ...(consumer.dead_letter_queue && { deadLetterQueue: consumer.dead_letter_queue }),
  }));
}
