import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { bundleHonoBaseline, startHonoBaseline } from "./support/baselines.ts";
import { median, runLoad } from "./support/load.ts";
import { type StartTimes, timeProcessStart, writeProcessConfig } from "./support/process-start.ts";
import {
  buildWorker,
  listModules,
  type Runtime,
  removeBuild,
  startLazySignpost,
  startSignpost,
} from "./support/runtime.ts";
import { HOST, seedLinks, seedWorkspace } from "./support/seed.ts";

/**
 * Benchmark of a cold start: bundle size, compilation and evaluation, and the first requests to a new process.
 * Times are medians over new processes, measured at the client. "cold adds" is the difference to the same request
 * sent again, "over Hono" the difference to the start of a process with a constant Hono route in the same round.
 */

const ROUNDS = 7;
const PROCESS_ROUNDS = 25;
/** Maximum size of the uploaded scripts. */
const SCRIPT_LIMIT_BYTES = 1_400_000;
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
    const share = (sizes.scripts.bytes / SCRIPT_LIMIT_BYTES).toFixed(2);
    console.log(
      `The scripts have ${share} of the ${SCRIPT_LIMIT_BYTES.toLocaleString("en")} bytes they may have.`,
    );
    const starts = await measureStarts(build);
    console.table(starts);
    const rounds: Record<string, Times>[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await runRound(build));
    const times = Object.fromEntries(
      Object.keys(rounds[0] ?? {}).map((name) => [
        name,
        computeMedians(rounds.map((round) => round[name] as Times)),
      ]),
    );
    console.table(times);
    writeFileSync(OUTPUT, `${JSON.stringify({ sizes, starts, times }, null, 2)}\n`);
  } finally {
    removeBuild(build);
  }
}

type Size = { bytes: number; gzipped: number };

/** Reads the sizes of the uploaded scripts, of other texts and of WebAssembly modules. */
function readSizes(build: string): Record<"scripts" | "texts" | "WebAssembly" | "total", Size> {
  const modules = listModules(build);
  const sum = (isCounted: (type: string) => boolean): Size => {
    const contents = modules.filter(({ type }) => isCounted(type)).map(({ path }) => readFileSync(path));
    const add = (measure: (content: Buffer) => number) =>
      contents.reduce((total, content) => total + measure(content), 0);
    return { bytes: add(({ length }) => length), gzipped: add((content) => gzipSync(content).length) };
  };
  return {
    scripts: sum((type) => type === "ESModule"),
    texts: sum((type) => type === "Text"),
    WebAssembly: sum((type) => type === "CompiledWasm"),
    total: sum(() => true),
  };
}

/** Code that returns a constant 302. */
const REDIRECT = "export default { fetch: () => new Response(null, { status: 302 }) };";
/** The same code after evaluating the Worker. */
const EVALUATION = `import "./index.js"; ${REDIRECT}`;

/**
 * Measures the start of processes up to their first redirect: with a constant Hono route, with the Worker's modules
 * compiled but not evaluated, and with the Worker's modules compiled and evaluated.
 */
async function measureStarts(build: string): Promise<Record<string, Record<string, number>>> {
  const hono = await bundleHonoBaseline();
  const worker = { isCompiled: true };
  const configs = {
    "constant Hono route": writeProcessConfig(build, "hono", hono, { isCompiled: false }),
    "Worker compiled": writeProcessConfig(build, "compiled", REDIRECT, worker),
    "Worker compiled and evaluated": writeProcessConfig(build, "evaluated", EVALUATION, worker),
  };
  const rounds: StartTimes[][] = [];
  for (let round = 0; round < PROCESS_ROUNDS; round++) {
    const times: StartTimes[] = [];
    for (const config of Object.values(configs)) times.push(await timeProcessStart(config));
    rounds.push(times);
  }
  return Object.fromEntries(
    Object.keys(configs).map((name, index) => {
      const times = rounds.map((round) => round[index] as StartTimes);
      const added = rounds.map(([hono], round) =>
        subtractTimes(times[round] as StartTimes, hono as StartTimes),
      );
      const computeMedian = (values: number[]) => Number(median(values).toFixed(1));
      const medians = {
        "start, ms": computeMedian(times.map(({ elapsedMs }) => elapsedMs)),
        "over Hono, ms": computeMedian(added.map(({ elapsedMs }) => elapsedMs)),
        "CPU, ms": computeMedian(times.map(({ cpuMs }) => cpuMs)),
        "CPU over Hono, ms": computeMedian(added.map(({ cpuMs }) => cpuMs)),
      };
      return [name, medians];
    }),
  );
}

function subtractTimes(times: StartTimes, others: StartTimes): StartTimes {
  return { elapsedMs: times.elapsedMs - others.elapsedMs, cpuMs: times.cpuMs - others.cpuMs };
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
