import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { startHonoBaseline } from "./support/baselines.ts";
import { load, median } from "./support/load.ts";
import {
  buildWorker,
  type Runtime,
  removeBuild,
  startSignpost,
  startUnevaluated,
} from "./support/runtime.ts";
import { HOST, seedLinks, seedWorkspace } from "./support/seed.ts";

/**
 * What a cold start costs: the size of the bundle, its evaluation, and the first requests that a fresh process is asked.
 * Times are medians over fresh processes, as the client sees them; each is also given less that of the same request
 * asked again, which is what being cold adds.
 */

const ROUNDS = 7;
const OUTPUT = "bench-start.json";

/** Milliseconds that a request took as the first and as the second of its kind. */
interface Twice {
  first: number;
  again: number;
}

export default async function run(): Promise<void> {
  const build = buildWorker();
  try {
    const sizes = sizesOf(build);
    console.table(sizes);
    const rounds: Record<string, Twice>[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await runRound(build));
    const times = Object.fromEntries(
      Object.keys(rounds[0] ?? {}).map((name) => [
        name,
        mediansOf(rounds.map((round) => round[name] as Twice)),
      ]),
    );
    console.table(times);
    writeFileSync(OUTPUT, `${JSON.stringify({ sizes, times }, null, 2)}\n`);
  } finally {
    removeBuild(build);
  }
}

/** Of what is uploaded: scripts, and what they load. */
function sizesOf(build: string): Record<string, { bytes: number; gzipped: number }> {
  const files = readdirSync(build).filter((name) => /\.(?:js|wasm)$/.test(name));
  const sizes = files.map((name) => {
    const content = readFileSync(join(build, name));
    // A build names what it copies by a hash first.
    return [
      name.replace(/^[0-9a-f]{40}-/, ""),
      { bytes: content.length, gzipped: gzipSync(content).length },
    ] as const;
  });
  const sum = (of: "bytes" | "gzipped") => sizes.reduce((total, [, size]) => total + size[of], 0);
  return { ...Object.fromEntries(sizes), "in all": { bytes: sum("bytes"), gzipped: sum("gzipped") } };
}

async function runRound(build: string): Promise<Record<string, Twice>> {
  const redirect = `GET /link-0 HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;
  const hono = await withRuntime(startHonoBaseline(), (runtime) => askTwice(runtime, redirect, 302));
  const evaluation = await withRuntime(startUnevaluated(build), (runtime) =>
    askTwice(runtime, redirect, 302),
  );
  const own = await withRuntime(startSignpost(build), async (runtime) => {
    const { workspaceId, keys } = await seedWorkspace(runtime);
    await seedLinks(runtime, workspaceId, "link", 1);
    // D1's simulator is awake from seeding; the cache's is no part of our start either.
    await (await runtime.miniflare.getCaches()).default.match("http://localhost/");
    const list = `GET /v1/links HTTP/1.1\r\nHost: ${HOST}\r\nAuthorization: Bearer ${keys[0]}\r\n\r\n`;
    return {
      "redirect, from D1": await askTwice(runtime, redirect, 302),
      "GET /v1/links": await askTwice(runtime, list, 200),
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

async function askTwice({ port }: Runtime, request: string, status: number): Promise<Twice> {
  const ask = async () => {
    const { latenciesMs, statuses } = await load(port, 1, 1, () => request);
    if (!statuses.has(status)) throw new Error(`expected ${status}, got ${[...statuses.keys()]}`);
    return latenciesMs[0] as number;
  };
  return { first: await ask(), again: await ask() };
}

function mediansOf(rounds: readonly Twice[]): Record<string, number> {
  const of = (value: (round: Twice) => number) => Number(median(rounds.map(value)).toFixed(1));
  return {
    "first, ms": of(({ first }) => first),
    "again, ms": of(({ again }) => again),
    "cold adds, ms": of(({ first, again }) => first - again),
  };
}
