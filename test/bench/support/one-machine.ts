import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executeStatements } from "../../../src/cli/admin-database.ts";
import { createKey } from "../../../src/cli/records.ts";
import { StateFolder } from "../../../src/cli/state.ts";
import { createWorkspace } from "../../../src/cli/workspace-creation.ts";
import { ALL_SCOPES } from "../../../src/permissions/scopes.ts";
import { findFreePort } from "../../support/free-port.ts";
import { runLoad } from "./load.ts";

/** Runs `npm start` and `npm run dev` for benchmarks, without npm. */

/** Host of the API of `npm start`. */
export const HOST = "bench.test";

/** Running command. */
export interface Running {
  child: ChildProcess;
  port: number;
  stateFolder: string;
  readyMs: number;
  /** Resolves when the process has ended. */
  ended: Promise<unknown>;
}

/** Creates a temporary folder with a file of variables for `npm start`. */
export function createStartFolder(): { folder: string; envFile: string } {
  const folder = mkdtempSync(join(tmpdir(), "one-machine-"));
  const envFile = join(folder, "signpost.env");
  const hosts = [`API_URL=http://${HOST}`, "BIO_URL=http://bio.test", "CDN_URL=http://cdn.test"];
  writeFileSync(envFile, [...hosts, "APP_URL=http://app.test", `SHORT_DOMAIN=${HOST}`].join("\n"));
  return { folder, envFile };
}

/** Starts a command on a free port, and waits until it is ready. */
export async function launch(
  command: "dev" | "start",
  stateFolder: string,
  ...options: string[]
): Promise<Running> {
  const port = await findFreePort();
  const args = [`src/cli/${command}.ts`, "--port", String(port), "--persist-to", stateFolder, ...options];
  const startMs = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const mark = command === "dev" ? "Content-Type: application/json" : '"ready"';
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.once("exit", () => reject(new Error(output)));
    child.stdout.on("data", (chunk) => {
      output += chunk;
      if (output.includes(mark)) resolve();
    });
  });
  return { child, port, stateFolder, readyMs: performance.now() - startMs, ended: once(child, "exit") };
}

/** Stops a command and waits until it has ended. */
export async function stop({ child, ended }: Running): Promise<void> {
  child.kill("SIGTERM");
  await ended;
}

/** Returns the id of the workerd of `npm start`. */
export function readWorkerdPid({ stateFolder }: Running): number {
  return Number(readFileSync(join(stateFolder, "workerd.pid"), "utf8"));
}

/** Returns the rows of a statement on the shard of the workspace of {@link createWorld}. */
export async function query<Row>({ stateFolder }: Running, statement: string): Promise<Row[]> {
  const [rows] = await executeStatements(openDeployment(stateFolder), "SHARD_0", [statement]);
  return rows as Row[];
}

function openDeployment(stateFolder: string) {
  return { state: StateFolder.open(stateFolder), environment: undefined, shards: [0, 1] };
}

/** Creates a workspace with a link on a service. Returns functions that format requests. */
export async function createWorld({ port, stateFolder }: Running, apiHost: string) {
  const deployment = openDeployment(stateFolder);
  const hostname = `bench.${apiHost}`;
  await createWorkspace(deployment, {
    ...{ slug: "bench", name: "Bench", plan: "enterprise", description: "", hostname, shard: 0 },
  } as const);
  const newKey = { name: "bench", scopes: [ALL_SCOPES], expiresAtMs: null };
  const { key } = await createKey(deployment, "bench", newKey);
  const formatCall = (method: string, path: string, value?: object) => {
    const body = value === undefined ? "" : JSON.stringify(value);
    const head = `Host: ${apiHost}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json`;
    return `${method} ${path} HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
  const link = { url: "https://example.com/", custom_slug: "bench" };
  await sendOnce(port, formatCall("POST", "/v1/links", link), 201);
  const visit = `GET /bench HTTP/1.1\r\nHost: ${hostname}\r\nUser-Agent: Mozilla/5.0 Chrome/130.0\r\n\r\n`;
  return { key, formatCall, visit };
}

/** Sends a request once. Throws if its status isn't the expected one. */
export async function sendOnce(port: number, request: string, status: number): Promise<void> {
  const { statuses } = await runLoad(port, 1, 1, () => request);
  if (!statuses.has(status)) throw new Error(`expected ${status}, got ${[...statuses.keys()]}`);
}
