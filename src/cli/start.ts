import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { RequestInit } from "miniflare";
import { SECOND_MS } from "../core/time.ts";
import { sleep } from "../core/timeout.ts";
import { CONTROL_HEADER } from "../self-host/control-header.ts";
import { CommandError } from "./command-error.ts";
import { buildDashboard } from "./dashboard-bundle.ts";
import { followGeoFile } from "./geo-file.ts";
import { closeDatabases } from "./local-databases.ts";
import { migrateState } from "./local-migrations.ts";
import { claimState, REPEATED_SIGNAL_MS, requireFreePort, SECRETS, scheduleCron } from "./local-service.ts";
import { createCommand, runCommand } from "./run-command.ts";
import { readShards, readStartVars } from "./settings.ts";
import { DEFAULT_PORT, PROJECT, type StateFolder } from "./state.ts";
import { parsePort } from "./values.ts";
import { prebuildStartWorker } from "./worker-bundle.ts";
import { runWorker } from "./worker-runner.ts";

/** Time until a stop kills workerd. */
const STOP_DEADLINE_MS = 9 * SECOND_MS;
const POLL_MS = 100;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
/** Addresses that only programs of this machine can reach. */
const LOOPBACK = ["127.0.0.1", "::1", "localhost"];

interface StartOptions {
  port: number;
  host: string;
  persistTo?: string;
  envFile?: string;
}

/** Migrates the databases, starts the service and schedules the cron. Returns once it accepts requests. */
async function start({ port, host, persistTo, envFile }: StartOptions): Promise<void> {
  const { vars, secrets, geoFile } = readStartVars(envFile);
  const { PROXY_SECRET: proxySecret = "", ...workerSecrets } = secrets;
  if (!LOOPBACK.includes(host) && proxySecret === "") {
    throw new CommandError("--host: other machines can reach this address, so set PROXY_SECRET");
  }
  const state = await claimState(persistTo);
  await requireFreePort(port, host);
  const bundling = buildDashboard().then(prebuildStartWorker);
  await migrate(state);
  const { OIDC_CLIENT_SECRET: _, ...saved } = vars;
  state.save({ port, vars: saved });

  const pidFile = useWorkerdScript(state);
  const controlSecret = randomBytes(32).toString("hex");
  const miniflare = await runWorker(state, {
    port,
    vars: { ...vars, ...state.ensureSecrets(SECRETS), ...workerSecrets },
    manifest: await bundling,
    log: printLine,
    selfHost: { host, controlSecret, proxySecret },
  });
  // Miniflare's own handlers would exit without finishing requests.
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  scheduleCron((await miniflare.ready).origin);
  const headers = { [CONTROL_HEADER]: controlSecret };
  const control = (init: RequestInit) =>
    miniflare.dispatchFetch("http://control.example/", { ...init, headers });
  followWorkerd(Number(readFileSync(pidFile, "utf8")), () => control({ method: "POST" }));
  if (geoFile !== undefined) {
    await followGeoFile(geoFile, (body) => control({ method: "PUT", body: body as never }), printLine);
  }
  printLine("ready", "info");
}

/** Prints a line of JSON. The Worker's lines are JSON already. */
function printLine(message: string, level: string): void {
  console.log(JSON.stringify({ time: new Date().toISOString(), level, ...parseFields(message) }));
}

function parseFields(message: string): object {
  try {
    const fields: unknown = JSON.parse(message);
    if (typeof fields === "object" && fields !== null) return fields;
  } catch {
    // Lines of workerd are plain text.
  }
  return { message };
}

/** Creates or migrates the databases. Copies existing ones first, so that an update can be undone. */
async function migrate(state: StateFolder): Promise<void> {
  const deployment = { state, environment: undefined, shards: await readShards(undefined) };
  const isFirst = state.beginStorage();
  await migrateState(state, deployment, isFirst, () => {
    printLine(`migrating the databases; ${state.copyStorage()} has the data from before`, "info");
  });
  await closeDatabases();
  if (isFirst) state.finishStorage();
}

/**
 * Makes Miniflare start workerd through a script that saves its process id, and that makes the kernel kill workerd when
 * this process ends. Returns the file with the id.
 */
function useWorkerdScript(state: StateFolder): string {
  const file = join(state.path, "workerd.pid");
  process.env.SIGNPOST_WORKERD = createRequire(import.meta.resolve("miniflare"))("workerd").default;
  process.env.SIGNPOST_WORKERD_PID = file;
  process.env.MINIFLARE_WORKERD_PATH = join(PROJECT, "src/self-host/run-workerd.sh");
  process.env.MINIFLARE_WORKERD_V8_FLAGS ??= "--max-old-space-size=256 --max-semi-space-size=4";
  return file;
}

/**
 * Exits this process with an error when workerd ends by itself, so that the process manager starts both again. Stops
 * workerd after a signal: it finishes its requests and counts their scans. A second signal kills it.
 */
function followWorkerd(pid: number, drain: () => Promise<unknown>): void {
  let stoppedAtMs: number | null = null;
  setInterval(() => {
    // When workerd ends, Miniflare starts another one.
    if (isRunning(pid)) return;
    if (stoppedAtMs === null) printLine("workerd has ended", "error");
    process.exit(stoppedAtMs === null ? 1 : 0);
  }, POLL_MS);
  const stop = async () => {
    if (stoppedAtMs !== null) {
      if (Date.now() > stoppedAtMs + REPEATED_SIGNAL_MS) process.kill(pid, "SIGKILL");
      return;
    }
    stoppedAtMs = Date.now();
    // This response ends once all scans are counted. Until then, workerd finishes requests but accepts none.
    await drain().catch(() => {});
    if (!isRunning(pid)) return;
    process.kill(pid, "SIGTERM");
    await sleep(STOP_DEADLINE_MS);
    process.kill(pid, "SIGKILL");
  };
  for (const signal of SIGNALS) process.on(signal, stop);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Entry point of `npm start`. */
await runCommand(
  createCommand("start")
    .description("Runs the service on this machine, behind a reverse proxy. OPERATING.md has the details.")
    .option("--port <number>", "port to listen on", parsePort, DEFAULT_PORT)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--persist-to <folder>", "data folder (default: .signpost)")
    .option("--env-file <file>", "file with variables and secrets")
    .action(start),
);
