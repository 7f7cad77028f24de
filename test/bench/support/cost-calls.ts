import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { RETRY_DELAYS_MS, type WakeUpMessage } from "../../../src/webhooks/delivery-state.ts";
import type { Trips } from "../../support/counting.ts";
import { buildWorker, openShard, type Runtime, removeBuild } from "./runtime.ts";
import { HOST, SHARD, seedWorkspace } from "./seed.ts";
import { startCountingWorker } from "./trips.ts";

const LINKS = 40;
const DEADLINE_MS = 60_000;

/** Storage accesses of one unit of work. */
export interface CallCost {
  work: string;
  rowsWritten: number;
  rowsRead: number;
  durableObject: number;
  queueOperations: number;
}

/** Number of changes whose bytes are measured together, because a database grows by pages of 4 KiB. */
const WEIGHED = 100;
/** Maximum length of a URL. */
const URL_LENGTH = 8_192;
/** Number of failing endpoints, and the length of their responses. */
const ENDPOINTS = 20;
const FAILURE_LENGTH = 20_000;

/** Bytes by which changes of a kind make the shard grow, and the bytes that count towards the plan's budget. */
export interface ChangeBytes {
  change: string;
  written: number;
  counted: number;
}

/** Measures the bytes of changes on the real Worker, each the mean of {@link WEIGHED}. */
export async function measureBytes(): Promise<ChangeBytes[]> {
  const build = buildWorker();
  const failing = createServer((request, response) => {
    request.resume();
    request.on("end", () => response.writeHead(500).end("x".repeat(FAILURE_LENGTH)));
  });
  const runtime = await startCountingWorker(build);
  try {
    const call = createCaller(runtime, (await seedWorkspace(runtime)).keys);
    const shard = await openShard(runtime, SHARD);
    const readSize = async () => (await shard.prepare("SELECT 1").run()).meta.size_after;
    const readCounted = async () => {
      const { body } = await call("GET", "/v1/workspace/usage");
      return (
        (body as { data: { usage: { written_bytes_today?: number } } }).data.usage.written_bytes_today ?? 0
      );
    };
    const pad = (text: string) => `https://example.com/${text}?`.padEnd(URL_LENGTH, "x");
    const { body } = await call("POST", "/v1/links", { url: "https://example.com/" });
    const path = `/v1/links/${(body as { data: { id: string } }).data.id}`;
    const urls = (n: number) => ({ url: pad(`a${n}`), early_url: pad(`b${n}`), expired_url: pad(`c${n}`) });
    const makers: Record<string, (n: number) => Promise<unknown>> = {
      "creation of a link": (n) => call("POST", "/v1/links", { url: `https://example.com/${n}` }),
      "creation of a link with five aliases": (n) => call("POST", "/v1/links", buildAliasedLink(n)),
      "deletion and restoration of a link": async () => {
        await call("DELETE", path);
        await call("POST", `${path}/restore`);
      },
      "change of a title": (n) => call("PATCH", path, { title: `Title ${n}` }),
      "change of an 8 KiB URL": (n) => call("PATCH", path, { url: pad(`a${n}`) }),
      "change of three 8 KiB URLs": (n) => call("PATCH", path, urls(n)),
      "change of a title beside three 8 KiB URLs": (n) => call("PATCH", path, { title: `Long ${n}` }),
    };
    const measured: ChangeBytes[] = [];
    const measure = async (change: string, count: number, make: (n: number) => Promise<unknown>) => {
      const [size, counted] = [await readSize(), await readCounted()];
      for (let n = 0; n < count; n++) await make(n);
      const mean = (after: number, before: number) => (after - before) / count;
      measured.push({
        change,
        written: mean(await readSize(), size),
        counted: mean(await readCounted(), counted),
      });
    };
    for (const [change, make] of Object.entries(makers)) await measure(change, WEIGHED, make);
    await new Promise<void>((resolve) => failing.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(failing.address() as AddressInfo).port}/`;
    for (let n = 0; n < ENDPOINTS; n++) await call("POST", "/v1/webhooks", { url });
    await measure(`change of a title, sent to ${ENDPOINTS} endpoints that fail at length`, 1, async () => {
      await call("PATCH", path, { title: "Sent" });
      await makeAttempts(runtime, shard);
    });
    return measured;
  } finally {
    failing.close();
    await runtime.stop();
    removeBuild(build);
  }
}

/** Makes all attempts of the waiting deliveries, without waiting until their retries are due. */
async function makeAttempts(
  { miniflare }: Runtime,
  shard: Awaited<ReturnType<typeof openShard>>,
): Promise<void> {
  const queue = await miniflare.getQueueProducer<WakeUpMessage>("DELIVERY_QUEUE");
  for (let attempts = 1; attempts <= RETRY_DELAYS_MS.length + 1; attempts++) {
    const deadlineMs = Date.now() + DEADLINE_MS;
    const isBehind = shard.prepare("SELECT 1 FROM event_deliveries WHERE attempts < ?").bind(attempts);
    while ((await isBehind.first()) !== null) {
      if (Date.now() > deadlineMs) throw new Error("the deliveries were not attempted");
      await sleep(50);
    }
    const { results } = await shard
      .prepare(
        "UPDATE event_deliveries SET next_attempt_at = 0 WHERE next_attempt_at IS NOT NULL RETURNING lane",
      )
      .all<{ lane: number }>();
    const { id } = (await shard.prepare("SELECT id FROM tenants").first<{ id: string }>()) ?? { id: "" };
    for (const { lane } of results) await queue.send({ workspaceId: id, shard: SHARD, lane });
  }
}

/**
 * Measures API calls and webhook deliveries on the real Worker, with a receiver that responds immediately.
 */
export async function measureCalls(): Promise<CallCost[]> {
  const build = buildWorker();
  const receiver = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      received += 1;
      response.end();
    });
  });
  let received = 0;
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const runtime = await startCountingWorker(build);
  try {
    const { keys } = await seedWorkspace(runtime);
    const call = createCaller(runtime, keys);
    // A key's first call on a day writes its last use, which must not be measured.
    for (const _ of keys) await call("GET", "/v1/workspace");
    const first = await call("POST", "/v1/links", { url: "https://example.com/0" });
    const links = await callOften(LINKS, (n) =>
      call("POST", "/v1/links", { url: `https://example.com/${n}` }),
    );
    const id = (first.body as { data: { id: string } }).data.id;
    const reads = await callOften(LINKS, () => call("GET", `/v1/links/${id}`));

    const aliased = await callOften(LINKS, (n) => call("POST", "/v1/links", buildAliasedLink(n)));
    const doomed = (await call("GET", `/v1/links?limit=${LINKS}`)).body as { data: { id: string }[] };
    const trashed = await callOften(LINKS, (n) => call("DELETE", `/v1/links/${doomed.data[n]?.id}`));
    const restored = await callOften(LINKS, (n) => call("POST", `/v1/links/${doomed.data[n]?.id}/restore`));
    const changes = await callOften(LINKS, (n) => call("PATCH", `/v1/links/${id}`, { title: `Title ${n}` }));

    const { port } = receiver.address() as AddressInfo;
    await call("POST", "/v1/webhooks", { url: `http://127.0.0.1:${port}/`, events: ["link.created"] });
    const told = await callOften(LINKS, (n) =>
      call("POST", "/v1/links", { url: `https://example.com/t${n}` }),
    );
    const deadlineMs = Date.now() + DEADLINE_MS;
    while (received < LINKS && Date.now() < deadlineMs) await sleep(200);
    await sleep(1_000);
    const { consumed } = await call("GET", `/v1/links/${id}`);
    const deliveries = consumed["signpost-deliveries"];
    const perDelivery = (name: "rowsWritten" | "rowsRead" | "durableObject") =>
      (told[name] - links[name] + (deliveries?.[name] ?? 0) / Math.max(1, received)) as number;
    return [
      { work: "created link, with its entry in the audit log", ...links, queueOperations: 0 },
      { work: "created link with five aliases", ...aliased, queueOperations: 0 },
      { work: "link with five aliases moved to the trash", ...trashed, queueOperations: 0 },
      { work: "link with five aliases restored from the trash", ...restored, queueOperations: 0 },
      { work: "changed link, with its entry in the audit log", ...changes, queueOperations: 0 },
      { work: "GET of a link", ...reads, queueOperations: 0 },
      {
        work: `webhook delivery (${received} measured), without its later deletion`,
        rowsWritten: perDelivery("rowsWritten"),
        rowsRead: perDelivery("rowsRead"),
        durableObject: perDelivery("durableObject"),
        queueOperations: 3,
      },
    ];
  } finally {
    receiver.close();
    await runtime.stop();
    removeBuild(build);
  }
}

function buildAliasedLink(n: number): object {
  const aliases = ["a", "b", "c", "d", "e"].map((name) => `menu-${n}/${name}`);
  return { url: `https://example.com/${n}`, aliases };
}

function createCaller({ port }: Runtime, keys: readonly string[]) {
  let calls = 0;
  return async (method: string, path: string, body?: object) => {
    calls += 1;
    const response = await fetch(`http://${HOST}:${port}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${keys[calls % keys.length]}`,
        ...(body && { "Content-Type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    return {
      body: JSON.parse(text) as unknown,
      trips: JSON.parse(response.headers.get("X-Trips") ?? "{}") as Trips,
      consumed: JSON.parse(response.headers.get("X-Consumed") ?? "{}") as Record<string, Trips>,
    };
  };
}

/** Makes calls one by one. Returns the means of their storage accesses. */
async function callOften(count: number, makeCall: (n: number) => Promise<{ trips: Trips }>) {
  const sum = { rowsWritten: 0, rowsRead: 0, durableObject: 0 };
  for (let n = 0; n < count; n++) {
    const { trips } = await makeCall(n);
    sum.rowsWritten += trips.rowsWritten / count;
    sum.rowsRead += trips.rowsRead / count;
    sum.durableObject += trips.durableObject / count;
  }
  return sum;
}

function sleep(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
