import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import type { Vars } from "../env.ts";
import { PROJECT, type StateFolder } from "./state.ts";
import { WRANGLER, WRANGLER_ENV } from "./wrangler.ts";

/** The Worker's secrets; each state folder makes its own. */
const SECRETS = ["UPLOAD_SECRET", "WEBHOOK_KEY"];
const CRON_PATH = "/cdn-cgi/local/scheduled?cron=*+*+*+*+*";
const READY_DEADLINE_MS = 2 * MINUTE_MS;
const READY_POLL_MS = 200;
/** A scan waits up to 250 ms for its window to close and a second for its queue's batch. Both live in memory locally. */
const DRAIN_MS = 2 * SECOND_MS;
const STOP_DEADLINE_MS = 5 * SECOND_MS;
/** A terminal's Ctrl-C comes twice: from the terminal, and passed on by npm. */
const ECHO_MS = 500;
const PARENT_POLL_MS = 250;

/** A started service, and what it has said so far. */
export interface Service {
  process: ChildProcess;
  output: string[];
  /** Prints from now on what the service says. */
  show(): void;
}

/** Starts the Worker in a process group of its own. */
export function startService(state: StateFolder, port: number, vars: Vars): Service {
  const args = [
    ...["dev", "--port", String(port), "--inspector-port", "0", "--persist-to", state.path],
    ...["--env-file", state.secretsFile(SECRETS), "--show-interactive-dev-session=false"],
    ...Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]),
  ];
  const leash = join(import.meta.dirname, "supervisor.ts");
  const child = spawn(process.execPath, [leash, process.execPath, WRANGLER, ...args], {
    cwd: PROJECT,
    env: WRANGLER_ENV,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const output: string[] = [];
  let shown = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      if (shown) process.stdout.write(chunk);
      else output.push(chunk.toString());
    });
  }
  const show = () => {
    shown = true;
  };
  return { process: child, output, show };
}

/** Waits until the service answers. Throws with what it said if it takes too long. */
export async function untilReady(apiUrl: string, service: Service): Promise<void> {
  const deadlineMs = Date.now() + READY_DEADLINE_MS;
  while (!(await answers(`${apiUrl}/healthz`))) {
    if (Date.now() > deadlineMs) throw new Error(`the service did not answer:\n${service.output.join("")}`);
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
  }
}

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(address)).ok;
  } catch {
    return false;
  }
}

/** Fires the Worker's cron each minute: locally none fires by itself. */
export function fireCron(apiUrl: string): void {
  setInterval(() => {
    fetch(`${apiUrl}${CRON_PATH}`).catch((error) => console.error("the cron could not be fired", error));
  }, MINUTE_MS);
}

/** Ends this process and the service together, whichever of them is ended, and however. */
export function endTogether(service: Service): void {
  const stop = stopper(service);
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  endWithNpm(service);
}

/** What a signal does: counts the last scans, then ends the service; a second one ends it at once. */
function stopper(service: Service): () => void {
  let stoppedAtMs: number | null = null;
  service.process.once("exit", () => {
    if (stoppedAtMs === null) console.error(`${service.output.join("")}The service has stopped.`);
    process.exit(stoppedAtMs === null ? 1 : 0);
  });
  return () => {
    if (stoppedAtMs === null) {
      stoppedAtMs = Date.now();
      console.log("Stopping, once the last scans are counted …");
      setTimeout(end, DRAIN_MS, service);
    } else if (Date.now() > stoppedAtMs + ECHO_MS) {
      end(service);
    }
  };
}

/** Ends the service gently, and if that takes too long, otherwise. */
function end(service: Service): void {
  signalGroup(service, "SIGTERM");
  setTimeout(signalGroup, STOP_DEADLINE_MS, service, "SIGKILL");
}

/** An npm that was killed passes no signal on; its child then gets another parent. */
function endWithNpm(service: Service): void {
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
    // The group has ended already.
  }
}
