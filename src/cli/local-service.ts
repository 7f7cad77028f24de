import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { hmacSha256Hex } from "../core/crypto.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import type { Vars } from "../env.ts";
import { CONTROL_HEADER } from "../self-host/control-header.ts";
import { CommandError } from "./command-error.ts";
import { lockFolder } from "./lock.ts";
import { type Control, PROJECT, StateFolder } from "./state.ts";
import { WRANGLER, WRANGLER_ENV } from "./wrangler.ts";

/** Names of the Worker's secrets. Each state folder has its own values. */
export const SECRETS = ["UPLOAD_SECRET", "WEBHOOK_KEY", "STATUS_TOKEN"] as const;
const CRON_PATH = "/cdn-cgi/local/scheduled?cron=*+*+*+*+*";
/** Time to wait for a command that uses the state folder. */
const CLAIM_DEADLINE_MS = 10 * SECOND_MS;
const READY_DEADLINE_MS = 2 * MINUTE_MS;
const READY_POLL_MS = 200;
/**
 * Time until all scans are counted: 1 s in which the Worker collects scans in memory, 2 s in which the
 * queue collects a batch, and the time to count the batch.
 */
const DRAIN_MS = 4.5 * SECOND_MS;
const STOP_DEADLINE_MS = 5 * SECOND_MS;
/** Time during which a second signal is ignored, because Ctrl-C sends two: from the terminal and from npm. */
export const REPEATED_SIGNAL_MS = 500;
const PARENT_POLL_MS = 250;

/** Service started by this process. */
export interface Service {
  process: ChildProcess;
  /** Output of the service before {@link Service.showOutput} is called. */
  output: string[];
  /** Prints all further output instead of storing it. */
  showOutput(): void;
}

/**
 * Opens or creates a state folder and locks it for a service of this process. Throws {@link CommandError} if the folder
 * can't be written or another service uses it: two services on one folder would share databases but not queues and
 * Durable Objects. Waits for a command that uses the folder.
 */
export async function claimState(path: string | undefined): Promise<StateFolder> {
  const state = StateFolder.create(path);
  const deadlineMs = Date.now() + CLAIM_DEADLINE_MS;
  while (!tryLock(state.path)) {
    const { control } = state.saved;
    if (Date.now() > deadlineMs || (control !== undefined && (await isAnswering(control.url)))) {
      throw new CommandError(
        `${state.path} is in use by another running service; choose a different --persist-to`,
      );
    }
  }
  if (state.saved.control !== undefined) state.save({ control: undefined });
  return state;
}

function tryLock(path: string): boolean {
  try {
    return lockFolder(path);
  } catch (error) {
    throw new CommandError(`the folder ${path} can't be written (${(error as Error).message})`);
  }
}

/** Returns true if a server responds at all. */
function isAnswering(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

/** Returns how commands reach the Worker of {@link startService}. */
export async function buildDevControl(state: StateFolder, apiUrl: string): Promise<Control> {
  const { UPLOAD_SECRET } = state.ensureSecrets(SECRETS);
  return { url: apiUrl, headers: { [CONTROL_HEADER]: await hmacSha256Hex(UPLOAD_SECRET, CONTROL_HEADER) } };
}

/** Throws {@link CommandError} if another program listens on a port at one of the addresses. */
export async function requireFreePort(port: number, ...addresses: string[]): Promise<void> {
  const areFree = await Promise.all(addresses.map((address) => isPortFree(port, address)));
  if (areFree.every(Boolean)) return;
  throw new CommandError(`port ${port} is in use; choose a different one with --port`);
}

/** Returns false only if the port is in use. Ignores other errors, such as for `::1` without IPv6. */
function isPortFree(port: number, address: string): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once("error", (error) => done(!("code" in error && error.code === "EADDRINUSE")));
    probe.listen(port, address, () => probe.close(() => done(true)));
  });
}

/** Starts the Worker in its own process group. */
export function startService(state: StateFolder, port: number, vars: Vars): Service {
  const args = [
    ...[
      "dev",
      "src/self-host/dev-worker.ts",
      "--port",
      String(port),
      "--inspector-port",
      "0",
      "--persist-to",
      state.path,
    ],
    ...["--env-file", state.ensureSecretsFile(SECRETS), "--show-interactive-dev-session=false"],
    ...Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]),
  ];
  const supervisor = join(import.meta.dirname, "supervisor.ts");
  const child = spawn(process.execPath, [supervisor, process.execPath, WRANGLER, ...args], {
    cwd: PROJECT,
    // If the environment had these secrets, wrangler would use them instead of the state folder's.
    env: { ...WRANGLER_ENV, ...Object.fromEntries(SECRETS.map((name) => [name, undefined])) },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const output: string[] = [];
  let isShown = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      if (isShown) process.stdout.write(chunk);
      else output.push(chunk.toString());
    });
  }
  const showOutput = () => {
    isShown = true;
  };
  return { process: child, output, showOutput };
}

/**
 * Waits until the service responds. After {@link READY_DEADLINE_MS}, throws an error with the service's
 * output.
 */
export async function waitUntilReady(apiUrl: string, service: Service): Promise<void> {
  const deadlineMs = Date.now() + READY_DEADLINE_MS;
  while (!(await isReady(`${apiUrl}/healthz`))) {
    if (Date.now() > deadlineMs)
      throw new Error(`the service did not respond in time:\n${service.output.join("")}`);
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

/** Triggers the Worker's cron every minute. Nothing else triggers it locally. */
export function scheduleCron(apiUrl: string): NodeJS.Timeout {
  return setInterval(() => {
    fetch(`${apiUrl}${CRON_PATH}`).catch((error) => console.error("firing the cron failed", error));
  }, MINUTE_MS);
}

/** Stops the service when this process or npm exits, and exits this process when the service stops. */
export function linkLifetimes(service: Service): void {
  const stop = createStopHandler(service);
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  killAfterNpm(service);
}

/**
 * Returns the signal handler. The first signal stops the service once all scans are counted, the second
 * immediately.
 */
function createStopHandler(service: Service): () => void {
  let stoppedAtMs: number | null = null;
  service.process.once("exit", () => {
    if (stoppedAtMs === null) console.error(`${service.output.join("")}The service stopped unexpectedly.`);
    process.exit(stoppedAtMs === null ? 1 : 0);
  });
  return () => {
    if (stoppedAtMs === null) {
      stoppedAtMs = Date.now();
      console.log("Stopping once the last scans are counted…");
      setTimeout(stopService, DRAIN_MS, service);
    } else if (Date.now() > stoppedAtMs + REPEATED_SIGNAL_MS) {
      stopService(service);
    }
  };
}

/** Stops the service with SIGTERM, and after {@link STOP_DEADLINE_MS} with SIGKILL. */
function stopService(service: Service): void {
  signalGroup(service, "SIGTERM");
  setTimeout(signalGroup, STOP_DEADLINE_MS, service, "SIGKILL");
}

/** Kills the service if npm is killed with SIGKILL. The only sign is that this process gets a new parent. */
function killAfterNpm(service: Service): void {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return;
  setInterval(() => {
    if (process.ppid !== parent) signalGroup(service, "SIGKILL");
  }, PARENT_POLL_MS);
}

function signalGroup({ process: { pid } }: Service, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // All processes of the group have exited.
  }
}
