import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build as bundle, type Plugin } from "esbuild";
import { buildAcceptedWorker, listAcceptedRenders } from "./support/accepted-renders.ts";

/**
 * Benchmark of QR codes in workerd, compared with other libraries. A Worker's clock doesn't advance during
 * computation, so this process measures the time, over enough renders to make the request itself negligible.
 */

const require = createRequire(import.meta.url);
const { default: workerdPath }: { default: string } = require("workerd");

const LENGTHS = [30, 120, 1_000];
const SIZE = 10;
const ROUNDS = 9;
const ROUND_MS = 80;
const BYTES_PER_MEBIBYTE = 1_048_576;
const CLOCK_TICKS_PER_SECOND = 100;
/**
 * Number of renders per round of {@link measureAccepted}. More than one, because CPU time is counted in ticks
 * of 10 ms.
 */
const ACCEPTED_RUNS = 6;

/** Time and output size of one render. */
interface Measurement {
  ms: number;
  bytes: number;
}

export default async function run(): Promise<void> {
  const folder = await buildWorker();
  const targets: [name: string, isMet: boolean][] = [];
  const worker = await startWorkerd(folder);
  try {
    const names: string[] = JSON.parse(await requestRenders(worker, "", "", 0, 0));
    for (const length of LENGTHS) {
      const results = await compareRenderers(worker, names, length);
      printResults(`${length} characters, level M, size ${SIZE}`, results);
      targets.push(...checkTargets(length, results));
    }
  } finally {
    worker.stop();
  }
  rmSync(folder, { recursive: true });
  targets.push(...(await measureAccepted()));
  for (const [name, isMet] of targets) console.log(`${isMet ? "holds " : "MISSED"} ${name}`);
  if (targets.some(([, isMet]) => !isMet)) process.exitCode = 1;
}

function buildContent(length: number): string {
  return "https://example.com/".padEnd(length, "abcDEF12-");
}

/**
 * Measures the median of each renderer. The renderers take turns, so that load on the machine affects all of
 * them equally.
 */
async function compareRenderers(
  worker: Workerd,
  names: string[],
  length: number,
): Promise<Map<string, Measurement>> {
  const content = buildContent(length);
  const runs = new Map<string, number>();
  for (const name of names) runs.set(name, await chooseRunCount(worker, name, content));
  const rounds = new Map<string, Measurement[]>(names.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      rounds.get(name)?.push(await measureRenders(worker, name, content, runs.get(name) as number));
    }
  }
  return new Map([...rounds].map(([name, measured]) => [name, findMedian(measured)]));
}

/**
 * Returns a number of renders that takes long enough to make the request negligible. Also warms up the code.
 */
async function chooseRunCount(worker: Workerd, name: string, content: string): Promise<number> {
  let longRounds = 0;
  for (let runs = 4; ; ) {
    const { ms } = await measureRenders(worker, name, content, runs);
    // Three rounds must take long enough. In the first, the code is cold and the request takes most of the
    // time.
    if (ms * runs < ROUND_MS) runs *= 2;
    else if (++longRounds === 3) return runs;
  }
}

function findMedian(measurements: Measurement[]): Measurement {
  return measurements.sort((a, b) => a.ms - b.ms)[measurements.length >> 1] as Measurement;
}

async function measureRenders(
  worker: Workerd,
  name: string,
  content: string,
  runs: number,
  size = SIZE,
  level = "M",
): Promise<Measurement> {
  const startMs = performance.now();
  const { bytes } = JSON.parse(await requestRenders(worker, name, content, runs, size, level));
  return { ms: (performance.now() - startMs) / runs, bytes };
}

async function requestRenders(
  worker: Workerd,
  render: string,
  content: string,
  runs: number,
  size: number,
  level = "M",
): Promise<string> {
  const query = new URLSearchParams({ render, level, runs: String(runs), size: String(size) });
  const response = await fetch(`${worker.url}/?${query}`, { method: "POST", body: content });
  const text = await response.text();
  if (!response.ok) throw new Error(`${render}: ${text}`);
  return text;
}

function printResults(title: string, results: Map<string, Measurement>): void {
  console.log(`\n${title}`);
  for (const [name, { ms, bytes }] of results) {
    console.log(`  ${name.padEnd(24)} ${ms.toFixed(3).padStart(9)} ms ${String(bytes).padStart(9)} bytes`);
  }
}

/** Compares the results with the targets. */
function checkTargets(length: number, results: Map<string, Measurement>): [string, boolean][] {
  const getResult = (name: string) => results.get(name) as Measurement;
  const others = [...results].filter(([name]) => name.startsWith("png") && !name.includes("signpost"));
  const png = getResult("png signpost");
  const times = getResult("png qrcode-svg + resvg").ms / png.ms;
  const svgTimes = getResult("svg qrcode").ms / getResult("svg signpost").ms;
  return [
    [`${length}: PNG ${times.toFixed(1)} times as fast as qrcode-svg + resvg (10)`, times >= 10],
    [`${length}: PNG faster than every other`, others.every(([, other]) => png.ms < other.ms)],
    [`${length}: PNG the smallest of all`, others.every(([, other]) => png.bytes < other.bytes)],
    [`${length}: SVG ${svgTimes.toFixed(1)} times as fast as qrcode (5)`, svgTimes >= 5],
  ];
}

/** Measures the CPU time of the largest renders that the API accepts. Each runs in a new workerd process. */
async function measureAccepted(): Promise<[string, boolean][]> {
  const folder = await buildAcceptedWorker();
  const targets: [string, boolean][] = [];
  console.log("\nlargest accepted requests");
  for await (const { name, request, logo } of listAcceptedRenders()) {
    const worker = await startWorkerd(folder);
    try {
      const render = async (runs: number) => {
        const beforeSeconds = readCpuSeconds(worker.pid);
        const headers = { "X-Render": JSON.stringify({ ...request, runs }) };
        const response = await fetch(worker.url, { method: "POST", headers, body: logo });
        const text = await response.text();
        if (!response.ok) throw new Error(`${name}: ${text}`);
        return { cpuMs: ((readCpuSeconds(worker.pid) - beforeSeconds) * 1_000) / runs, ...JSON.parse(text) };
      };
      const idleBytes = readPeakMemoryBytes(worker.pid);
      const cold = await render(1);
      const mebibytes = (readPeakMemoryBytes(worker.pid) - idleBytes) / BYTES_PER_MEBIBYTE;
      await render(ACCEPTED_RUNS);
      const rounds = [await render(ACCEPTED_RUNS), await render(ACCEPTED_RUNS), await render(ACCEPTED_RUNS)];
      const cpuMs = Math.min(...rounds.map((round) => round.cpuMs));
      console.log(
        `  ${name.padEnd(40)} ${cpuMs.toFixed(0).padStart(4)} ms, first ${cold.cpuMs.toFixed(0).padStart(4)} ms, ` +
          `${String(cold.bytes).padStart(8)} bytes, ${mebibytes.toFixed(0).padStart(3)} MiB`,
      );
      targets.push([`${name} in ${cpuMs.toFixed(0)} ms of CPU (100)`, cpuMs < 100]);
    } finally {
      worker.stop();
    }
  }
  rmSync(folder, { recursive: true });
  return targets;
}

/** Returns the CPU time used by a process, in seconds. */
function readCpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
}

/** Returns a process's peak memory as reported by Linux. */
function readPeakMemoryBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024;
}

interface Workerd {
  url: string;
  pid: number;
  stop(): void;
}

/** Starts workerd directly, without wrangler or Miniflare. */
async function startWorkerd(folder: string): Promise<Workerd> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const config = join(folder, `${port}.capnp`);
  const wasmFiles = readdirSync(folder).filter((file) => file.endsWith(".wasm"));
  writeFileSync(config, buildConfig(port, wasmFiles));
  const workerd = spawn(workerdPath, ["serve", config], { stdio: ["ignore", "inherit", "inherit"] });
  for (let tries = 0; tries < 100; tries++) {
    const isReady = await fetch(url, { method: "POST" }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return { url, pid: workerd.pid as number, stop: () => workerd.kill() };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  workerd.kill();
  throw new Error("workerd did not start");
}

function buildConfig(port: number, wasmFiles: readonly string[]): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [
    (name = "worker.mjs", esModule = embed "worker.mjs"),
    ${wasmFiles.map((file) => `(name = "${file}", wasm = embed "${file}"),`).join("\n    ")}
  ],
  compatibilityDate = "2026-11-01",
);
`;
}

function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Bundles the Worker and its WebAssembly into a temporary folder. */
async function buildWorker(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "signpost-qr-bench-"));
  await bundle({
    entryPoints: [join(import.meta.dirname, "qr.worker.ts")],
    outfile: join(folder, "worker.mjs"),
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["workerd", "worker"],
    minify: true,
    plugins: [workerdPlugin],
    logLevel: "error",
  });
  const wasm = require.resolve("@cf-wasm/resvg/resvg.wasm");
  copyFileSync(wasm, join(folder, "resvg.wasm"));
  return folder;
}

/** Leaves WebAssembly as a separate module for workerd, and uses workerd's own Node.js modules. */
const workerdPlugin: Plugin = {
  name: "for workerd",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.wasm$/ }, () => ({ path: "./resvg.wasm", external: true }));
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true }));
    onResolve({ filter: /^(assert|buffer|fs|path|stream|util|zlib)$/ }, ({ path }) => ({
      path,
      namespace: "node",
    }));
    onLoad({ filter: /.*/, namespace: "node" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule("node:${path}")`,
    }));
  },
};
