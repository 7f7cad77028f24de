import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ALL_SCOPES } from "../auth/key.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { readSettings, type Vars } from "../env.ts";
import { type DatabaseTarget, migrate } from "./database.ts";
import { hold } from "./hold.ts";
import { AdminError, createKey, createWorkspace, listWorkspaces } from "./records.ts";
import { localVars } from "./settings.ts";
import { DEFAULT_PORT, PROJECT, StateFolder } from "./state.ts";
import { WRANGLER, WRANGLER_ENV } from "./wrangler.ts";

const DEMO = {
  slug: "demo",
  name: "Demo",
  plan: "business",
  description: "Made by the first local start",
} as const;
const CRON_PATH = "/cdn-cgi/local/scheduled?cron=*+*+*+*+*";
const READY_DEADLINE_MS = 2 * MINUTE_MS;
const READY_POLL_MS = 200;
const STOP_DEADLINE_MS = 5 * SECOND_MS;
/** The Worker's secrets; each state folder makes its own. */
const SECRETS = ["UPLOAD_SECRET", "WEBHOOK_KEY"];

/** `npm run dev`: migrates, makes the demo workspace, starts the service, fires its cron, and stops it all. */
async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { port: { type: "string" }, "persist-to": { type: "string" } },
  });
  const state = new StateFolder(values["persist-to"]);
  const port = portOf(values.port);
  // Two services on one state folder would each hold half of the truth.
  if (!(await hold(state.path)))
    throw new AdminError(`${state.path} is in use by another start; choose another --persist-to`);
  await requireFreePort(port);
  console.log("Preparing the database …");
  const target: DatabaseTarget = { state, environment: undefined };
  await migrate(target);
  const demoKey = await ensureDemo(target, state, port);

  const vars = localVars(port);
  const service = startService(state, port, vars);
  const stop = stopper(service);
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  await untilReady(vars.API_URL, service);
  state.remember({ port });
  console.log(banner(vars, state, demoKey));
  fireCron(vars.API_URL);
}

function portOf(text: string | undefined): number {
  const port = Number(text ?? DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new AdminError(`--port: must be 1 to 65535`);
  return port;
}

function requireFreePort(port: number): Promise<void> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once("error", () =>
      fail(new AdminError(`port ${port} is in use; choose another: npm run dev -- --port N`)),
    );
    probe.listen(port, "localhost", () => probe.close(() => done()));
  });
}

/** Makes the demo workspace on first start, on the API's own host, and answers with its key. */
async function ensureDemo(target: DatabaseTarget, state: StateFolder, port: number): Promise<string> {
  const known = state.remembered.demoKey;
  if (known !== undefined) return known;
  const workspaces = await listWorkspaces(target);
  if (!workspaces.some(({ slug }) => slug === DEMO.slug)) {
    await createWorkspace(target, { ...DEMO, hostname: readSettings(localVars(port)).apiHost });
  }
  const { key } = await createKey(target, DEMO.slug, {
    name: "demo",
    scopes: [ALL_SCOPES],
    expiresAtMs: null,
  });
  state.remember({ demoKey: key });
  return key;
}

/** A started service, and what it has said so far. */
interface Service {
  process: ChildProcess;
  output: string[];
  /** Prints from now on what the service says. */
  show(): void;
}

function startService(state: StateFolder, port: number, vars: Vars): Service {
  const args = [
    ...["dev", "--port", String(port), "--inspector-port", "0", "--persist-to", state.path],
    ...["--env-file", state.secretsFile(SECRETS), "--show-interactive-dev-session=false"],
    ...Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]),
  ];
  const leash = join(import.meta.dirname, "leash.ts");
  const child = spawn(process.execPath, [leash, process.execPath, WRANGLER, ...args], {
    cwd: PROJECT,
    env: WRANGLER_ENV,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const output: string[] = [];
  let shown = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      if (shown) process.stdout.write(chunk);
      else output.push(chunk.toString());
    });
  }
  const show = () => {
    shown = true;
  };
  return { process: child, output, show };
}

/** Ends the service's whole process group, first gently; then this process. */
function stopper(service: Service): () => void {
  let stopping = false;
  service.process.once("exit", () => {
    if (!stopping) console.error(`${service.output.join("")}The service has stopped.`);
    process.exit(stopping ? 0 : 1);
  });
  return () => {
    if (stopping) return;
    stopping = true;
    signalGroup(service, "SIGTERM");
    setTimeout(() => signalGroup(service, "SIGKILL"), STOP_DEADLINE_MS);
  };
}

function signalGroup({ process: { pid } }: Service, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The group has ended already.
  }
}

async function untilReady(apiUrl: string, service: Service): Promise<void> {
  const deadlineMs = Date.now() + READY_DEADLINE_MS;
  while (!(await answers(`${apiUrl}/healthz`))) {
    if (Date.now() > deadlineMs) throw new Error(`the service did not answer:\n${service.output.join("")}`);
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
  }
  service.show();
}

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(address)).ok;
  } catch {
    return false;
  }
}

/** Locally no cron fires by itself. */
function fireCron(apiUrl: string): void {
  setInterval(() => {
    fetch(`${apiUrl}${CRON_PATH}`).catch((error) => console.error("the cron could not be fired", error));
  }, MINUTE_MS);
}

function banner(vars: Vars, state: StateFolder, demoKey: string): string {
  return `
Signpost is running.

  API           ${vars.API_URL}/v1
  Short links   ${vars.API_URL}/{code}
  Bio pages     ${vars.BIO_URL}/{slug}
  Public files  ${vars.CDN_URL}
  State         ${state.path}

  Workspace     ${DEMO.slug} (plan ${DEMO.plan})
  API key       ${demoKey}

Make a short link:

  curl -X POST ${vars.API_URL}/v1/links \\
    -H 'Authorization: Bearer ${demoKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{"url":"https://example.com"}'
`;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof AdminError ? error.message : error);
  process.exit(1);
}
