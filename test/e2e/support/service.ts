import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createSignpostClient, type SignpostClient } from "../../../src/client/client.ts";
import { checkResponse } from "../../support/contract.ts";
import { eventually } from "../../support/eventually.ts";

export { eventually };

const PROJECT = resolve(import.meta.dirname, "../../..");
const START_DEADLINE_MS = 120_000;
const STOP_DEADLINE_MS = 20_000;

/** A service that `npm run dev` started, as a user starts it. */
export interface RunningService {
  port: number;
  /** Address of the API surface. */
  url: string;
  /** What the start printed until it was ready. */
  output: string;
  /** Key of the demo workspace, as printed. */
  key: string;
  /** The client of the API, with the demo key. What it is answered is checked against the document. */
  client: SignpostClient;
  /** Calls the API with the demo key, or another; what it answers is checked against the document. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Asks a host for a path; redirects are not followed. */
  visit(host: string, path: string, init?: RequestInit): Promise<Response>;
  /** Ends it with a SIGTERM to npm alone, and waits until the port is free. */
  stop(): Promise<void>;
  /** Ends it with SIGKILL to all of its group, as a crash would, and waits until the port is free. */
  kill(): Promise<void>;
  /** Ends npm alone with SIGKILL, of which nothing below it is told, and waits until the port is free. */
  killNpm(): Promise<void>;
}

/** A folder for the state of one test. */
export function freshFolder(): string {
  return mkdtempSync(join(tmpdir(), "signpost-e2e-"));
}

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.on("error", fail);
    server.listen(0, "localhost", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Runs `npm run dev` and waits until it has printed what a newcomer needs. */
export async function startService(stateFolder: string, port: number): Promise<RunningService> {
  const child = spawn("npm", ["run", "dev", "--", "--port", String(port), "--persist-to", stateFolder], {
    cwd: PROJECT,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const output = await outputUntil(child, "Content-Type: application/json").catch((error) => {
    child.kill("SIGTERM");
    throw error;
  });
  const url = `http://localhost:${port}`;
  const key = /svc_pk_[A-Za-z0-9]{8}\.[A-Za-z0-9]{64}/.exec(output)?.[0] ?? "";
  return {
    port,
    url,
    output,
    key,
    client: createSignpostClient({ apiUrl: url, key, fetch: fetchChecked }),
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
    stop: () => end(child, port, () => child.kill("SIGTERM")),
    kill: () => end(child, port, () => process.kill(-(child.pid ?? 0), "SIGKILL")),
    killNpm: () => end(child, port, () => child.kill("SIGKILL")),
  };
}

/** Asks the API, whose answer has to be as its document says. */
async function fetchChecked(request: Request): Promise<Response> {
  const response = await fetch(request);
  const body = response.body === null ? null : await response.arrayBuffer();
  checkResponse(request, response, body);
  return new Response(body, response);
}

/** Runs the admin command with `--json` on a state folder and answers with what it printed. */
export function admin<Result>(stateFolder: string, ...words: string[]): Promise<Result> {
  const args = ["run", "--silent", "admin", "--", ...words, "--json", "--persist-to", stateFolder];
  return new Promise((done, fail) => {
    execFile("npm", args, { cwd: PROJECT }, (error, stdout, stderr) => {
      if (error === null) done(JSON.parse(stdout));
      else fail(new Error(stderr.trim()));
    });
  });
}

function outputUntil(child: ChildProcess, mark: string): Promise<string> {
  return new Promise((done, fail) => {
    let output = "";
    const timer = setTimeout(
      () => fail(new Error(`the service did not start:\n${output}`)),
      START_DEADLINE_MS,
    );
    const listen = (chunk: Buffer) => {
      output += chunk;
      if (!output.includes(mark)) return;
      clearTimeout(timer);
      done(output);
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.on("exit", () => fail(new Error(`the service ended:\n${output}`)));
  });
}

/** The name `fetch` connects to is the Host it sends, so a request for another host is made by hand. */
async function visit(port: number, host: string, path: string, init: RequestInit = {}): Promise<Response> {
  const { request } = await import("node:http");
  const headers = { ...(init.headers as Record<string, string>), Host: host };
  return new Promise((done, fail) => {
    const options = { host: "localhost", port, path, method: init.method ?? "GET", headers };
    const sent = request(options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("end", () => {
        const answered = new Headers();
        for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
          answered.append(incoming.rawHeaders[i] as string, incoming.rawHeaders[i + 1] as string);
        }
        const body = chunks.length === 0 ? null : Buffer.concat(chunks);
        done(new Response(body, { status: incoming.statusCode ?? 0, headers: answered }));
      });
    });
    sent.on("error", fail);
    sent.end(init.body as string | undefined);
  });
}

async function end(child: ChildProcess, port: number, signal: () => void): Promise<void> {
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
  return new Promise((done) => {
    const probe = createServer();
    probe.once("error", () => done(false));
    probe.listen(port, "localhost", () => probe.close(() => done(true)));
  });
}
