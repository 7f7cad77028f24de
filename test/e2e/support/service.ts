import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, inject } from "vitest";
import { lockFolder, unlockFolder } from "../../../src/cli/lock.ts";
import { createSignpostClient, type SignpostClient } from "../../../src/client/client.ts";
import { checkResponse } from "../../support/contract.ts";
import { eventually } from "../../support/eventually.ts";
import { findFreePort } from "../../support/free-port.ts";
import { type Prebuilt, runPrebuilt } from "../../support/prebuilt.ts";
import type { SharedWorkspace } from "../../support/services.ts";

export { findFreePort };

const PROJECT = join(import.meta.dirname, "../../..");
const START_DEADLINE_MS = 120_000;
const STOP_DEADLINE_MS = 20_000;

/** Running service, as one of its workspaces uses it. */
export interface ServiceClient {
  port: number;
  /** URL of the API. */
  url: string;
  /** Key of the workspace, with every scope. */
  key: string;
  /** Client of the API with the key. Checks each response against the OpenAPI document. */
  client: SignpostClient;
  /** Calls the API with the key, or with other headers. Checks the response against the OpenAPI document. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Requests a path of a host. Does not follow redirects. */
  visit(host: string, path: string, init?: RequestInit): Promise<Response>;
}

/** Service with the demo workspace, which a test can stop. */
export interface RunningService extends ServiceClient {
  /** URL that signs the demo workspace's owner in once. */
  signInLink: string;
  /** Simulates a crash: sends SIGKILL, and waits until the port is free. */
  kill(): Promise<void>;
}

/** Service started by `npm run dev`. A signal to npm stops it, and a signal to the process group kills it. */
export interface DevService extends RunningService {
  /** Output of the start until the service was ready. */
  output: string;
  /** Stops the service after all scans are counted, and waits until the port is free. */
  stop(): Promise<void>;
  /** Sends SIGKILL to npm only, which cannot pass it on, and waits until the port is free. */
  killNpm(): Promise<void>;
}

/** Creates a temporary folder. */
export function createTempFolder(): string {
  return mkdtempSync(join(tmpdir(), "signpost-e2e-"));
}

/** Service of a test file, started before its tests. A restart replaces its members. */
export type TestService<Service extends RunningService = RunningService> = Service & {
  /** Folder with the service's state. */
  readonly stateFolder: string;
  /** Starts the service on the same state after it was stopped or killed. */
  restart(port?: number): Promise<void>;
};

/**
 * Starts the prebuilt service before a file's tests and kills it afterwards, because only a stop waits for
 * the last scans.
 */
export function useService(stateFolder = createTempFolder()): TestService {
  return useStarted(stateFolder, startPrebuilt);
}

/** Does the same as {@link useService} with `npm run dev`, which takes ten times as long. */
export function useDevService(stateFolder = createTempFolder()): TestService<DevService> {
  return useStarted(stateFolder, startService);
}

function useStarted<Service extends RunningService>(
  stateFolder: string,
  start: (stateFolder: string, port: number) => Promise<Service>,
): TestService<Service> {
  const service = {
    stateFolder,
    async restart(port = service.port) {
      Object.assign(service, await start(stateFolder, port));
    },
  } as TestService<Service>;
  beforeAll(async () => service.restart(await findFreePort()), START_DEADLINE_MS + STOP_DEADLINE_MS);
  // If the start failed, nothing is running.
  afterAll(() => service.kill?.());
  return service;
}

/** Workspace of a test file on the service that all files share. */
export type SharedService = ServiceClient & SharedWorkspace;

/** Creates an empty workspace with the business plan on the shared service before a file's tests. */
export function useSharedService(): SharedService {
  return useShared("/workspaces");
}

/** Returns the demo workspace of the shared service, whose short links have the host `localhost`, to one file only. */
export function useSharedDemo(): SharedService {
  return useShared("/demo");
}

function useShared(path: string): SharedService {
  const service = {} as SharedService;
  beforeAll(async () => {
    const workspace = await askServices<SharedWorkspace>(path);
    Object.assign(service, workspace, connectClient(workspace.port, workspace.key));
  }, START_DEADLINE_MS);
  return service;
}

/** Calls the server of the global setup. */
async function askServices<Result>(path: string): Promise<Result> {
  const response = await fetch(`${inject("servicesUrl")}${path}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Result;
}

/** Starts the prebuilt service in this process. A new state folder has the empty demo workspace. */
export async function startPrebuilt(stateFolder: string, port: number): Promise<RunningService> {
  const prebuilt = await askServices<Prebuilt>("/prebuilt");
  const { key, signInLink, kill } = await runPrebuilt(prebuilt, stateFolder, port);
  return { ...connectClient(port, key), signInLink, kill };
}

/** Returns the arguments of npm that start the service. */
function listDevArguments(stateFolder: string, port: number, options: readonly string[]): string[] {
  return ["run", "dev", "--", "--port", String(port), "--persist-to", stateFolder, ...options];
}

/** Runs `npm run dev`, without sample data unless `options` say otherwise, and waits until it has printed its banner. */
export async function startService(
  stateFolder: string,
  port: number,
  options: readonly string[] = ["--empty"],
): Promise<DevService> {
  const args = listDevArguments(stateFolder, port, options);
  const child = spawn("npm", args, {
    cwd: PROJECT,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const output = await readOutputUntil(child, "Content-Type: application/json").catch((error) => {
    child.kill("SIGTERM");
    throw error;
  });
  const key = /svc_pk_[A-Za-z0-9]{8}\.[A-Za-z0-9]{64}/.exec(output)?.[0] ?? "";
  return {
    ...connectClient(port, key),
    output,
    signInLink: /Sign in +(http:\S+)/.exec(output)?.[1] ?? "",
    stop: () => stopProcess(child, port, () => child.kill("SIGTERM")),
    kill: () => stopProcess(child, port, () => process.kill(-(child.pid ?? 0), "SIGKILL")),
    killNpm: () => stopProcess(child, port, () => child.kill("SIGKILL")),
  };
}

/** First start that {@link killStart} kills. */
interface KilledStart {
  stateFolder: string;
  port: number;
  /** File or folder whose creation ends the start. */
  until: string;
  options?: readonly string[];
  /** True to kill npm only, which cannot pass the signal on, instead of its process group. */
  isNpmOnly?: boolean;
}

/** Path of the file that wrangler writes when {@link killStart} starts it with the state folder. */
export const getWranglerLog = (stateFolder: string) => `${stateFolder}-wrangler.log`;

/** Runs `npm run dev` and sends SIGKILL before it is ready. Waits until nothing uses the state folder. */
export async function killStart({ stateFolder, port, until, options = [], isNpmOnly }: KilledStart) {
  const args = listDevArguments(stateFolder, port, options);
  const env = { ...process.env, WRANGLER_LOG_PATH: getWranglerLog(stateFolder) };
  const child = spawn("npm", args, { cwd: PROJECT, env, stdio: "ignore", detached: true });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  await eventually(
    async () => existsSync(until),
    (isThere) => isThere,
    START_DEADLINE_MS,
  );
  process.kill((child.pid ?? 0) * (isNpmOnly ? 1 : -1), "SIGKILL");
  await exited;
  // The command keeps the folder locked until it has ended, which may take longer than the end of npm.
  await eventually(
    async () => lockFolder(stateFolder),
    (isLocked) => isLocked,
    START_DEADLINE_MS,
  );
  unlockFolder(stateFolder);
}

function connectClient(port: number, key: string): ServiceClient {
  const url = `http://localhost:${port}`;
  return {
    port,
    url,
    key,
    client: createSignpostClient({ apiUrl: url, key, fetch: fetchChecked, retries: 0 }),
    call: (method, path, body, headers) =>
      fetchChecked(
        new Request(`${url}${path}`, {
          method,
          headers: {
            Authorization: `Bearer ${key}`,
            ...(body !== undefined && { "Content-Type": "application/json" }),
            ...headers,
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      ),
    visit: (host, path, init) => visit(port, host, path, init),
  };
}

/** Sends a request to the API and checks the response against the OpenAPI document. */
async function fetchChecked(request: Request): Promise<Response> {
  const response = await fetch(request);
  const body = response.body === null ? null : await response.arrayBuffer();
  checkResponse(request, response, body);
  return new Response(body, response);
}

/** Runs the admin command with `--json` on a state folder and returns the parsed output. */
export function runAdmin<Result>(stateFolder: string, ...words: string[]): Promise<Result> {
  const args = ["run", "--silent", "admin", "--", ...words, "--json", "--persist-to", stateFolder];
  return new Promise((resolve, reject) => {
    execFile("npm", args, { cwd: PROJECT }, (error, stdout, stderr) => {
      if (error === null) resolve(JSON.parse(stdout));
      else reject(new Error(stderr.trim()));
    });
  });
}

function readOutputUntil(child: ChildProcess, mark: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const timer = setTimeout(
      () => reject(new Error(`the service did not start:\n${output}`)),
      START_DEADLINE_MS,
    );
    const listen = (chunk: Buffer) => {
      output += chunk;
      if (!output.includes(mark)) return;
      clearTimeout(timer);
      resolve(output);
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.on("exit", () => reject(new Error(`the service ended during its start:\n${output}`)));
  });
}

/** Requests a path with any `Host` header, which `fetch` would derive from the URL. */
export async function visit(
  port: number,
  host: string,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const headers = { ...(init.headers as Record<string, string>), Host: host };
  return new Promise((resolve, reject) => {
    const options = { host: "localhost", port, path, method: init.method ?? "GET", headers };
    const sent = httpRequest(options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("end", () => {
        const responseHeaders = new Headers();
        for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
          responseHeaders.append(incoming.rawHeaders[i] as string, incoming.rawHeaders[i + 1] as string);
        }
        const body = chunks.length === 0 ? null : Buffer.concat(chunks);
        resolve(new Response(body, { status: incoming.statusCode ?? 0, headers: responseHeaders }));
      });
    });
    sent.on("error", reject);
    sent.end(init.body as string | undefined);
  });
}

async function stopProcess(child: ChildProcess, port: number, signal: () => void): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = new Promise((resolve) => child.once("exit", resolve));
    signal();
    await exited;
  }
  await eventually(
    () => isPortFree(port),
    (isFree) => isFree,
    STOP_DEADLINE_MS,
  );
}

function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "localhost", () => probe.close(() => resolve(true)));
  });
}
