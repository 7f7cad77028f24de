import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchOptions } from "./run.ts";
import { type LoadResult, percentile, type RequestMaker, runLoad } from "./support/load.ts";
import {
  createStartFolder,
  createWorld,
  HOST,
  launch,
  query,
  type Running,
  readWorkerdPid,
  sendOnce,
  stop,
} from "./support/one-machine.ts";

/**
 * Benchmark of `npm start`. Compares it with `npm run dev` in the same run: time until ready, and warm redirects a second
 * with their scans counted. With `--minutes N`, loads only `npm start`, with redirects and all kinds of calls, and prints
 * the memory of both processes every minute. `--rate N` is the maximum number of redirects a second.
 */

const CONNECTIONS = 10;
const ROUNDS = 3;
const DEV_REQUESTS = 1_000;
const START_REQUESTS = 20_000;
const TARGET = 10;
const MINUTE_MS = 60_000;
/** Calls a second of each kind. An hour of them is within the monthly quota of the largest plan. */
const CALLS_PER_SECOND = 2;

export default async function run({ minutes, rate }: BenchOptions): Promise<void> {
  if (minutes === undefined) await compare();
  else await watchMemory(Number(minutes), Number(rate ?? Number.POSITIVE_INFINITY));
}

async function compare(): Promise<void> {
  const { folder, envFile } = createStartFolder();
  const dev = await launch("dev", join(folder, "dev"), "--empty");
  const first = await launch("start", join(folder, "start"), "--env-file", envFile);
  await stop(first);
  const own = await launch("start", join(folder, "start"), "--env-file", envFile);
  try {
    const visits = { dev: await createWorld(dev, "localhost"), start: await createWorld(own, HOST) };
    const measure = async ({ port }: Running, visit: string, count: number) => {
      const { seconds, statuses } = await runLoad(port, count, CONNECTIONS, () => visit);
      if (statuses.get(302) !== count) throw new Error(`unexpected responses: ${[...statuses.keys()]}`);
      return Math.round(count / seconds);
    };
    const rates = { dev: [] as number[], start: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      rates.dev.push(await measure(dev, visits.dev.visit, DEV_REQUESTS));
      rates.start.push(await measure(own, visits.start.visit, START_REQUESTS));
    }
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    const ratio = sum(rates.start) / sum(rates.dev);
    console.table({
      "npm run dev": { "ready, ms": Math.round(dev.readyMs), "redirects a second": rates.dev.join(", ") },
      "npm start, first": { "ready, ms": Math.round(first.readyMs) },
      "npm start": { "ready, ms": Math.round(own.readyMs), "redirects a second": rates.start.join(", ") },
    });
    console.log(`Ratio of redirects: ${ratio.toFixed(1)} (target: at least ${TARGET}).`);
  } finally {
    await stop(own);
    await stop(dev);
  }
}

/** Requests of one kind, and the status of their responses. */
interface Kind {
  make: RequestMaker;
  status: number;
}

async function createKinds(own: Running): Promise<Record<string, Kind>> {
  const { formatCall, visit } = await createWorld(own, HOST);
  const page = { title: "Bench", slug: "bench" };
  await sendOnce(own.port, formatCall("POST", "/v1/bio/pages", page), 201);
  const [{ link = "", page: pageId = "" } = {}] = await query<{ link: string; page: string }>(
    own,
    "SELECT (SELECT id FROM links) AS link, (SELECT id FROM bio_pages) AS page",
  );
  await sendOnce(own.port, formatCall("POST", `/v1/bio/pages/${pageId}/publish`), 200);
  const get = (path: string) => ({ make: () => formatCall("GET", path), status: 200 });
  return {
    redirect: { make: () => visit, status: 302 },
    create: {
      make: (n) => formatCall("POST", "/v1/links", { url: `https://example.com/${n}` }),
      status: 201,
    },
    change: { make: (n) => formatCall("PATCH", `/v1/links/${link}`, { title: `Title ${n}` }), status: 200 },
    read: get(`/v1/links/${link}`),
    list: get("/v1/links?limit=50"),
    search: get("/v1/links?search=example"),
    analytics: get(`/v1/analytics/breakdown?by=country&link_id=${link}`),
    code: get(`/v1/links/${link}/qr`),
    page: { make: () => "GET /bench HTTP/1.1\r\nHost: bio.test\r\n\r\n", status: 200 },
  };
}

/** Prints a row a minute, so that an interrupted run has shown its results. */
async function watchMemory(minutes: number, rate: number): Promise<void> {
  const { folder, envFile } = createStartFolder();
  const own = await launch("start", join(folder, "start"), "--env-file", envFile);
  try {
    const kinds = Object.entries(await createKinds(own));
    const columns = ["redirects/s", "p99, ms", "calls/s", "p99, ms", "unexpected", "Node, MB", "workerd, MB"];
    const print = (values: readonly (string | number)[]) =>
      console.log(values.map((value, n) => String(value).padStart(n === 0 ? 6 : 12)).join(""));
    print(["minute", ...columns]);
    const memory = () => [readMemoryMb(own.child.pid ?? 0), readMemoryMb(readWorkerdPid(own))];
    print([0, 0, "", 0, "", "", ...memory()]);
    for (let minute = 1; minute <= minutes; minute++) {
      const signal = AbortSignal.timeout(MINUTE_MS);
      const results = await Promise.all(
        kinds.map(([name, { make }]) => {
          const isRedirect = name === "redirect";
          const [connections, perSecond] = isRedirect ? [CONNECTIONS, rate] : [1, CALLS_PER_SECOND];
          return runLoad(own.port, Number.POSITIVE_INFINITY, connections, make, signal, perSecond);
        }),
      );
      const unexpected = kinds.flatMap(([name, { status }], n) =>
        [...(results[n]?.statuses ?? [])].flatMap(([other, count]) =>
          other === status ? [] : [`${count} ${name} ${other}`],
        ),
      );
      const redirects = summarize(results.slice(0, 1));
      const calls = summarize(results.slice(1));
      print([minute, ...redirects, ...calls, unexpected.join(", ") || "none", ...memory()]);
    }
  } finally {
    await stop(own);
  }
}

/** Returns the requests a second and the 99th percentile of their times. */
function summarize(results: readonly LoadResult[]): number[] {
  const times = results.flatMap(({ latenciesMs }) => latenciesMs).sort((one, other) => one - other);
  return [
    Math.round(times.length / Math.max(...results.map(({ seconds }) => seconds))),
    Math.round(percentile(times, 0.99)),
  ];
}

function readMemoryMb(pid: number): number {
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  return Math.round(kilobytes / 1_024);
}
