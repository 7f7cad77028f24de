import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Miniflare, MiniflareOptions } from "miniflare";
import type { QueueConfig } from "../self-host/durable-queue.ts";
import { bindBuckets, bindDatabases, type LocalConfig, readLocalConfig } from "./local-config.ts";
import { CONTROL, openMiniflare } from "./local-databases.ts";
import { holdsLock, lockFolder } from "./lock.ts";
import type { StateFolder } from "./state.ts";
import type { WorkerModules } from "./worker-bundle.ts";

/** Runs the bundled Worker in its own workerd (the Workers runtime), with a state folder. */

/** Name of the Worker that sends the requests of a service on one machine. */
const OUTBOUND = "outbound";

/** Settings of {@link runWorker}. */
export interface WorkerRun {
  port: number;
  /** Vars and secrets. */
  vars: Record<string, string>;
  manifest: WorkerModules;
  /** Called with each line the Worker prints. */
  log: (line: string, level: string) => void;
  /**
   * Set if the Worker is `src/self-host/start-worker.ts`. Visitors then connect to `host` and `port`, without Miniflare's
   * own Worker in between, which obeys headers of visitors.
   */
  selfHost?: { host: string; controlSecret: string; proxySecret: string };
}

/**
 * Starts a Worker on a local port and waits until it accepts requests. `closeStorage` kills the Worker, like a crash.
 * Until then, `runLocalBatch` in this process uses the same workerd.
 */
export async function runWorker(state: StateFolder, run: WorkerRun): Promise<Miniflare> {
  const { port, vars, manifest, log, selfHost } = run;
  if (!holdsLock(state.path) && !lockFolder(state.path)) throw new Error(`${state.path} is in use`);
  const config = readLocalConfig();
  const bindings = buildBindings(config, { ...config.vars, ...vars }, selfHost);
  const withoutSqlite = config.migrations.flatMap(({ new_classes = [] }) => new_classes);
  const chooseStorage = ({ exportName = "" }) =>
    withoutSqlite.includes(exportName) ? "legacy-kv" : "sqlite";
  const options: MiniflareOptions = {
    host: selfHost === undefined ? "localhost" : "127.0.0.1",
    port: selfHost === undefined ? port : 0,
    // Otherwise, Miniflare asks a server on the internet for this machine's location.
    cf: false,
    logRequests: false,
    handleStructuredLogs: ({ message, level }) => log(message, level),
    unsafeTriggerHandlers: true,
    workers: [
      {
        config: {
          name: config.name,
          compatibilityDate: config.compatibility_date,
          // The reader of geo files needs `Buffer`.
          compatibilityFlags: [...config.compatibility_flags, ...(selfHost ? ["nodejs_compat"] : [])],
          manifest,
          env: bindings,
          exports: Object.fromEntries(
            Object.values(bindings).flatMap((binding) =>
              binding.type === "durable-object"
                ? [[binding.exportName, { type: "durable-object", storage: chooseStorage(binding) }]]
                : [],
            ),
          ),
          triggers: selfHost === undefined ? buildTriggers(config) : [],
        },
        ...(selfHost && {
          dev: {
            unsafeDirectSockets: [{ host: selfHost.host, port }],
            outboundService: { type: "worker", worker: OUTBOUND },
          },
        }),
      },
      ...(selfHost ? [createOutboundWorker(config, vars)] : []),
    ],
  };
  const miniflare = openMiniflare(state, options, { isService: true, lockedFolder: state.path });
  const url = await miniflare.ready;
  const statusToken = selfHost && vars.STATUS_TOKEN;
  state.save({ control: { url: url.href, ...CONTROL, statusToken } });
  return miniflare;
}

/**
 * Returns the Worker that sends requests to public addresses only. Miniflare's default also reaches private ones, so a
 * workspace could read a service of the operator's network through a webhook. The hosts of `OIDC_ISSUER` and
 * `DNS_RESOLVER_URL` may be private, because the operator chooses them.
 */
export function createOutboundWorker(
  { compatibility_date: compatibilityDate }: Pick<LocalConfig, "compatibility_date">,
  { OIDC_ISSUER, DNS_RESOLVER_URL }: Record<string, string>,
): MiniflareOptions["workers"][number] {
  const contents = readFileSync(join(import.meta.dirname, "../self-host/outbound-worker.js"), "utf8");
  const hosts = [OIDC_ISSUER, DNS_RESOLVER_URL].flatMap((url = "") =>
    URL.canParse(url) ? [new URL(url).host] : [],
  );
  return {
    config: {
      name: OUTBOUND,
      compatibilityDate,
      manifest: { mainModule: "worker.js", modules: { "worker.js": { type: "esm", contents } } },
      env: {
        OPERATOR_HOSTS: { type: "text", value: hosts.join(" ") },
        PUBLIC_NETWORK: { type: "network", allow: ["public"], tlsOptions: { trustBrowserCas: true } },
      },
    },
  };
}

type WorkerConfig = MiniflareOptions["workers"][number]["config"];

function buildBindings(
  config: LocalConfig,
  vars: Record<string, string>,
  selfHost: WorkerRun["selfHost"],
): NonNullable<WorkerConfig["env"]> {
  const { analytics_engine_datasets, ratelimits, queues } = config;
  const bindObject = (exportName: string) =>
    ({ type: "durable-object", worker: config.name, exportName }) as const;
  const texts =
    selfHost === undefined
      ? vars
      : {
          ...vars,
          QUEUE_CONFIG: JSON.stringify(queues satisfies QueueConfig),
          PROXY_SECRET: selfHost.proxySecret,
          CONTROL_SECRET: selfHost.controlSecret,
        };
  return Object.fromEntries([
    ...Object.entries(texts).map(([name, value]) => [name, { type: "text", value }]),
    ...Object.entries({ ...bindDatabases(config), ...bindBuckets(config) }),
    ...config.durable_objects.bindings.map(({ name, class_name }) => [name, bindObject(class_name)]),
    ...analytics_engine_datasets.map(({ binding, dataset: name }) => [
      binding,
      { type: "analytics-engine-dataset", name },
    ]),
    ...ratelimits.map(({ name, namespace_id: namespace, simple }) => [
      name,
      { type: "rate-limit", namespace, simple },
    ]),
    ...(selfHost === undefined
      ? queues.producers.map(({ binding, queue: name }) => [binding, { type: "queue", name }])
      : [["QUEUES", bindObject("DurableQueue")]]),
  ]);
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
