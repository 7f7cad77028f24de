import { join } from "node:path";
import { listModules, type Runtime, startRuntime } from "./runtime.ts";

/**
 * Databases in another process than the Worker, and at a distance, as in a deployment. Miniflare's D1 otherwise runs on
 * the one thread that also serves all requests.
 */

const DATABASE_HEADER = "X-Database";
const SERVICE_PREFIX = "REMOTE_";

/** Passes requests of D1's client on to the database that a header names. */
const DATABASES_SCRIPT = `export default {
  async fetch(request, env) {
    if (env.DELAY_MS > 0) await new Promise((resolve) => setTimeout(resolve, env.DELAY_MS));
    return env[request.headers.get("${DATABASE_HEADER}")].fetcher.fetch(request);
  },
};`;

/**
 * Entry module of the Worker. Replaces the service that each D1 binding sends its requests to. The bindings stay the
 * same objects, so that requests, queue consumers, crons and Durable Objects all use the other process, by the
 * platform's own client of D1.
 */
const ENTRY_SCRIPT = `import { env } from "cloudflare:workers";
for (const [name, service] of Object.entries(env)) {
  if (!name.startsWith("${SERVICE_PREFIX}")) continue;
  const d1 = env[name.slice("${SERVICE_PREFIX}".length)];
  if (d1.fetcher === undefined || d1.alwaysPrimarySession.fetcher === undefined) throw new Error("D1's client has changed");
  d1.fetcher = d1.alwaysPrimarySession.fetcher = service;
}
export * from "./index.js";
export { default } from "./index.js";`;

/** Starts the databases of a Worker in a process of their own. Each batch of statements arrives `delayMs` later. */
export function startDatabases(d1Databases: object, delayMs: number): Promise<Runtime> {
  const bindings = { DELAY_MS: delayMs };
  return startRuntime({ name: "databases", modules: true, script: DATABASES_SCRIPT, d1Databases, bindings });
}

/** Returns the modules of a build that use databases in another process, and the services that they need. */
export function bindRemoteDatabases(buildFolder: string, d1Databases: object, { port }: Runtime): object {
  const entry = { type: "ESModule", path: join(buildFolder, "remote-databases.js"), contents: ENTRY_SCRIPT };
  const services = Object.keys(d1Databases).map((name) => {
    const http = { injectRequestHeaders: [{ name: DATABASE_HEADER, value: name }] };
    return [`${SERVICE_PREFIX}${name}`, { external: { address: `127.0.0.1:${port}`, http } }];
  });
  return { modules: [entry, ...listModules(buildFolder)], serviceBindings: Object.fromEntries(services) };
}
