import {
  createExecutionContext,
  createMessageBatch,
  getQueueResult,
  waitOnExecutionContext,
} from "cloudflare:test";
import { afterEach, expect, test, vi } from "vitest";
import * as z from "zod";
import { breakdownResponse, timeseriesResponse } from "../../src/analytics/analytics.schema.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { sleep } from "../../src/core/timeout.ts";
import type { Window } from "../../src/counting/window.ts";
import worker from "../../src/index.ts";
import { linkResponse } from "../../src/links/link-response.ts";
import { moveWorkspaces } from "../../src/moves/move-workspaces.ts";
import type { ScanFacts } from "../../src/scans/scan-facts.ts";
import { watchDatabases } from "../support/counting.ts";
import { fillWorkspace } from "../support/full-workspace.ts";
import { eventually, expectData, newWorkspace, type TestWorkspace, workerEnv } from "../support/harness.ts";
import { walk } from "../support/link-lists.ts";
import { countRows, onShard, otherShard, QUICK, readPhase, readRows, requestMove } from "../support/moves.ts";
import { quietEnv } from "../support/resources.ts";
import { chooseRuns } from "../support/runs.ts";
import { buildScan, packWindow } from "../support/scans.ts";
import { seedLinks } from "../support/seed-links.ts";
import { buildReceiverUrl, createWebhook, listReceived, newReceiverName } from "../support/webhooks.ts";

/**
 * Moves a workspace with many links while clients, visitors and webhooks use it. Its mover is killed twice.
 */

const SEEDED = chooseRuns(3_000, 20_000);
/** Round trips after which the first and the second mover are killed. */
const KILLED = [chooseRuns(100, 150), chooseRuns(60, 500)] as const;

afterEach(() => void vi.restoreAllMocks());

/** Link as returned by the last response. */
interface KnownLink {
  id: string;
  slug: string;
  /** Null once it is deleted. */
  destination: string | null;
}

/** Client that changes links until it is stopped, and retries requests rejected because of the move. */
class Client {
  readonly links: KnownLink[] = [];
  readonly refusals: number[] = [];
  readonly #workspace: TestWorkspace;
  readonly #name: string;
  #isStopped = false;
  #created = 0;

  constructor(workspace: TestWorkspace, name: string) {
    this.#workspace = workspace;
    this.#name = name;
  }

  get created(): number {
    return this.#created;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async run(): Promise<void> {
    for (let turn = 0; !this.#isStopped; turn++) {
      await this.#create(`${this.#name}-${turn}`);
      if (turn % 2 === 1) await this.#update(this.links[turn - 1] as KnownLink);
      if (turn % 4 === 3) await this.#delete(this.links[turn - 3] as KnownLink);
      await sleep(20);
    }
  }

  async #create(slug: string): Promise<void> {
    const url = `https://example.com/first/${slug}`;
    const body = { url, custom_slug: slug, labels: ["moving"] };
    const response = await this.#call("POST", "/v1/links", body, 201, slug);
    const { id } = (await expectData(response, linkResponse, 201)).data;
    this.#created += 1;
    this.links.push({ id, slug, destination: url });
  }

  async #update(link: KnownLink): Promise<void> {
    if (link.destination === null) return;
    const url = `https://example.com/second/${link.slug}`;
    await this.#call("PATCH", `/v1/links/${link.id}`, { url }, 200);
    link.destination = url;
  }

  async #delete(link: KnownLink): Promise<void> {
    await this.#call("DELETE", `/v1/links/${link.id}`, undefined, 200);
    link.destination = null;
  }

  /** Calls the API until a call is not rejected because of the move. */
  async #call(method: string, path: string, body: unknown, status: number, key?: string): Promise<Response> {
    for (;;) {
      const headers = key === undefined ? {} : { "Idempotency-Key": key };
      const response = await this.#workspace.call(method, path, { body, headers });
      if (response.status === status) return response;
      const { error } = await response.json<{ error: { code: string } }>();
      const isHeld = error.code === "IDEMPOTENCY_CONFLICT" && this.refusals.length > 0;
      if (!isHeld) expect(error.code, `${method} ${path}`).toBe("WORKSPACE_MOVING");
      this.refusals.push(Date.now());
      await sleep(50);
    }
  }
}

/** Delivers windows in one batch. Returns the windows that the consumer asks to retry. */
async function deliverOnce(windows: Window<ScanFacts>[]): Promise<Window<ScanFacts>[]> {
  const messages = windows.map((body) => ({ id: body.id, timestamp: new Date(), attempts: 1, body }));
  const batch = createMessageBatch("signpost-scans", messages);
  const context = createExecutionContext();
  await worker.queue(batch, workerEnv, context);
  await waitOnExecutionContext(context);
  const result = await getQueueResult(batch, context);
  const retried = new Set(result.retryMessages.map(({ msgId }) => msgId));
  return windows.filter(({ id }) => retried.has(id));
}

/** Delivers windows until they are counted, as the queue does. */
async function deliver(windows: Window<ScanFacts>[]): Promise<void> {
  for (let left = windows; left.length > 0; ) {
    left = await deliverOnce(left);
    if (left.length > 0) await sleep(50);
  }
}

/** Returns an `env` whose databases fail from the given round trip on. */
function killedEnv(trip: number): Env {
  let trips = 0;
  return watchDatabases(workerEnv, async (makeTrip) => {
    trips += 1;
    if (trips >= trip) throw new Error("killed");
    return makeTrip();
  });
}

test("a move keeps every acknowledged link, every scan and every event of the workspace exactly once", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const workspace = await newWorkspace("enterprise", 0);
  const [besideSource, besideTarget] = [
    await newWorkspace("enterprise", 0),
    await newWorkspace("enterprise", 1),
  ];
  await seedLinks({
    workspace,
    count: SEEDED,
    code: "printf('seed%05d', n)",
    destination: "printf('https://example.com/seeded/%05d', n)",
    labels: "iif(n % 10 = 0, '[\"tenth\"]', '[]')",
  });
  for (const neighbour of [workspace, besideSource, besideTarget]) await fillWorkspace(neighbour);
  // The example data contains endpoints that do not exist.
  for (const { id } of (
    await (await workspace.call("GET", "/v1/webhooks")).json<{ data: { id: string }[] }>()
  ).data) {
    await workspace.call("DELETE", `/v1/webhooks/${id}`, { env: quietEnv });
  }
  const visited = await newWorkspace("enterprise", 1);
  const scanCountBefore = await readScanCount(workspace);
  const receiver = newReceiverName();
  await createWebhook(workspace, buildReceiverUrl(receiver), ["link.created", "link.scanned"]);
  // An endpoint that fails at first has deliveries that wait during the move.
  const waiting = newReceiverName();
  await createWebhook(workspace, buildReceiverUrl(waiting, "failures=1"), ["link.created"]);
  const neighbours = await Promise.all([besideSource, besideTarget].map((one) => readRows(one, one.shard)));
  const scanned = await findSeeded(workspace, "seed00007");

  const windows: Window<ScanFacts>[] = [];
  const scan = async (count: number) => {
    for (let i = 0; i < count; i++) {
      const window = packWindow([
        buildScan({ workspaceId: workspace.id, linkId: scanned, shortCode: "seed00007", country: "DE" }),
        // A window spans shards: its other slice belongs to another workspace.
        buildScan({ workspaceId: visited.id, linkId: crypto.randomUUID() }),
      ]);
      windows.push(window);
      await deliver([window]);
      if (i % 3 === 0) await deliver(windows.slice(-3));
    }
  };
  await scan(5);
  const { data, meta } = await listTenths(workspace);
  const labelledBefore = { ids: data.map(({ id }) => id), total: meta.total };
  let isMoving = true;
  let visits = 0;
  const clients = [new Client(workspace, "one"), new Client(workspace, "two")];
  const visiting = (async () => {
    while (isMoving) {
      await scan(1);
      expect((await workspace.visit("/seed00011")).status).toBe(302);
      visits += 1;
      await sleep(30);
    }
  })();
  const working = Promise.all(clients.map((client) => client.run()));

  const target = onShard(workspace, otherShard(workspace));
  expect(await requestMove(workspace, target.shardNumber)).toBe(true);
  await moveWorkspaces(killedEnv(KILLED[0]), QUICK).catch(() => {});
  const first = await readPhase(workspace);
  await moveWorkspaces(killedEnv(KILLED[1]), QUICK).catch(() => {});
  const second = await readPhase(workspace);
  // The source's rows stay for a while, for caches that still point to it.
  const keeping = { ...QUICK, keepMs: 2_000 };
  await eventually(
    async () => {
      await moveWorkspaces(workerEnv, keeping);
      return readPhase(workspace);
    },
    (phase) => phase === "done",
    120_000,
  );
  await sleep(500);
  isMoving = false;
  for (const client of clients) client.stop();
  await Promise.all([visiting, working]);
  await scan(3);
  await deliver(windows.slice(0, 10));
  // The first run ends during the copy, whatever the second one reaches.
  expect(first).toBe("copy");
  expect(second).not.toBe("done");

  expect(countRows(await readRows(workspace, workspace.shard))).toEqual({});
  const links = clients.flatMap((client) => client.links);
  const checked = await expectLinks(target, links, labelledBefore);
  await eventually(
    () => countVisits(target),
    (count) => count >= visits,
    60_000,
  );
  expect(await countVisits(target)).toBe(visits);
  await expectScans(target, scanned, windows.length, scanCountBefore + windows.length + visits);
  const created = clients.reduce((sum, client) => sum + client.created, 0);
  await expectEvents(receiver, {
    "link.created": created,
    "link.scanned": windows.length + visits + checked,
  });
  await eventually(
    async () => new Set((await listReceived(waiting)).map(({ headers }) => headers["x-svc-delivery"])).size,
    (count) => count === created,
    60_000,
  );
  expect(await Promise.all([besideSource, besideTarget].map((one) => readRows(one, one.shard)))).toEqual(
    neighbours,
  );
  const months = await visited.shard
    .prepare("SELECT total(human) AS scans FROM scan_months WHERE owner = unhex(?) AND item = x'00'")
    .bind(visited.id.replaceAll("-", ""))
    .first("scans");
  expect(months).toBe(windows.length);
}, 300_000);

/** Returns the scans of all links except those created by clients. */
async function readScanCount({ id, shard }: TestWorkspace): Promise<number> {
  return (await shard
    .prepare(
      "SELECT total(scan_count) AS total FROM links WHERE workspace_id = ? AND labels NOT LIKE '%moving%'",
    )
    .bind(id)
    .first<number>("total")) as number;
}

async function findSeeded({ id, shard }: TestWorkspace, code: string): Promise<string> {
  return (await shard
    .prepare("SELECT id FROM links WHERE workspace_id = ? AND code_key = ?")
    .bind(id, code)
    .first<string>("id")) as string;
}

/** Returns the scans of the link that visitors requested. */
async function countVisits(workspace: TestWorkspace): Promise<number> {
  const id = await findSeeded(workspace, "seed00011");
  return (
    (await workspace.shard
      .prepare("SELECT scan_count FROM links WHERE id = ?")
      .bind(id)
      .first("scan_count")) ?? 0
  );
}

const linkList = z.array(linkResponse);

/** Returns the first page of the seeded links with a label. */
async function listTenths(workspace: TestWorkspace) {
  return expectData(await workspace.call("GET", "/v1/links?label=tenth&limit=5"), linkList);
}

/**
 * Checks that each link is found once by label, and some of them by id, short URL and search. Returns the number of
 * links that it visited.
 */
async function expectLinks(
  workspace: TestWorkspace,
  links: readonly KnownLink[],
  labelledBefore: object,
): Promise<number> {
  const living = links.filter(({ destination }) => destination !== null);
  expect(living.length).toBeGreaterThan(5);
  const { links: listed } = await walk(workspace, { label: "moving", limit: 200 });
  expect(listed).toHaveLength(living.length);
  const byId = (found: readonly { id: string; destination: string | null }[]) =>
    new Map(found.map(({ id, destination }) => [id, destination]));
  expect(byId(listed)).toEqual(byId(living));
  for (const { id, slug, destination } of [...links.slice(0, 10), ...links.slice(-10)]) {
    const response = await workspace.call("GET", `/v1/links/${id}`);
    expect(response.status, slug).toBe(destination === null ? 404 : 200);
    if (destination === null) continue;
    expect((await expectData(response, linkResponse)).data.destination).toBe(destination);
    const found = await workspace.call("GET", `/v1/links?search=${slug}`);
    expect((await expectData(found, linkList)).data.map((link) => link.id)).toContain(id);
  }
  const checked = living.slice(-20);
  for (const { slug, destination } of checked) {
    expect((await workspace.visit(`/${slug}`)).headers.get("Location"), slug).toBe(destination);
  }
  const labelled = await workspace.shard
    .prepare(
      "SELECT label, count(*) AS n FROM link_labels WHERE workspace_id = ? AND label IN ('moving', 'tenth') GROUP BY 1",
    )
    .bind(workspace.id)
    .all();
  expect(labelled.results).toEqual([
    { label: "moving", n: living.length },
    { label: "tenth", n: SEEDED / 10 },
  ]);
  const page = await listTenths(workspace);
  expect({ ids: page.data.map(({ id }) => id), total: page.meta.total }).toEqual(labelledBefore);
  const search = await expectData(await workspace.call("GET", "/v1/links?search=seeded/02345"), linkList);
  expect(search.data.map(({ short_code }) => short_code)).toEqual(["seed02345"]);
  const counts = await workspace.shard
    .prepare(
      `SELECT count(*) AS links, count(DISTINCT code_key) AS codes, sum(code_key LIKE 'seed%') AS seeded,
              (SELECT link_count FROM tenants WHERE id = ?1) AS counted FROM links WHERE workspace_id = ?1`,
    )
    .bind(workspace.id)
    .first<Record<string, number>>();
  expect(counts?.seeded).toBe(SEEDED);
  expect(counts?.codes).toBe(counts?.links);
  expect(counts?.counted).toBe(counts?.links);
  return checked.length;
}

/**
 * Checks the counts of a link, the timeseries and breakdowns, and the counts of all links except those
 * created by clients.
 */
async function expectScans(
  workspace: TestWorkspace,
  linkId: string,
  scans: number,
  scansOfSeeded: number,
): Promise<void> {
  const { data } = await expectData(await workspace.call("GET", `/v1/links/${linkId}`), linkResponse);
  expect(data.scan_count).toBe(scans);
  const [from, to] = [Date.now() - DAY_MS, Date.now()].map((timeMs) =>
    new Date(timeMs).toISOString().slice(0, 10),
  );
  const range = `link_id=${linkId}&from_date=${from}&to_date=${to}`;
  const series = await workspace.call("GET", `/v1/analytics/timeseries?interval=day&${range}`);
  const { points } = (await expectData(series, timeseriesResponse)).data as unknown as {
    points: { scans: number }[];
  };
  expect(points.reduce((sum, point) => sum + point.scans, 0)).toBe(scans);
  const breakdown = await workspace.call("GET", `/v1/analytics/breakdown?by=country&${range}`);
  expect(JSON.stringify((await expectData(breakdown, breakdownResponse)).data)).toContain(`"scans":${scans}`);
  expect(await readScanCount(workspace)).toBe(scansOfSeeded);
}

/** Checks that each event was delivered once. */
async function expectEvents(receiver: string, expected: Record<string, number>): Promise<void> {
  const total = Object.values(expected).reduce((sum, count) => sum + count, 0);
  const received = await eventually(
    () => listReceived(receiver),
    (requests) => requests.length >= total,
    60_000,
  );
  const ids = received.map(({ headers }) => headers["x-svc-delivery"]);
  expect(new Set(ids).size).toBe(ids.length);
  const counts = Object.groupBy(received, ({ headers }) => headers["x-svc-event"] ?? "");
  expect(Object.fromEntries(Object.entries(counts).map(([type, list]) => [type, list?.length]))).toEqual(
    expected,
  );
}
