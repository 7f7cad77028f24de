import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { Receiver } from "../support/receiver.ts";
import { findParentFolder } from "../support/temp-folder.ts";
import type { BenchOptions } from "./run.ts";
import {
  CHANGES_ROW,
  formatRequest,
  listGreedyLoads,
  ORDINARY_ROW,
  PASSWORD,
  READS_ROW,
} from "./support/greedy-loads.ts";
import type { GreedyStatuses, GreedyThreadData } from "./support/greedy-thread.ts";
import { median, percentile, type RequestMaker, runLoad } from "./support/load.ts";
import { buildWorker, type Runtime, removeBuild, startSignpostApart } from "./support/runtime.ts";
import { HOST, seedLinks, seedWorkspace } from "./support/seed.ts";

/**
 * Benchmark of noisy neighbours: measures changes, redirects and test events of a quiet workspace, alone and
 * beside different loads from a greedy workspace.
 */

/** Assumed milliseconds of a round trip to a database, which is short for one of the same region. */
const ROUND_TRIP_MS = "10";
const QUIET_HOST = "quiet.localhost";
const COLD_REDIRECTS = 100;
const WARM_REDIRECTS = 300;
const TEST_EVENTS = 10;
const TEST_EVENT_TIMEOUT_MS = 60_000;
const LOUD_LINKS = 300_000;
/** Links of an export, which takes longer than a round. */
const EXPORTED_LINKS = 20_000;
/** Changes whose entries a reader of the log gets. */
const LOGGED_CHANGES = 200;
const SEARCHES_IN_FLIGHT = 4;
const RENDERS_IN_FLIGHT = 20;
const BULK_LINKS = 200;
const BULK_CALLS = 8;
const ENDPOINTS = 20;

const GREEDY_ROUNDS = 10;
/** Time for which a load runs before the changes beside it are measured. */
const LOAD_LEAD_MS = 200;
/** Measured changes of a round, alone and beside a load. With fewer, the 99th percentile is a matter of luck. */
const ROUND_CHANGES = 150;
const GREEDY_RATIO_MAX = 1.5;
/** Requests of a load whose CPU time is measured together. */
const WEIGHED_REQUESTS = 20;

const TEST_EVENT_MS_MAX = 2_000;
const WARM_P99_MS_MAX = 500;
const COLD_RATIO_MAX = 1.5;

/** Workspace of the benchmark. */
interface Neighbour {
  workspaceId: string;
  host: string;
  keys: string[];
}

/** Latencies of the quiet workspace's requests, in milliseconds. */
interface Experience {
  coldMedianMs: number;
  warmP99Ms: number;
  testEventMaxMs: number;
}

export default async function run({ only, roundtrip = ROUND_TRIP_MS }: BenchOptions): Promise<void> {
  const rows = only?.split(",").map(Number) ?? [];
  // In memory, because local SQLite waits for the disk on the one thread of all databases. A deployment doesn't.
  process.env.TMPDIR = findParentFolder();
  const build = buildWorker();
  const runtime = await startSignpostApart(build, Number(roundtrip));
  try {
    const quiet = await seedNeighbour(runtime, "quiet", QUIET_HOST);
    const loud = await seedNeighbour(runtime, "loud", HOST);
    await compareGreedyLoads(runtime, quiet, loud, rows);
    if (rows.length === 0) await compareBusyNeighbours(runtime, quiet, loud);
  } finally {
    await runtime.stop();
    removeBuild(build);
  }
}

/** Measures redirects and test events of the quiet workspace beside renders, searches and waiting deliveries. */
async function compareBusyNeighbours(runtime: Runtime, quiet: Neighbour, loud: Neighbour): Promise<void> {
  const receiver = new Receiver();
  const receiverUrl = await receiver.start();
  try {
    await seedLinks(runtime, quiet.workspaceId, "warm", 1);
    await seedLinks(runtime, quiet.workspaceId, "cold", 10 * COLD_REDIRECTS);
    await seedLinks(runtime, loud.workspaceId, "loud", LOUD_LINKS);
    const endpointId = await createEndpoint(runtime, quiet, `${receiverUrl}/quiet`);
    const observe = () => observeQuiet(runtime, quiet, receiver, endpointId);

    await observe();
    const alone = await observe();
    const renders = await underLoad(observe, RENDERS_IN_FLIGHT, runtime, () => formatRender(loud));
    const searches = await underLoad(observe, SEARCHES_IN_FLIGHT, runtime, (n) => formatSearch(loud, n));
    await fillBacklog(runtime, loud, receiverUrl);
    const deliveries = await observe();

    console.table(
      Object.fromEntries(
        Object.entries({
          alone,
          [`${RENDERS_IN_FLIGHT} renders in flight`]: renders,
          [`${SEARCHES_IN_FLIGHT} searches in ${LOUD_LINKS} links`]: searches,
          [`${BULK_CALLS * BULK_LINKS * ENDPOINTS} waiting deliveries`]: deliveries,
        }).map(([load, seen]) => [load, formatExperience(seen)]),
      ),
    );
    report("test event beside waiting deliveries, ms", deliveries.testEventMaxMs, TEST_EVENT_MS_MAX);
    report("warm redirect beside renders, 99th percentile in ms", renders.warmP99Ms, WARM_P99_MS_MAX);
    report(
      "cold redirect beside searches, to alone",
      searches.coldMedianMs / alone.coldMedianMs,
      COLD_RATIO_MAX,
    );
  } finally {
    receiver.stop();
  }
}

/**
 * Measures changes of the quiet workspace beside each load of a greedy person. Alternates with changes alone in
 * short rounds, so that other work of the machine affects both.
 */
async function compareGreedyLoads(
  runtime: Runtime,
  quiet: Neighbour,
  loud: Neighbour,
  rows: readonly number[],
): Promise<void> {
  const create = async (owner: Neighbour, body: object) =>
    (
      (await callApi(runtime, owner, "POST", "/v1/links", body)) as {
        data: { id: string; short_code: string };
      }
    ).data;
  const url = "https://example.com/";
  const { id: quietId } = await create(quiet, { url });
  const { id: linkId } = await create(loud, { url });
  const { short_code: protectedCode } = await create(loud, { url, password: PASSWORD });
  const [key = ""] = loud.keys;
  let changes = 0;
  const change = () => {
    changes += 1;
    const headers = { Authorization: `Bearer ${quiet.keys[changes % quiet.keys.length]}` };
    return formatRequest("PATCH", HOST, `/v1/links/${quietId}`, headers, `{"title":"${changes}"}`);
  };
  const measure = async () => {
    const { latenciesMs, statuses } = await runLoad(runtime.port, ROUND_CHANGES, 1, change);
    if (statuses.get(200) !== ROUND_CHANGES) throw new Error(`statuses: ${[...statuses]}`);
    return latenciesMs;
  };
  await measure();
  const greedy = { host: HOST, key, linkId, protectedCode };
  const all = listGreedyLoads(greedy);
  const fillLog = all.find(({ row }) => row === CHANGES_ROW)?.makeRequest;
  for (const { row, name, makeRequest: makeLoad } of all) {
    if (rows.length > 0 && !rows.includes(row)) continue;
    if (row === READS_ROW && fillLog !== undefined) {
      await seedLinks(runtime, loud.workspaceId, "exported", EXPORTED_LINKS);
      await runLoad(runtime.port, LOGGED_CHANGES, 1, fillLog);
    }
    const alone: number[] = [];
    const beside: number[] = [];
    const statuses = new Map<number, number>();
    const thread = await startGreedyThread({ port: runtime.port, greedy, row });
    for (let round = 0; round < GREEDY_ROUNDS; round++) {
      alone.push(...(await measure()));
      thread.start();
      await sleep(LOAD_LEAD_MS);
      beside.push(...(await measure()));
      for (const [status, count] of await thread.stop())
        statuses.set(status, (statuses.get(status) ?? 0) + count);
    }
    await thread.end();
    let sent = 0;
    const cpuSeconds = runtime.readCpuSeconds();
    await runLoad(runtime.port, WEIGHED_REQUESTS, 1, () => makeLoad(sent++));
    const cpuMs = ((runtime.readCpuSeconds() - cpuSeconds) * 1_000) / WEIGHED_REQUESTS;
    const p99 = (latenciesMs: number[]) =>
      percentile(
        latenciesMs.sort((a, b) => a - b),
        0.99,
      );
    const [aloneMs, besideMs] = [p99(alone), p99(beside)];
    console.log(
      `beside ${name}: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(", ")}; p99 ${aloneMs.toFixed(1)} ms alone, ${besideMs.toFixed(1)} ms beside; median ${median(alone).toFixed(1)} and ${median(beside).toFixed(1)} ms; ${cpuMs.toFixed(1)} ms of workerd's CPU per request`,
    );
    if (row === ORDINARY_ROW)
      console.log(`         p99 beside ${name}, to alone: ${(besideMs / aloneMs).toFixed(2)}`);
    else report(`p99 beside ${name}, to alone`, besideMs / aloneMs, GREEDY_RATIO_MAX);
  }
}

/** Starts the thread that sends a load. Its first requests have ended when this returns. */
async function startGreedyThread(data: GreedyThreadData) {
  const thread = new Worker(join(import.meta.dirname, "support/greedy-thread.ts"), { workerData: data });
  const receive = async (): Promise<GreedyStatuses> => (await once(thread, "message"))[0];
  await receive();
  return {
    start: () => thread.postMessage("start"),
    /** Ends the load after its last response, and returns the statuses of its responses. */
    stop: () => {
      thread.postMessage("stop");
      return receive();
    },
    end: () => thread.terminate(),
  };
}

async function seedNeighbour(runtime: Runtime, slug: string, host: string): Promise<Neighbour> {
  return { ...(await seedWorkspace(runtime, { slug, host })), host };
}

/** Measures the current latencies of the quiet workspace. */
async function observeQuiet(
  runtime: Runtime,
  quiet: Neighbour,
  receiver: Receiver,
  endpointId: string,
): Promise<Experience> {
  const cold = await runLoad(runtime.port, COLD_REDIRECTS, 1, () =>
    formatGet(quiet.host, `/cold-${nextCold++}`),
  );
  const warm = await runLoad(runtime.port, WARM_REDIRECTS, 1, () => formatGet(quiet.host, "/warm-0"));
  const testEventsMs: number[] = [];
  for (let n = 0; n < TEST_EVENTS; n++) {
    testEventsMs.push(await measureTestEvent(runtime, quiet, receiver, endpointId));
  }
  return {
    coldMedianMs: median(cold.latenciesMs),
    warmP99Ms: percentile(warm.latenciesMs, 0.99),
    testEventMaxMs: Math.max(...testEventsMs),
  };
}

let nextCold = 0;

/** Returns the time from the test call to the arrival of its event, in milliseconds. */
async function measureTestEvent(
  runtime: Runtime,
  quiet: Neighbour,
  receiver: Receiver,
  endpointId: string,
): Promise<number> {
  const before = receiver.received("quiet").length;
  const startMs = performance.now();
  await callApi(runtime, quiet, "POST", `/v1/webhooks/${endpointId}/test`);
  while (receiver.received("quiet").length === before) {
    if (performance.now() - startMs > TEST_EVENT_TIMEOUT_MS) throw new Error("the test event did not arrive");
    await sleep(1);
  }
  return performance.now() - startMs;
}

/** Runs an observation while several connections send requests without a pause. */
async function underLoad(
  observe: () => Promise<Experience>,
  connections: number,
  { port }: Runtime,
  makeRequest: RequestMaker,
): Promise<Experience> {
  const controller = new AbortController();
  const loading = runLoad(port, Number.POSITIVE_INFINITY, connections, makeRequest, controller.signal);
  const seen = await observe();
  controller.abort();
  const { statuses, latenciesMs } = await loading;
  if (statuses.get(200) !== latenciesMs.length) throw new Error(`statuses of the load: ${[...statuses]}`);
  return seen;
}

/** Fills the delivery queue: changes links of the greedy workspace, which has many slow endpoints. */
async function fillBacklog(runtime: Runtime, loud: Neighbour, receiverUrl: string): Promise<void> {
  for (let n = 0; n < ENDPOINTS; n++)
    await createEndpoint(runtime, loud, `${receiverUrl}/loud-${n}?slow=200`);
  const pages = await Promise.all(
    [0, BULK_LINKS / 2].map((offset) =>
      callApi(runtime, loud, "GET", `/v1/links?limit=${BULK_LINKS / 2}&offset=${offset}`),
    ),
  );
  const ids = (pages as { data: { id: string }[] }[]).flatMap(({ data }) => data.map(({ id }) => id));
  for (let call = 0; call < BULK_CALLS; call++) {
    await callApi(runtime, loud, "PATCH", "/v1/links/bulk/status", { ids, enabled: call % 2 === 1 });
  }
}

async function createEndpoint(runtime: Runtime, owner: Neighbour, url: string): Promise<string> {
  const { data } = (await callApi(runtime, owner, "POST", "/v1/webhooks", { url })) as {
    data: { id: string };
  };
  return data.id;
}

let calls = 0;

async function callApi(
  { port }: Runtime,
  { keys }: Neighbour,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`http://${HOST}:${port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${keys[calls++ % keys.length]}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return response.json();
}

function formatGet(host: string, path: string, headers = ""): string {
  return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`;
}

/** Formats a search for text that few links contain. */
function formatSearch({ keys }: Neighbour, n: number): string {
  const headers = `Authorization: Bearer ${keys[n % keys.length]}\r\n`;
  return formatGet(HOST, `/v1/links?search=${100_000 + (n % 100_000)}`, headers);
}

/** Formats a request for the largest image in a style other than the plain one. */
function formatRender({ keys }: Neighbour): string {
  const body = JSON.stringify({
    content: "0123456789abcdef".repeat(182).slice(0, 2_900),
    format: "png",
    size: 50,
    design: { dot_style: "rounded", error_correction: "L" },
  });
  const key = keys[calls++ % keys.length];
  return (
    `POST /v1/qr/generate HTTP/1.1\r\nHost: ${HOST}\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

function formatExperience({ coldMedianMs, warmP99Ms, testEventMaxMs }: Experience): Record<string, string> {
  return {
    "cold redirect, median ms": coldMedianMs.toFixed(1),
    "warm redirect, p99 ms": warmP99Ms.toFixed(1),
    "test event, slowest ms": testEventMaxMs.toFixed(0),
  };
}

function report(name: string, value: number, valueMax: number): void {
  console.log(
    `${value <= valueMax ? "reached" : "MISSED "}  ${name}: ${value.toFixed(2)} (at most ${valueMax})`,
  );
}
