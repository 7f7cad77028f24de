/// <reference types="vite/client" />
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { breakdownResponse, timeseriesResponse } from "../../src/analytics/analytics.schema.ts";
import { readBreakdown, readTimeseries } from "../../src/analytics/analytics.ts";
import { formatDay, INTERVALS } from "../../src/analytics/buckets.ts";
import { quote } from "../../src/analytics/engine.ts";
import { ingestScans } from "../../src/analytics/ingest.ts";
import { uuidv7 } from "../../src/core/id.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/time.ts";
import { openDatabase } from "../../src/db/database.ts";
import { getSettings } from "../../src/env.ts";
import { linkResponse } from "../../src/links/links.schema.ts";
import { DIMENSIONS, type Dimension, type ScanFacts, tidyScan, toDataPoint } from "../../src/scans/scan.ts";
import type { Tenant } from "../../src/tenant/tenant.ts";
import {
  eventually,
  expectData,
  expectError,
  newWorkspace,
  send,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import { packWindow, queueBatch, type Scan, scanWith } from "../support/scans.ts";
import { StubSqlApi } from "../support/sql-api.ts";
import { newWebhook, receiverUrl } from "../support/webhooks.ts";
import { packWindows } from "../support/windows.ts";
import wranglerToml from "../wrangler.toml?raw";

/** How many windows the queue delivers at once, at most. */
const BATCH_WINDOWS = Math.max(
  ...[...wranglerToml.matchAll(/queue = "signpost-scans"\nmax_batch_size = (\d+)/g)].map(([, size]) =>
    Number(size),
  ),
);
/** Not enforced by the local one. */
const D1_VALUE_BYTES_MAX = 2_000_000;

const TODAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const daysAgo = (days: number) => TODAY_MS - days * DAY_MS;

const count = (...scans: Scan[]) => ingestScans(queueBatch(packWindow(scans)), workerEnv.DB, Date.now());

async function newLink(workspace: TestWorkspace, body: object = {}) {
  const response = await workspace.call("POST", "/v1/links", {
    body: { url: "https://example.com/", ...body },
  });
  return (await expectData(response, linkResponse, 201)).data;
}

async function timeseries(workspace: TestWorkspace, query: Record<string, string>, env: Env = workerEnv) {
  const path = `/v1/analytics/timeseries?${new URLSearchParams(query)}`;
  return (await expectData(await workspace.call("GET", path, { env }), timeseriesResponse)).data;
}

async function breakdown(workspace: TestWorkspace, query: Record<string, string>, env: Env = workerEnv) {
  const path = `/v1/analytics/breakdown?${new URLSearchParams(query)}`;
  return (await expectData(await workspace.call("GET", path, { env }), breakdownResponse)).data;
}

/** Points that have scans, as `date: scans`. */
const counted = ({ points }: { points: { date: string; scans: number }[] }) =>
  Object.fromEntries(points.filter(({ scans }) => scans > 0).map(({ date, scans }) => [date, scans]));

const listed = ({ items }: { items: { value: string; scans: number }[] }) =>
  items.map(({ value, scans }) => `${value} ${scans}`);

let sqlApi: StubSqlApi;

beforeEach(() => {
  sqlApi = new StubSqlApi();
  vi.stubGlobal("fetch", sqlApi.fetch);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

interface Engine {
  name: string;
  env: () => Env;
  record: (...scans: Scan[]) => Promise<unknown>;
}

/** Each is given the scans alone, so that neither can answer for the other. */
const engines: Engine[] = [
  { name: "roll-ups", env: () => workerEnv, record: count },
  {
    name: "Analytics Engine",
    env: () => sqlApi.env,
    record: async (...scans) => {
      sqlApi.points.push(...scans.map((scan) => toDataPoint(scan, scan.scannedAtMs)));
    },
  },
];

describe.each(engines)("from $name", ({ env, record }) => {
  test("scans are counted in the hour, day, week and month they were in", async () => {
    const workspace = await newWorkspace();
    const scan = (scannedAtMs: number) => scanWith({ workspaceId: workspace.id, linkId: "a", scannedAtMs });
    const monday = TODAY_MS - (((TODAY_MS / DAY_MS + 3) % 7) + 7) * DAY_MS;
    await record(scan(monday - 1), scan(monday), scan(monday + DAY_MS - 1), scan(monday + DAY_MS));
    const days = { from_date: formatDay(monday - DAY_MS), to_date: formatDay(monday + DAY_MS) };

    expect(counted(await timeseries(workspace, { interval: "hour", ...days }, env()))).toEqual({
      [`${formatDay(monday - DAY_MS)}T23:00:00Z`]: 1,
      [`${formatDay(monday)}T00:00:00Z`]: 1,
      [`${formatDay(monday)}T23:00:00Z`]: 1,
      [`${formatDay(monday + DAY_MS)}T00:00:00Z`]: 1,
    });
    expect(await timeseries(workspace, { interval: "day", ...days }, env())).toEqual({
      interval: "day",
      points: [
        { date: formatDay(monday - DAY_MS), scans: 1 },
        { date: formatDay(monday), scans: 2 },
        { date: formatDay(monday + DAY_MS), scans: 1 },
      ],
    });
    expect((await timeseries(workspace, { interval: "week", ...days }, env())).points).toEqual([
      { date: formatDay(monday - 7 * DAY_MS), scans: 1 },
      { date: formatDay(monday), scans: 3 },
    ]);
    const months = (await timeseries(workspace, { interval: "month", ...days }, env())).points;
    expect(months.reduce((sum, { scans }) => sum + scans, 0)).toBe(4);
    expect(months.every(({ date }) => date.endsWith("-01"))).toBe(true);
  });

  test("a day that is from and to alike is the whole day and no more", async () => {
    const workspace = await newWorkspace();
    const scan = (scannedAtMs: number) => scanWith({ workspaceId: workspace.id, linkId: "a", scannedAtMs });
    const dayMs = daysAgo(5);
    await record(scan(dayMs - 1), scan(dayMs), scan(dayMs + DAY_MS - 1), scan(dayMs + DAY_MS));
    const day = { from_date: formatDay(dayMs), to_date: formatDay(dayMs) };
    for (const interval of INTERVALS) {
      const { points } = await timeseries(workspace, { interval, ...day }, env());
      expect(
        points.reduce((sum, { scans }) => sum + scans, 0),
        interval,
      ).toBe(2);
    }
    expect((await breakdown(workspace, { by: "country", ...day }, env())).items).toEqual([
      { value: "unknown", scans: 2 },
    ]);
  });

  test("the last 30 days and today are the default, zeros where nothing was", async () => {
    const workspace = await newWorkspace();
    const scan = (scannedAtMs: number) => scanWith({ workspaceId: workspace.id, linkId: "a", scannedAtMs });
    await record(scan(daysAgo(31)), scan(daysAgo(30)), scan(Date.now()));
    const { points } = await timeseries(workspace, { interval: "day" }, env());
    expect(points).toHaveLength(31);
    expect(points[0]).toEqual({ date: formatDay(daysAgo(30)), scans: 1 });
    expect(points[30]).toEqual({ date: formatDay(TODAY_MS), scans: 1 });
    expect(points.slice(1, 30).every(({ scans }) => scans === 0)).toBe(true);
  });

  test("a link's scans are told from those of others, and a workspace's from those of others", async () => {
    const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const [a, b] = [await newLink(workspace), await newLink(workspace)];
    const foreign = await newLink(other);
    await record(
      scanWith({ workspaceId: workspace.id, linkId: a.id, country: "CA" }),
      scanWith({ workspaceId: workspace.id, linkId: a.id, country: "FR" }),
      scanWith({ workspaceId: workspace.id, linkId: b.id, country: "CA" }),
      scanWith({ workspaceId: other.id, linkId: foreign.id, country: "CA" }),
    );
    const total = async (query: object) => {
      const { points } = await timeseries(workspace, { interval: "month", ...query }, env());
      return points.reduce((sum, { scans }) => sum + scans, 0);
    };
    expect(await total({})).toBe(3);
    expect(await total({ link_id: a.id })).toBe(2);
    expect(listed(await breakdown(workspace, { by: "country" }, env()))).toEqual(["CA 2", "FR 1"]);
    expect(listed(await breakdown(workspace, { by: "country", link_id: b.id }, env()))).toEqual(["CA 1"]);
    expect(listed(await breakdown(workspace, { by: "link" }, env()))).toEqual([`${a.id} 2`, `${b.id} 1`]);
    expect(listed(await breakdown(workspace, { by: "link", link_id: a.id }, env()))).toEqual([`${a.id} 2`]);
    expect(
      await breakdown(other, { by: "link", link_id: foreign.id, to_date: formatDay(daysAgo(1)) }, env()),
    ).toEqual({
      by: "link",
      items: [],
    });
    const path = `/v1/analytics/timeseries?interval=day&link_id=${foreign.id}`;
    await expectError(await workspace.call("GET", path, { env: env() }), 404, "RESOURCE_NOT_FOUND");
  });

  test("each dimension lists its values, most scans first and equal ones in their order", async () => {
    const workspace = await newWorkspace();
    const of = { workspaceId: workspace.id, linkId: "a" };
    const facts = {
      country: "US",
      region: "US-CA",
      device: "mobile",
      os: "ios",
      browser: "safari",
      referrer: "news.example",
      language: "en-US",
      rule: "iOS, 'North' \\ America",
    };
    await record(scanWith({ ...of, ...facts }), scanWith({ ...of, ...facts, country: "AT" }), scanWith(of));
    const by = async (dimension: Dimension) => listed(await breakdown(workspace, { by: dimension }, env()));
    expect(await by("country")).toEqual(["unknown 1", "AT 1", "US 1"]);
    expect(await by("region")).toEqual(["US-CA 2", "unknown 1"]);
    expect(await by("device")).toEqual(["mobile 2", "unknown 1"]);
    expect(await by("os")).toEqual(["ios 2", "unknown 1"]);
    expect(await by("browser")).toEqual(["safari 2", "unknown 1"]);
    expect(await by("referrer")).toEqual(["news.example 2", "direct 1"]);
    expect(await by("language")).toEqual(["en-US 2", "unknown 1"]);
    expect(await by("rule")).toEqual(["iOS, 'North' \\ America 2", "default 1"]);
    expect(await by("link")).toEqual(["a 3"]);
    expect(listed(await breakdown(workspace, { by: "country", limit: "2" }, env()))).toEqual([
      "unknown 1",
      "AT 1",
    ]);
  });

  test("the sum over the points of any interval is the number of scans in the range", async () => {
    const moment = fc.integer({ min: daysAgo(70), max: TODAY_MS + DAY_MS - 1 });
    const day = fc.integer({ min: 0, max: 70 });
    await fc.assert(
      fc.asyncProperty(fc.array(moment, { maxLength: 30 }), day, day, async (moments, one, another) => {
        const tenant = tenantWith(env());
        const workspaceId = tenant.workspace.id;
        await record(...moments.map((scannedAtMs) => scanWith({ workspaceId, linkId: "a", scannedAtMs })));
        const [fromMs, toMs] = [daysAgo(Math.max(one, another)), daysAgo(Math.min(one, another))];
        const within = moments.filter((timeMs) => timeMs >= fromMs && timeMs < toMs + DAY_MS).length;
        const days = { from_date: formatDay(fromMs), to_date: formatDay(toMs) };
        for (const interval of INTERVALS) {
          const { points } = await readTimeseries(tenant, { interval, ...days });
          expect(points.reduce((sum, { scans }) => sum + scans, 0)).toBe(within);
        }
        const { items } = await readBreakdown(tenant, { by: "country", limit: 100, ...days });
        expect(items.reduce((sum, { scans }) => sum + scans, 0)).toBe(within);
      }),
      { numRuns: 15 },
    );
  });
});

/** For whom the domain acts, without a row in any table. */
function tenantWith(env: Env): Tenant {
  return {
    db: openDatabase(env.DB),
    workspace: {
      id: uuidv7(Date.now()),
      name: "",
      description: "",
      plan: "business",
      createdAt: 0,
      hostnames: ["a.localhost"],
    },
    settings: getSettings(env),
    nowMs: Date.now(),
    origin: { requestId: "", isRetry: false },
    queueDeliveries: () => {},
  };
}

describe("the choice between the engines", () => {
  const recent = { interval: "day", from_date: formatDay(daysAgo(10)) };

  test("what lies within three months is asked of Analytics Engine, what does not of the roll-ups", async () => {
    const tenant = { ...tenantWith(sqlApi.env), nowMs: Date.parse("2026-05-31T10:00:00Z") };
    const ask = (from_date: string) =>
      readTimeseries(tenant, { interval: "day", from_date, to_date: "2026-05-31" });
    await ask("2026-03-03");
    expect(sqlApi.statements).toHaveLength(0);
    await ask("2026-03-04");
    expect(sqlApi.statements).toHaveLength(1);
  });

  test.each<[string, (request: Request) => Response | Promise<Response>]>([
    ["refuses", (request) => new Response(`no: ${request.headers.get("Authorization")}`, { status: 403 })],
    ["breaks off", () => Promise.reject(new Error("connection lost, secret-token-of-the-test"))],
    ["redirects", () => Response.redirect("http://elsewhere.test/", 307)],
    ["answers what is no JSON", () => new Response("<html>")],
    ["answers another shape", () => Response.json({ data: [{ start: null, scans: "many" }] })],
    [
      "does not answer",
      (request) =>
        new Promise((_, reject) => {
          request.signal.addEventListener("abort", () => reject(request.signal.reason));
        }),
    ],
  ])(
    "when the SQL API %s, the roll-ups answer, and the log says why without the token",
    async (_, misbehave) => {
      const workspace = await newWorkspace();
      await count(scanWith({ workspaceId: workspace.id, linkId: "a" }));
      const log = vi.spyOn(console, "error").mockImplementation(() => {});
      sqlApi.misbehave = misbehave;
      expect(counted(await timeseries(workspace, recent, sqlApi.env))).toEqual({ [formatDay(TODAY_MS)]: 1 });
      expect(sqlApi.statements).toHaveLength(1);
      expect(log).toHaveBeenCalledOnce();
      expect(log.mock.calls[0]).toEqual([expect.stringContaining("Analytics Engine did not answer")]);
      expect(JSON.stringify(log.mock.calls)).not.toContain(sqlApi.token);
    },
  );

  test("an account without a token, or a token without an account, is no configuration", () => {
    for (const half of ["ANALYTICS_ACCOUNT_ID", "ANALYTICS_API_TOKEN"]) {
      expect(getSettings({ ...sqlApi.env, [half]: "" }).analyticsSql).toBeNull();
    }
  });

  test("only what needs no escape is ever put into a query", async () => {
    expect(quote("019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f")).toBe("'019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f'");
    for (const text of ["", "it's", "\\", "a b", "a\n", "é", "'--"]) expect(() => quote(text)).toThrow();
    const workspace = await newWorkspace();
    for (const link_id of ["' OR '1' = '1", "\\", "", "\0", "a".repeat(5_000), "\ud800"]) {
      const query = new URLSearchParams({ interval: "day", link_id });
      const response = await workspace.call("GET", `/v1/analytics/timeseries?${query}`, { env: sqlApi.env });
      await expectError(response, 404, "RESOURCE_NOT_FOUND");
    }
    expect(sqlApi.statements).toHaveLength(0);
  });
});

describe("the roll-ups", () => {
  test("count a window once, delivered twice in one batch, again, or beside a new one", async () => {
    const workspace = await newWorkspace();
    const link = await newLink(workspace);
    const scan = scanWith({ workspaceId: workspace.id, linkId: link.id, country: "CA" });
    const first = packWindow([scan, scan]);
    const ingest = (...windows: (typeof first)[]) =>
      ingestScans(queueBatch(...windows), workerEnv.DB, Date.now());
    await ingest(first, first);
    await ingest(first);
    await Promise.all([ingest(first, packWindow([scan])), ingest(first)]);
    expect(counted(await timeseries(workspace, { interval: "day" }))).toEqual({ [formatDay(TODAY_MS)]: 3 });
    const year = { from_date: formatDay(daysAgo(365)) };
    for (const query of [{}, year, { link_id: link.id }]) {
      expect(listed(await breakdown(workspace, { by: "country", ...query }))).toEqual(["CA 3"]);
    }
  });

  test("count alike scans of one window in the hours, days and months they were in", async () => {
    const workspace = await newWorkspace();
    const link = await newLink(workspace);
    const of = { workspaceId: workspace.id, linkId: link.id };
    const newYearMs = Date.UTC(2026, 0, 1);
    const offsets = [-2, -1, -1, 0, 1, 2];
    const scans = offsets.flatMap((offset) => [
      scanWith({ ...of, scannedAtMs: newYearMs + offset, country: "CA" }),
      scanWith({ ...of, scannedAtMs: newYearMs + offset, country: "FR" }),
      scanWith({
        ...of,
        scannedAtMs: newYearMs + offset,
        country: "FR",
        destination: "https://example.com/fr",
      }),
    ]);
    const window = packWindow(scans);
    expect(window.groups).toHaveLength(3);
    await ingestScans(queueBatch(window), workerEnv.DB, Date.now());
    const range = { from_date: "2025-12-31", to_date: "2026-01-01" };
    const turns = {
      hour: ["2025-12-31T23:00:00Z", "2026-01-01T00:00:00Z"],
      day: ["2025-12-31", "2026-01-01"],
    };
    for (const [interval, [before = "", after = ""]] of Object.entries(turns)) {
      expect(counted(await timeseries(workspace, { interval, ...range }))).toEqual({
        [before]: 9,
        [after]: 9,
      });
    }
    for (const [from_date, to_date] of [
      ["2025-12-31", "2025-12-31"],
      ["2025-12-01", "2025-12-31"],
      ["2026-01-01", "2026-01-31"],
    ] as const) {
      expect(listed(await breakdown(workspace, { by: "country", from_date, to_date }))).toEqual([
        "FR 6",
        "CA 3",
      ]);
    }
    const { data } = await expectData(await workspace.call("GET", `/v1/links/${link.id}`), linkResponse);
    expect(data).toMatchObject({
      scan_count: 18,
      last_scan_at: new Date(newYearMs + 2).toISOString(),
    });
  });

  test("are written with as many statements for one scan as for the largest batch a queue can make", async () => {
    const workspace = await newWorkspace();
    await newWebhook(workspace, receiverUrl("unused"), ["link.scanned"]);
    const of = { workspaceId: workspace.id, linkId: uuidv7(Date.now()) };
    const statements: number[] = [];
    const valueBytes: number[] = [];
    const d1 = {
      prepare: (text: string) => ({
        bind(...values: unknown[]) {
          valueBytes.push(...values.map((value) => new TextEncoder().encode(String(value)).byteLength));
          return workerEnv.DB.prepare(text).bind(...values);
        },
      }),
      batch(batch: D1PreparedStatement[]) {
        statements.push(batch.length);
        return workerEnv.DB.batch(batch);
      },
    } as unknown as D1Database;
    await ingestScans(queueBatch(packWindow([scanWith(of)])), d1, Date.now());
    const unlike = (index: number) => ({
      referrer: `${index}.`.padEnd(100, "a"),
      rule: `${index}`.padEnd(64, "\u0001"),
      region: "US-ABC",
      language: "zho-419",
    });
    const largest = [
      (index: number) => ({ ...unlike(index), destination: "" }),
      (index: number) => ({ destination: `https://example.com/${index}`.padEnd(8_192, "a") }),
      () => ({ destination: "https://example.com/".padEnd(8_192, "a") }),
    ];
    let scans = 1;
    for (const factsOf of largest) {
      const occurrences = Array.from({ length: 100 * BATCH_WINDOWS }, (_, index): [ScanFacts, number] => {
        const { scannedAtMs, ...facts } = scanWith({ ...of, ...factsOf(index) });
        return [facts, scannedAtMs];
      });
      const windows = (await packWindows(occurrences)).slice(0, BATCH_WINDOWS);
      await ingestScans(queueBatch(...windows), d1, Date.now());
      scans += windows.flatMap(({ groups }) => groups.flatMap(({ timesMs }) => timesMs)).length;
    }
    // One more: a batch of more than 15 windows writes its deliveries in two.
    expect(new Set(statements.slice(1)).size).toBe(1);
    expect(statements[1]).toBeLessThanOrEqual((statements[0] as number) + 1);
    expect(Math.max(...valueBytes)).toBeLessThan(D1_VALUE_BYTES_MAX);
    const { points } = await timeseries(workspace, { interval: "month" });
    expect(points.reduce((sum, point) => sum + point.scans, 0)).toBe(scans);
  });

  test("break any range of years down as its scans, whole months and single days", async () => {
    const moment = fc.integer({ min: Date.UTC(2023, 10, 1), max: Date.UTC(2025, 2, 1) });
    const day = fc.integer({ min: Date.UTC(2023, 10, 1) / DAY_MS, max: Date.UTC(2025, 2, 1) / DAY_MS });
    const country = fc.constantFrom("CA", "FR", null);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(moment, country), { maxLength: 40 }),
        day,
        day,
        async (drawn, one, another) => {
          const tenant = tenantWith(workerEnv);
          const workspaceId = tenant.workspace.id;
          const scans = drawn.map(([scannedAtMs, country]) =>
            scanWith({ workspaceId, linkId: "a", scannedAtMs, country }),
          );
          await count(...scans);
          const [from, to] = [Math.min(one, another), Math.max(one, another)];
          const { items } = await readBreakdown(tenant, {
            by: "country",
            limit: 100,
            from_date: formatDay(from * DAY_MS),
            to_date: formatDay(to * DAY_MS),
          });
          const within = scans.filter(
            ({ scannedAtMs }) => scannedAtMs >= from * DAY_MS && scannedAtMs < (to + 1) * DAY_MS,
          );
          const expected = Map.groupBy(within, ({ country }) => country ?? "unknown");
          expect(Object.fromEntries(items.map(({ value, scans }) => [value, scans]))).toEqual(
            Object.fromEntries([...expected].map(([value, group]) => [value, group.length])),
          );
        },
      ),
      { numRuns: 30 },
    );
  });

  test("keep the scans of a deleted link in the workspace's counts", async () => {
    const workspace = await newWorkspace();
    const link = await newLink(workspace);
    await count(scanWith({ workspaceId: workspace.id, linkId: link.id }));
    await workspace.call("DELETE", `/v1/links/${link.id}`);
    expect(counted(await timeseries(workspace, { interval: "day" }))).toEqual({ [formatDay(TODAY_MS)]: 1 });
    expect(listed(await breakdown(workspace, { by: "link" }))).toEqual([`${link.id} 1`]);
    const response = await workspace.call("GET", `/v1/analytics/timeseries?interval=day&link_id=${link.id}`);
    await expectError(response, 404, "RESOURCE_NOT_FOUND");
  });

  test("answer for ranges before the workspace existed, and for the whole calendar", async () => {
    const workspace = await newWorkspace();
    const leapDay = Date.parse("2024-02-29T23:59:59.999Z");
    await count(scanWith({ workspaceId: workspace.id, linkId: "a", scannedAtMs: leapDay }));
    const days = { from_date: "2024-02-28", to_date: "2024-03-01" };
    expect(counted(await timeseries(workspace, { interval: "day", ...days }))).toEqual({ "2024-02-29": 1 });
    const ages = { from_date: "1900-01-01", to_date: "2700-12-31" };
    const { points } = await timeseries(workspace, { interval: "month", ...ages });
    expect(points).toHaveLength(801 * 12);
    expect(points.reduce((sum, { scans }) => sum + scans, 0)).toBe(1);
    const all = { from_date: "0001-01-01", to_date: "9999-12-31" };
    expect(listed(await breakdown(workspace, { by: "device", ...all }))).toEqual(["unknown 1"]);
  });
});

describe("a query", () => {
  test.each([
    ["timeseries", "interval: must be one of hour, day, week, month"],
    ["timeseries?interval=year", "interval: must be one of hour, day, week, month"],
    ["timeseries?interval=day&interval=hour", "interval: must be given once"],
    ["timeseries?interval=day&from=2026-01-01", "from: is not a known field"],
    ["timeseries?interval=day&limit=3", "limit: is not a known field"],
    [
      "timeseries?interval=day&from_date=2026-02-29",
      "from_date: must be an ISO 8601 date such as 2026-11-21",
    ],
    ["timeseries?interval=day&from_date=", "from_date: must be an ISO 8601 date such as 2026-11-21"],
    ["timeseries?interval=day&to_date=21.11.2026", "to_date: must be an ISO 8601 date such as 2026-11-21"],
    ["timeseries?interval=day&to_date=2026-1-1", "to_date: must be an ISO 8601 date such as 2026-11-21"],
    ["timeseries?interval=day&to_date=0000-01-01", "to_date: must be an ISO 8601 date such as 2026-11-21"],
    [
      "timeseries?interval=day&to_date=%2B12026-01-01",
      "to_date: must be an ISO 8601 date such as 2026-11-21",
    ],
    [
      "timeseries?interval=day&from_date=2026-01-02&to_date=2026-01-01",
      "from_date: must not be after to_date",
    ],
    ["timeseries?interval=day&from_date=9999-01-01", "from_date: must not be after to_date"],
    [
      "timeseries?interval=hour&from_date=2025-01-01&to_date=2026-02-21",
      "interval: must give at most 10000 points between from_date and to_date",
    ],
    [
      "timeseries?interval=day&from_date=0001-01-01&to_date=9999-12-31",
      "interval: must give at most 10000 points between from_date and to_date",
    ],
    ["breakdown", `by: must be one of ${Object.keys(DIMENSIONS).join(", ")}`],
    ["breakdown?by=city", `by: must be one of ${Object.keys(DIMENSIONS).join(", ")}`],
    ["breakdown?by=__proto__", `by: must be one of ${Object.keys(DIMENSIONS).join(", ")}`],
    ["breakdown?by=os&limit=0", "limit: must be at least 1"],
    ["breakdown?by=os&limit=101", "limit: must be at most 100"],
    ["breakdown?by=os&interval=day", "interval: is not a known field"],
    ["breakdown?by=os&from_date=2026-01-02&to_date=2026-01-01", "from_date: must not be after to_date"],
  ])("%s is refused", async (path, message) => {
    const workspace = await newWorkspace();
    const error = await expectError(
      await workspace.call("GET", `/v1/analytics/${path}`),
      400,
      "VALIDATION_ERROR",
    );
    expect(error.message).toBe(message);
  });

  test("may give 10,000 points", async () => {
    const workspace = await newWorkspace();
    const days = { from_date: "2025-01-01", to_date: "2026-02-20" };
    expect((await timeseries(workspace, { interval: "hour", ...days })).points).toHaveLength(416 * 24);
  });

  test("needs the scope, and is answered with rate_limit in shape B", async () => {
    const workspace = await newWorkspace();
    const reader = workspace.as(await workspace.newKey({ scopes: ["analytics:read"] }));
    const { meta } = await expectData(
      await reader.call("GET", "/v1/analytics/breakdown?by=os"),
      breakdownResponse,
    );
    expect(Object.keys(meta.rate_limit).sort()).toEqual(["remaining", "reset_at"]);
    const stranger = workspace.as(await workspace.newKey({ scopes: ["links:read"] }));
    for (const path of ["timeseries?interval=day", "breakdown?by=os"]) {
      await expectError(await stranger.call("GET", `/v1/analytics/${path}`), 403, "INSUFFICIENT_SCOPE");
    }
  });
});

describe("a redirect", () => {
  const IPAD =
    "Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";

  test("leaves one point and one count, alike in both engines", async () => {
    const workspace = await newWorkspace();
    const link = await newLink(workspace, {
      routing_rules: [{ name: "Canada", when: { country: ["CA"] }, destination: "https://example.ca/" }],
    });
    const visit = (headers: Record<string, string>, method = "GET") =>
      send(
        new Request(`http://${workspace.hostname}:8787/${link.short_code}`, {
          redirect: "manual",
          method,
          headers,
        }),
        sqlApi.env,
      );
    await visit({
      "CF-IPCountry": "CA",
      "CF-Region-Code": "QC",
      "User-Agent": IPAD,
      "Accept-Language": "fr-ca,en;q=0.8",
      Referer: "https://News.Example/page?q=1",
    });
    await visit({});
    await visit({ "User-Agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" });
    await visit({}, "HEAD");
    expect(sqlApi.points).toHaveLength(2);
    expect(sqlApi.points[0]).toEqual({
      indexes: [workspace.id],
      blobs: [link.id, "CA", "CA-QC", "tablet", "ios", "safari", "news.example", "fr-CA", "Canada"],
      doubles: [expect.any(Number)],
    });

    const total = async () => {
      const { points } = await timeseries(workspace, { interval: "month" });
      return points.reduce((sum, { scans }) => sum + scans, 0);
    };
    expect(await eventually(total, (scans) => scans === 2)).toBe(2);
    for (const by of Object.keys(DIMENSIONS)) {
      const asked = sqlApi.statements.length;
      const fromEngine = await breakdown(workspace, { by }, sqlApi.env);
      expect(sqlApi.statements).toHaveLength(asked + 1);
      expect(fromEngine, by).toEqual(await breakdown(workspace, { by }));
    }
  });

  test.each([
    ["an iPad that asks for desktop pages", "Macintosh; Intel Mac OS X 10_15_7", "iPadOS", ["tablet", "ios"]],
    ["an Android tablet that does", "X11; Linux x86_64", "Android", ["tablet", "android"]],
    ["a Mac", "Macintosh; Intel Mac OS X 10_15_7", "macOS", ["desktop", "macos"]],
  ])("knows %s by its client hints", async (_, system, platform, expected) => {
    const workspace = await newWorkspace();
    const link = await newLink(workspace);
    const headers = {
      "User-Agent": `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36`,
      "Sec-CH-UA-Platform": `"${platform}"`,
      "Sec-CH-UA-Mobile": "?0",
    };
    await send(
      new Request(`http://${workspace.hostname}:8787/${link.short_code}`, { redirect: "manual", headers }),
      sqlApi.env,
    );
    expect(sqlApi.points[0]?.blobs?.slice(3, 5)).toEqual(expected);
  });

  test("is not broken by a dataset that takes no point", async () => {
    const workspace = await newWorkspace();
    const link = await newLink(workspace);
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const broken = () => {
      throw new Error("no point taken");
    };
    const response = await send(
      new Request(`http://${workspace.hostname}:8787/${link.short_code}`, { redirect: "manual" }),
      { ...workerEnv, SCANS: { writeDataPoint: broken } },
    );
    expect(response.status).toBe(302);
    expect(log).toHaveBeenCalledOnce();
  });

  test.each<[keyof ScanFacts, string | null, string | null]>([
    ["language", "en", "en"],
    ["language", "EN-us", "en-US"],
    ["language", "zh-hant-tw", "zh-TW"],
    ["language", "es-419", "es-419"],
    ["language", "sr-latn", "sr"],
    ["language", "de-ch-1996", "de-CH"],
    ["language", "x", null],
    ["language", "english", null],
    ["language", "a".repeat(8_000), null],
    ["language", null, null],
    ["referrer", "news.example", "news.example"],
    ["referrer", `${"a".repeat(8_000)}.example`, null],
    ["referrer", "direct", null],
    ["rule", "Canada", "Canada"],
    ["rule", "default", null],
    ["country", "CA", "CA"],
    ["country", "Canada", null],
    ["region", "US-CA", "US-CA"],
    ["region", `US-${"C".repeat(8_000)}`, null],
  ])("records as %s of %s only what is one: %s", (field, given, recorded) => {
    const scan = scanWith({ workspaceId: "w", linkId: "a", [field]: given });
    expect(tidyScan(scan)[field]).toBe(recorded);
  });

  test("writes the moment in whole seconds, so that both engines put it into the same hour", () => {
    const lastMs = TODAY_MS + HOUR_MS - 1;
    const point = toDataPoint(scanWith({ workspaceId: "w", linkId: "a" }), lastMs);
    expect(point.doubles).toEqual([(TODAY_MS + HOUR_MS) / 1_000 - 1]);
  });
});
