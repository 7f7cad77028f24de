import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { startHonoBaseline } from "./support/baselines.ts";
import { median, runLoad } from "./support/load.ts";
import {
  buildWorker,
  type Runtime,
  removeBuild,
  startLazySignpost,
  startSignpost,
} from "./support/runtime.ts";
import { HOST, seedLinks, seedWorkspace } from "./support/seed.ts";

/**
 * Benchmark of a cold start: bundle size, evaluation time, and the first requests to a new process. Times are
 * medians over new processes, measured at the client. "cold adds" is the difference to the same request sent
 * again.
 */

const ROUNDS = 7;
const OUTPUT = "bench-start.json";

/** Milliseconds for the first request to a process and for the same request sent again. */
interface Times {
  first: number;
  again: number;
}

export default async function run(): Promise<void> {
  const build = buildWorker();
  try {
    const sizes = readSizes(build);
    console.table(sizes);
    const rounds: Record<string, Times>[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await runRound(build));
    const times = Object.fromEntries(
      Object.keys(rounds[0] ?? {}).map((name) => [
        name,
        computeMedians(rounds.map((round) => round[name] as Times)),
      ]),
    );
    console.table(times);
    writeFileSync(OUTPUT, `${JSON.stringify({ sizes, times }, null, 2)}\n`);
  } finally {
    removeBuild(build);
  }
}

/** Reads the sizes of the uploaded scripts and WebAssembly modules. */
function readSizes(build: string): Record<string, { bytes: number; gzipped: number }> {
  const files = readdirSync(build).filter((name) => /\.(?:js|wasm)$/.test(name));
  const sizes = files.map((name) => {
    const content = readFileSync(join(build, name));
    // Builds prefix the names of WebAssembly modules with a hash.
    return [
      name.replace(/^[0-9a-f]{40}-/, ""),
      { bytes: content.length, gzipped: gzipSync(content).length },
    ] as const;
  });
  const sum = (field: "bytes" | "gzipped") => sizes.reduce((total, [, size]) => total + size[field], 0);
  return { ...Object.fromEntries(sizes), total: { bytes: sum("bytes"), gzipped: sum("gzipped") } };
}

async function runRound(build: string): Promise<Record<string, Times>> {
  const redirect = `GET /link-0 HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;
  const hono = await withRuntime(startHonoBaseline(), (runtime) => sendTwice(runtime, redirect, 302));
  const evaluation = await withRuntime(startLazySignpost(build), (runtime) =>
    sendTwice(runtime, redirect, 302),
  );
  const own = await withRuntime(startSignpost(build), async (runtime) => {
    const { workspaceId, keys } = await seedWorkspace(runtime);
    await seedLinks(runtime, workspaceId, "link", 1);
    // Starts the cache simulator, which isn't part of the Worker's start. Seeding has already started the D1
    // simulator.
    await (await runtime.miniflare.getCaches()).default.match("http://localhost/");
    const list = `GET /v1/links HTTP/1.1\r\nHost: ${HOST}\r\nAuthorization: Bearer ${keys[0]}\r\n\r\n`;
    return {
      "redirect, from D1": await sendTwice(runtime, redirect, 302),
      "GET /v1/links": await sendTwice(runtime, list, 200),
    };
  });
  return { "constant Hono route": hono, "evaluation of the Worker": evaluation, ...own };
}

async function withRuntime<Result>(
  starting: Promise<Runtime>,
  use: (runtime: Runtime) => Promise<Result>,
): Promise<Result> {
  const runtime = await starting;
  try {
    return await use(runtime);
  } finally {
    await runtime.stop();
  }
}

async function sendTwice({ port }: Runtime, request: string, status: number): Promise<Times> {
  const send = async () => {
    const { latenciesMs, statuses } = await runLoad(port, 1, 1, () => request);
    if (!statuses.has(status)) throw new Error(`expected ${status}, got ${[...statuses.keys()]}`);
    return latenciesMs[0] as number;
  };
  return { first: await send(), again: await send() };
}

function computeMedians(rounds: readonly Times[]): Record<string, number> {
  const computeMedian = (value: (round: Times) => number) => Number(median(rounds.map(value)).toFixed(1));
  return {
    "first, ms": computeMedian(({ first }) => first),
    "again, ms": computeMedian(({ again }) => again),
    "cold adds, ms": computeMedian(({ first, again }) => first - again),
  };
}
