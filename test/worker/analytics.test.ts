/// <reference types="vite/client" />

import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { breakdownResponse, timeseriesResponse } from "../../src/analytics/analytics.schema.ts";
import { readBreakdown, readTimeseries } from "../../src/analytics/analytics.ts";
import { formatDay, INTERVALS } from "../../src/analytics/buckets.ts";
import { quote } from "../../src/analytics/engine.ts";
import { sweepScans } from "../../src/analytics/fold-months.ts";
import { ingestScans } from "../../src/analytics/ingest.ts";
import { generateUuidv7 } from "../../src/core/id.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/time.ts";
import { openDatabase } from "../../src/db/database.ts";
import { getShard } from "../../src/db/shards.ts";
import { getSettings } from "../../src/env.ts";
import { linkResponse } from "../../src/links/link-response.ts";
import { DIMENSIONS, type Dimension, toDataPoint } from "../../src/scans/dimensions.ts";
import type { ScanFacts } from "../../src/scans/scan-facts.ts";
import { tidyScan } from "../../src/scans/tidy-scan.ts";
import type { Tenant } from "../../src/tenant/tenant.ts";
import wranglerToml from "../../wrangler.toml?raw";
import {
  createLink,
  eventually,
  expectData,
  expectError,
  newWorkspace,
  send,
  type TestWorkspace,
  workerEnv,
  wrapShards,
} from "../support/harness.ts";
import { hurryTimeouts } from "../support/quick-timers.ts";
import { chooseRuns } from "../support/runs.ts";
import { buildQueueBatch, buildScan, packWindow, type Scan } from "../support/scans.ts";
import { StubSqlApi } from "../support/sql-api.ts";
import { buildReceiverUrl, createWebhook } from "../support/webhooks.ts";
import { recordWindows } from "../support/windows.ts";

/** Maximum number of windows that the queue delivers in one batch. */
const BATCH_WINDOWS = Math.max(
  ...[...wranglerToml.matchAll(/queue = "signpost-scans"\nmax_batch_size = (\d+)/g)].map(([, size]) =>
    Number(size),
  ),
);
/** Maximum size of a value in D1. The local D1 does not enforce it. */
const D1_VALUE_BYTES_MAX = 2_000_000;

/** Id of a link that only appears in this file's scans. */
const LINK = "019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f";
const TODAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS;
/** Start of this month. */
const MONTH_MS = Date.parse(`${formatDay(TODAY_MS).slice(0, 8)}01`);
/** Returns the start of the day that many days ago, in Unix milliseconds. */
const daysAgoMs = (days: number) => TODAY_MS - days * DAY_MS;

const countScans = (...scans: Scan[]) =>
  ingestScans(buildQueueBatch(packWindow(scans)), workerEnv, Date.now());

async function getTimeseries(workspace: TestWorkspace, query: Record<string, string>, env: Env = workerEnv) {
  const path = `/v1/analytics/timeseries?${new URLSearchParams(query)}`;
  return (await expectData(await workspace.call("GET", path, { env }), timeseriesResponse)).data;
}

async function getBreakdown(workspace: TestWorkspace, query: Record<string, string>, env: Env = workerEnv) {
  const path = `/v1/analytics/breakdown?${new URLSearchParams(query)}`;
  return (await expectData(await workspace.call("GET", path, { env }), breakdownResponse)).data;
}

/** Returns the points with scans, as scans by date. */
const listNonZero = ({ points }: { points: { date: string; scans: number }[] }) =>
  Object.fromEntries(points.filter(({ scans }) => scans > 0).map(({ date, scans }) => [date, scans]));

/** Formats each item as its value and scans. */
const formatItems = ({ items }: { items: { value: string; scans: number }[] }) =>
  items.map(({ value, scans }) => `${value} ${scans}`);

/** Compares formatted items as a breakdown orders them: most scans first, then by value. */
function compareItems(one: string, other: string): number {
  return Number(other.split(" ")[1]) - Number(one.split(" ")[1]) || (one < other ? -1 : 1);
}

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

/** Engines under test. `record` stores scans in that engine alone, so that the other cannot provide the counts. */
const engines: Engine[] = [
  { name: "roll-ups", env: () => workerEnv, record: countScans },
  {
    name: "Analytics Engine",
    env: () => sqlApi.env,
    record: async (...scans) => {
      sqlApi.points.push(...scans.map((scan) => toDataPoint(scan, scan.scannedAtMs)));
    },
  },
];

describe.each(engines)("analytics from $name", ({ env, record }) => {
  test("timeseries counts scans in their hour, day, week and month", async () => {
    const workspace = await newWorkspace();
    const scanAt = (scannedAtMs: number) =>
      buildScan({ workspaceId: workspace.id, linkId: LINK, scannedAtMs });
    const monday = TODAY_MS - (((TODAY_MS / DAY_MS + 3) % 7) + 7) * DAY_MS;
    await record(scanAt(monday - 1), scanAt(monday), scanAt(monday + DAY_MS - 1), scanAt(monday + DAY_MS));
    const days = { from_date: formatDay(monday - DAY_MS), to_date: formatDay(monday + DAY_MS) };

    expect(listNonZero(await getTimeseries(workspace, { interval: "hour", ...days }, env()))).toEqual({
      [`${formatDay(monday - DAY_MS)}T23:00:00Z`]: 1,
      [`${formatDay(monday)}T00:00:00Z`]: 1,
      [`${formatDay(monday)}T23:00:00Z`]: 1,
      [`${formatDay(monday + DAY_MS)}T00:00:00Z`]: 1,
    });
    const byDay = await getTimeseries(workspace, { interval: "day", ...days }, env());
    expect(byDay).toMatchObject({
      interval: "day",
      visitors_are: "daily",
      scans_are: env() === workerEnv ? "exact" : "sampled",
      points: [
        { date: formatDay(monday - DAY_MS), scans: 1 },
        { date: formatDay(monday), scans: 2 },
        { date: formatDay(monday + DAY_MS), scans: 1 },
      ],
    });
    expect(byDay.points.map(({ estimated = false }) => estimated)).toEqual(
      Array(3).fill(env() !== workerEnv),
    );
    expect((await getTimeseries(workspace, { interval: "week", ...days }, env())).points).toMatchObject([
      { date: formatDay(monday - 7 * DAY_MS), scans: 1 },
      { date: formatDay(monday), scans: 3 },
    ]);
    const months = (await getTimeseries(workspace, { interval: "month", ...days }, env())).points;
    expect(months.reduce((sum, { scans }) => sum + scans, 0)).toBe(4);
    expect(months.every(({ date }) => date.endsWith("-01"))).toBe(true);
  });

  test("a range with the same from_date and to_date covers exactly that day", async () => {
    const workspace = await newWorkspace();
    const scanAt = (scannedAtMs: number) =>
      buildScan({ workspaceId: workspace.id, linkId: LINK, scannedAtMs });
    const dayMs = daysAgoMs(5);
    await record(scanAt(dayMs - 1), scanAt(dayMs), scanAt(dayMs + DAY_MS - 1), scanAt(dayMs + DAY_MS));
    const day = { from_date: formatDay(dayMs), to_date: formatDay(dayMs) };
    for (const interval of INTERVALS) {
      const { points } = await getTimeseries(workspace, { interval, ...day }, env());
      expect(
        points.reduce((sum, { scans }) => sum + scans, 0),
        interval,
      ).toBe(2);
    }
    expect(formatItems(await getBreakdown(workspace, { by: "country", ...day }, env()))).toEqual([
      "unknown 2",
    ]);
  });

  test("timeseries covers the last 30 days and today by default, with zeros for days without scans", async () => {
    const workspace = await newWorkspace();
    const scanAt = (scannedAtMs: number) =>
      buildScan({ workspaceId: workspace.id, linkId: LINK, scannedAtMs });
    await record(scanAt(daysAgoMs(31)), scanAt(daysAgoMs(30)), scanAt(Date.now()));
    const { points } = await getTimeseries(workspace, { interval: "day" }, env());
    expect(points).toHaveLength(31);
    expect(points[0]).toMatchObject({ date: formatDay(daysAgoMs(30)), scans: 1 });
    expect(points[30]).toMatchObject({ date: formatDay(TODAY_MS), scans: 1 });
    expect(points.slice(1, 30).every(({ scans }) => scans === 0)).toBe(true);
  });

  test("link_id selects the scans of one link, and no query returns another workspace's scans", async () => {
    const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const [a, b] = [await createLink(workspace), await createLink(workspace)];
    const foreign = await createLink(other);
    await record(
      buildScan({ workspaceId: workspace.id, linkId: a.id, country: "CA" }),
      buildScan({ workspaceId: workspace.id, linkId: a.id, country: "FR" }),
      buildScan({ workspaceId: workspace.id, linkId: b.id, country: "CA" }),
      buildScan({ workspaceId: other.id, linkId: foreign.id, country: "CA" }),
    );
    const sumScans = async (query: object) => {
      const { points } = await getTimeseries(workspace, { interval: "month", ...query }, env());
      return points.reduce((sum, { scans }) => sum + scans, 0);
    };
    expect(await sumScans({})).toBe(3);
    expect(await sumScans({ link_id: a.id })).toBe(2);
    expect(formatItems(await getBreakdown(workspace, { by: "country" }, env()))).toEqual(["CA 2", "FR 1"]);
    expect(formatItems(await getBreakdown(workspace, { by: "country", link_id: b.id }, env()))).toEqual([
      "CA 1",
    ]);
    expect(formatItems(await getBreakdown(workspace, { by: "link" }, env()))).toEqual([
      `${a.id} 2`,
      `${b.id} 1`,
    ]);
    expect(formatItems(await getBreakdown(workspace, { by: "link", link_id: a.id }, env()))).toEqual([
      `${a.id} 2`,
    ]);
    expect(
      await getBreakdown(other, { by: "link", link_id: foreign.id, to_date: formatDay(daysAgoMs(1)) }, env()),
    ).toMatchObject({ by: "link", items: [] });
    const path = `/v1/analytics/timeseries?interval=day&link_id=${foreign.id}`;
    await expectError(await workspace.call("GET", path, { env: env() }), 404, "RESOURCE_NOT_FOUND");
  });

  test("breakdown orders the values of each dimension by scans, then by value", async () => {
    const workspace = await newWorkspace();
    const owner = { workspaceId: workspace.id, linkId: LINK };
    const facts = {
      country: "US",
      region: "US-CA",
      device: "mobile",
      os: "ios",
      browser: "safari",
      referrer: "news.example",
      language: "en-US",
      rule: "iOS, 'North' \\ America",
      source: "page" as const,
      utm: { utm_source: "café | bar", utm_campaign: "50 % off" },
    };
    await record(
      buildScan({ ...owner, ...facts }),
      buildScan({ ...owner, ...facts, country: "AT" }),
      buildScan(owner),
    );
    const listValues = async (dimension: Dimension) =>
      formatItems(await getBreakdown(workspace, { by: dimension }, env()));
    expect(await listValues("country")).toEqual(["unknown 1", "AT 1", "US 1"]);
    expect(await listValues("region")).toEqual(["US-CA 2", "unknown 1"]);
    expect(await listValues("device")).toEqual(["mobile 2", "unknown 1"]);
    expect(await listValues("os")).toEqual(["ios 2", "unknown 1"]);
    expect(await listValues("browser")).toEqual(["safari 2", "unknown 1"]);
    expect(await listValues("referrer")).toEqual(["news.example 2", "direct 1"]);
    expect(await listValues("language")).toEqual(["en-US 2", "unknown 1"]);
    expect(await listValues("rule")).toEqual(["iOS, 'North' \\ America 2", "default 1"]);
    expect(await listValues("source")).toEqual(["page 2", "link 1"]);
    expect(await listValues("utm_source")).toEqual(["café | bar 2", "none 1"]);
    expect(await listValues("utm_medium")).toEqual(["none 3"]);
    expect(await listValues("utm_campaign")).toEqual(["50 % off 2", "none 1"]);
    expect(await listValues("link")).toEqual([`${LINK} 3`]);
    expect(formatItems(await getBreakdown(workspace, { by: "country", limit: "2" }, env()))).toEqual([
      "unknown 1",
      "AT 1",
    ]);
  });

  test("traffic selects a class of requests, and by=traffic groups scans by class", async () => {
    const workspace = await newWorkspace();
    const owner = { workspaceId: workspace.id, linkId: LINK };
    await record(
      buildScan(owner),
      buildScan({ ...owner, traffic: "human", country: "DE" }),
      buildScan({ ...owner, traffic: "bot", country: "US" }),
      buildScan({ ...owner, traffic: "preview" }),
      buildScan({ ...owner, traffic: "preview", country: "US" }),
      buildScan({ ...owner, traffic: "prefetch" }),
    );
    const listItems = async (query: Record<string, string>) =>
      formatItems(await getBreakdown(workspace, query, env()));
    expect(await listItems({ by: "traffic" })).toEqual(["human 2", "preview 2", "bot 1", "prefetch 1"]);
    expect(await listItems({ by: "traffic", traffic: "bot" })).toEqual(["bot 1"]);
    expect(await listItems({ by: "traffic", country: "US" })).toEqual(["bot 1", "preview 1"]);
    expect(await listItems({ by: "country" })).toEqual(["unknown 1", "DE 1"]);
    expect(await listItems({ by: "country", traffic: "all" })).toEqual(["unknown 3", "US 2", "DE 1"]);
    expect(await listItems({ by: "country", traffic: "preview" })).toEqual(["unknown 1", "US 1"]);
    expect(await listItems({ by: "link", traffic: "preview" })).toEqual([`${LINK} 2`]);
    expect(await listItems({ by: "link", traffic: "all", from_date: formatDay(daysAgoMs(1)) })).toEqual([
      `${LINK} 6`,
    ]);
    for (const [traffic, scans] of Object.entries({ human: 2, bot: 1, preview: 2, prefetch: 1, all: 6 })) {
      for (const interval of INTERVALS) {
        const { points } = await getTimeseries(workspace, { interval, traffic }, env());
        expect(points.reduce((sum, point) => sum + point.scans, 0)).toBe(scans);
      }
    }
  });

  test("filters select matching scans of a workspace or a link", async () => {
    const workspace = await newWorkspace();
    const [a, b] = [await createLink(workspace), await createLink(workspace)];
    const scanOf = (linkId: string, facts: Partial<Scan>) =>
      buildScan({ workspaceId: workspace.id, linkId, ...facts });
    await record(
      scanOf(a.id, {
        country: "DE",
        region: "DE-BE",
        browser: "firefox",
        referrer: "news.example",
        rule: "#1",
        source: "qr",
        utm: { utm_source: "flyer" },
      }),
      scanOf(a.id, { country: "DE", browser: "chrome", os: "android", language: "de" }),
      scanOf(b.id, { country: "DE", browser: "chrome", scannedAtMs: daysAgoMs(30) }),
      scanOf(b.id, { country: "FR", browser: "firefox", device: "mobile" }),
      scanOf(b.id, { browser: "firefox" }),
    );
    const listItems = async (query: Record<string, string>) =>
      formatItems(await getBreakdown(workspace, query, env()));
    expect(await listItems({ by: "browser", country: "DE" })).toEqual(["chrome 2", "firefox 1"]);
    expect(await listItems({ by: "browser", country: "DE", link_id: a.id })).toEqual([
      "chrome 1",
      "firefox 1",
    ]);
    expect(await listItems({ by: "link", country: "DE" })).toEqual(
      [`${a.id} 2`, `${b.id} 1`].sort(compareItems),
    );
    expect(await listItems({ by: "country", browser: "firefox" })).toEqual(["unknown 1", "DE 1", "FR 1"]);
    expect(await listItems({ by: "country", country: "unknown" })).toEqual(["unknown 1"]);
    expect(await listItems({ by: "country", region: "DE-BE" })).toEqual(["DE 1"]);
    expect(await listItems({ by: "os", os: "android", language: "de" })).toEqual(["android 1"]);
    expect(await listItems({ by: "rule", device: "mobile" })).toEqual(["default 1"]);
    expect(await listItems({ by: "rule", rule: "#1" })).toEqual(["#1 1"]);
    expect(await listItems({ by: "browser", referrer: "direct", rule: "default", country: "DE" })).toEqual([
      "chrome 2",
    ]);
    expect(await listItems({ by: "browser", source: "qr", utm_source: "flyer" })).toEqual(["firefox 1"]);
    expect(await listItems({ by: "source", country: "DE" })).toEqual(["link 2", "qr 1"]);
    expect(await listItems({ by: "utm_source", source: "link", browser: "firefox" })).toEqual(["none 2"]);
    expect(await listItems({ by: "browser", source: "page" })).toEqual([]);
    expect(await listItems({ by: "browser", country: "GB" })).toEqual([]);
    const filtered = { country: "DE", browser: "chrome" };
    for (const [interval, counts] of [
      ["day", [1, 1]],
      ["hour", [1, 1]],
    ] as const) {
      const points = listNonZero(await getTimeseries(workspace, { interval, ...filtered }, env()));
      expect(Object.values(points)).toEqual(counts);
    }
  });

  test("time_zone shifts the boundaries of days and hours, including by fractions of an hour", async () => {
    const workspace = await newWorkspace();
    const dayMs = daysAgoMs(10);
    const scanAt = (scannedAtMs: number, country: string) =>
      buildScan({ workspaceId: workspace.id, linkId: LINK, scannedAtMs, country });
    // Midnight in Kathmandu (UTC+5:45) is 18:15 UTC.
    const midnightMs = dayMs - 5.75 * HOUR_MS;
    await record(scanAt(midnightMs - 1, "CA"), scanAt(midnightMs, "FR"), scanAt(midnightMs + DAY_MS, "DE"));
    const day = { from_date: formatDay(dayMs), to_date: formatDay(dayMs), time_zone: "Asia/Kathmandu" };
    expect(listNonZero(await getTimeseries(workspace, { interval: "day", ...day }, env()))).toEqual({
      [formatDay(dayMs)]: 1,
    });
    expect(listNonZero(await getTimeseries(workspace, { interval: "hour", ...day }, env()))).toEqual({
      [`${formatDay(dayMs)}T00:00:00+05:45`]: 1,
    });
    expect(formatItems(await getBreakdown(workspace, { by: "country", ...day }, env()))).toEqual(["FR 1"]);
    expect(formatItems(await getBreakdown(workspace, { by: "link", ...day }, env()))).toEqual([`${LINK} 1`]);
    const three = {
      interval: "day",
      from_date: formatDay(dayMs - DAY_MS),
      to_date: formatDay(dayMs + DAY_MS),
    };
    const zoned = await getTimeseries(workspace, { ...three, time_zone: "Asia/Kathmandu" }, env());
    expect(zoned.points.map(({ scans }) => scans)).toEqual([1, 1, 1]);
    const utc = await getTimeseries(workspace, { ...three, time_zone: "UTC" }, env());
    expect(utc).toEqual(await getTimeseries(workspace, three, env()));
    expect(utc.points.map(({ scans }) => scans)).toEqual([2, 1, 0]);
  });

  test("the points of every interval and the items of a breakdown add up to the scans in the range", async () => {
    const scanTime = fc.integer({ min: daysAgoMs(70), max: TODAY_MS + DAY_MS - 1 });
    const day = fc.integer({ min: 0, max: 70 });
    await fc.assert(
      fc.asyncProperty(fc.array(scanTime, { maxLength: 30 }), day, day, async (times, one, another) => {
        const tenant = await buildTenant(env());
        const workspaceId = tenant.workspace.id;
        await record(...times.map((scannedAtMs) => buildScan({ workspaceId, linkId: LINK, scannedAtMs })));
        const [fromMs, toMs] = [daysAgoMs(Math.max(one, another)), daysAgoMs(Math.min(one, another))];
        const within = times.filter((timeMs) => timeMs >= fromMs && timeMs < toMs + DAY_MS).length;
        const days = { from_date: formatDay(fromMs), to_date: formatDay(toMs) };
        for (const interval of INTERVALS) {
          const { points } = await readTimeseries(tenant, { interval, ...days });
          expect(points.reduce((sum, { scans }) => sum + scans, 0)).toBe(within);
        }
        const { items } = await readBreakdown(tenant, { by: "country", limit: 100, ...days });
        expect(items.reduce((sum, { scans }) => sum + scans, 0)).toBe(within);
      }),
      { numRuns: chooseRuns(8, 30) },
    );
  });
});

/** Builds a tenant of a new workspace. */
async function buildTenant(env: Env): Promise<Tenant> {
  const { id, shard, shardNumber } = await newWorkspace();
  return {
    db: openDatabase(shard),
    directory: openDatabase(env.DIRECTORY),
    workspace: {
      id,
      shard: shardNumber,
      name: "",
      description: "",
      plan: "business",
      isMoving: false,
      suspendedAt: null,
      createdAt: 0,
      hostnames: ["a.localhost"],
    },
    settings: getSettings(env),
    nowMs: Date.now(),
    origin: { requestId: "", isRetry: false },
    actor: { type: "admin", id: "", name: "test" },
    operation: "",
    requestId: "",
    deliveryQueue: env.DELIVERY_QUEUE,
    waitUntil: () => {},
  };
}

describe("the choice of the analytics engine", () => {
  const recent = { interval: "day", from_date: formatDay(daysAgoMs(10)) };

  test("ranges within the last three months come from Analytics Engine, older ones from the roll-ups", async () => {
    const tenant = { ...(await buildTenant(sqlApi.env)), nowMs: Date.parse("2026-05-31T10:00:00Z") };
    const readFrom = (from_date: string) =>
      readTimeseries(tenant, { interval: "day", from_date, to_date: "2026-05-31" });
    await readFrom("2026-03-03");
    expect(sqlApi.statements).toHaveLength(0);
    await readFrom("2026-03-04");
    expect(sqlApi.statements).toHaveLength(1);
  });

  test.each<[string, NonNullable<typeof sqlApi.misbehave>]>([
    [
      "returns 403",
      (request) => new Response(`no: ${request.headers.get("Authorization")}`, { status: 403 }),
    ],
    ["loses the connection", () => Promise.reject(new Error("connection lost, secret-token-of-the-test"))],
    ["redirects", () => Response.redirect("http://elsewhere.test/", 307)],
    ["returns no JSON", () => new Response("<html>")],
    ["returns JSON of another shape", () => Response.json({ data: [{ start: null, scans: "many" }] })],
    [
      "does not respond",
      (_, signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
    ],
  ])(
    "if the SQL API %s, the counts come from the roll-ups and the log has the reason without the token",
    async (_, misbehave) => {
      const workspace = await newWorkspace();
      await countScans(buildScan({ workspaceId: workspace.id, linkId: LINK }));
      const log = vi.spyOn(console, "error").mockImplementation(() => {});
      sqlApi.misbehave = misbehave;
      hurryTimeouts();
      expect(listNonZero(await getTimeseries(workspace, recent, sqlApi.env))).toEqual({
        [formatDay(TODAY_MS)]: 1,
      });
      expect(sqlApi.statements).toHaveLength(1);
      expect(log).toHaveBeenCalledOnce();
      expect(log.mock.calls[0]).toEqual([expect.stringContaining("Analytics Engine failed")]);
      expect(JSON.stringify(log.mock.calls)).not.toContain(sqlApi.token);
    },
  );

  test("Analytics Engine is not configured if the account id or the token is missing", () => {
    for (const name of ["ANALYTICS_ACCOUNT_ID", "ANALYTICS_API_TOKEN"]) {
      expect(getSettings({ ...sqlApi.env, [name]: "" }).analyticsSql).toBeNull();
    }
  });

  test("a query never contains a value that would need escaping", async () => {
    expect(quote("019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f")).toBe("'019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f'");
    for (const text of ["it's", "\\", "a b", "a\n", "é", "'--"]) expect(() => quote(text)).toThrow();
    const workspace = await newWorkspace();
    for (const link_id of ["' OR '1' = '1", "\\", "", "\0", "a".repeat(5_000), "\ud800"]) {
      const query = new URLSearchParams({ interval: "day", link_id });
      const response = await workspace.call("GET", `/v1/analytics/timeseries?${query}`, { env: sqlApi.env });
      await expectError(response, 404, "RESOURCE_NOT_FOUND");
    }
    expect(sqlApi.statements).toHaveLength(0);
  });
});

describe("the scan roll-ups", () => {
  test("count a window once, even if it is delivered several times in one batch or in several", async () => {
    const workspace = await newWorkspace();
    const link = await createLink(workspace);
    const scan = buildScan({ workspaceId: workspace.id, linkId: link.id, country: "CA" });
    const first = packWindow([scan, scan]);
    const ingest = (...windows: (typeof first)[]) =>
      ingestScans(buildQueueBatch(...windows), workerEnv, Date.now());
    await ingest(first, first);
    await ingest(first);
    await Promise.all([ingest(first, packWindow([scan])), ingest(first)]);
    expect(listNonZero(await getTimeseries(workspace, { interval: "day" }))).toEqual({
      [formatDay(TODAY_MS)]: 3,
    });
    const year = { from_date: `${Number(formatDay(TODAY_MS).slice(0, 4)) - 1}-01-01` };
    for (const query of [{}, year, { link_id: link.id }]) {
      expect(formatItems(await getBreakdown(workspace, { by: "country", ...query }))).toEqual(["CA 3"]);
    }
  });

  test("count scans with equal facts in one window in their own hours, days and months", async () => {
    const workspace = await newWorkspace();
    const link = await createLink(workspace);
    const owner = { workspaceId: workspace.id, linkId: link.id };
    const turnMs = MONTH_MS;
    const [before, after] = [formatDay(turnMs - DAY_MS), formatDay(turnMs)];
    const offsets = [-2, -1, -1, 0, 1, 2];
    const scans = offsets.flatMap((offset) => [
      buildScan({ ...owner, scannedAtMs: turnMs + offset, country: "CA" }),
      buildScan({ ...owner, scannedAtMs: turnMs + offset, country: "FR" }),
      buildScan({
        ...owner,
        scannedAtMs: turnMs + offset,
        country: "FR",
        destination: "https://example.com/fr",
      }),
    ]);
    const window = packWindow(scans);
    expect(window.groups).toHaveLength(3);
    await ingestScans(buildQueueBatch(window), workerEnv, Date.now());
    const range = { from_date: before, to_date: after };
    const expectedStarts = {
      hour: [`${before}T23:00:00Z`, `${after}T00:00:00Z`],
      day: [before, after],
    };
    for (const [interval, [earlier = "", later = ""]] of Object.entries(expectedStarts)) {
      expect(listNonZero(await getTimeseries(workspace, { interval, ...range }))).toEqual({
        [earlier]: 9,
        [later]: 9,
      });
    }
    for (const [from_date, to_date] of [
      [before, before],
      [`${before.slice(0, 8)}01`, before],
      [after, `${after.slice(0, 8)}28`],
    ] as const) {
      expect(formatItems(await getBreakdown(workspace, { by: "country", from_date, to_date }))).toEqual([
        "FR 6",
        "CA 3",
      ]);
    }
    const { data } = await expectData(await workspace.call("GET", `/v1/links/${link.id}`), linkResponse);
    expect(data).toMatchObject({
      scan_count: 18,
      last_scan_at: new Date(turnMs + 2).toISOString(),
    });
  });

  test("are written with few statements, each within the limits of D1, up to the largest batch of a queue", async () => {
    const workspace = await newWorkspace();
    await createWebhook(workspace, buildReceiverUrl("unused"), ["link.scanned"]);
    const owner = { workspaceId: workspace.id, linkId: generateUuidv7(Date.now()) };
    const statements: number[] = [];
    const valueBytes: number[] = [];
    const d1 = {
      prepare: (text: string) => ({
        bind(...values: unknown[]) {
          valueBytes.push(...values.map((value) => new TextEncoder().encode(String(value)).byteLength));
          return workspace.shard.prepare(text).bind(...values);
        },
      }),
      batch(batch: D1PreparedStatement[]) {
        statements.push(batch.length);
        return workspace.shard.batch(batch);
      },
    } as unknown as D1Database;
    const env = wrapShards(() => d1);
    await ingestScans(buildQueueBatch(packWindow([buildScan(owner)])), env, Date.now());
    const buildDistinctFacts = (index: number) => ({
      referrer: `${index}.`.padEnd(100, "a"),
      rule: `${index}`.padEnd(64, "\u0001"),
      region: "US-ABC",
      language: "zho-419",
    });
    // Facts of scans, with windows to count, and at least as many scans as fit in one.
    const cases: [buildFacts: (index: number) => Partial<ScanFacts>, count: number, windowScans: number][] = [
      [(index) => ({ ...buildDistinctFacts(index), destination: "" }), BATCH_WINDOWS, 100],
      [(index) => ({ destination: `https://example.com/${index}`.padEnd(8_192, "a") }), BATCH_WINDOWS, 20],
      [() => ({ destination: "https://example.com/".padEnd(8_192, "a") }), 30, 100],
    ];
    let scans = 1;
    for (const [buildFacts, count, windowScans] of cases) {
      const length = windowScans * count;
      const occurrences = Array.from({ length }, (_, index): [ScanFacts, number] => {
        const { scannedAtMs, ...facts } = buildScan({ ...owner, ...buildFacts(index) });
        return [facts, scannedAtMs];
      });
      const windows = (await recordWindows(occurrences)).slice(0, count);
      expect(windows).toHaveLength(count);
      await ingestScans(buildQueueBatch(...windows), env, Date.now());
      scans += windows.flatMap(({ groups }) => groups.flatMap(({ timesMs }) => timesMs)).length;
    }
    // A transaction has at most 1 MB of windows. The events of every ten of them take five statements.
    expect(Math.max(...statements)).toBeLessThan(60);
    expect(Math.max(...valueBytes)).toBeLessThan(D1_VALUE_BYTES_MAX);
    const { points } = await getTimeseries(workspace, { interval: "month" });
    expect(points.reduce((sum, point) => sum + point.scans, 0)).toBe(scans);
  });

  test("add up over any whole months, before and after the months are folded", async () => {
    const scanTime = fc.integer({ min: Date.UTC(2023, 10, 1), max: Date.UTC(2025, 2, 1) });
    const month = fc.integer({ min: 0, max: 15 });
    const country = fc.constantFrom("CA", "FR", null);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(scanTime, country), { maxLength: 40 }),
        month,
        month,
        async (drawn, one, another) => {
          const tenant = await buildTenant(workerEnv);
          const workspaceId = tenant.workspace.id;
          const scans = drawn.map(([scannedAtMs, country]) =>
            buildScan({ workspaceId, linkId: LINK, scannedAtMs, country }),
          );
          const fromMs = Date.UTC(2023, 10 + Math.min(one, another), 1);
          const toMs = Date.UTC(2023, 11 + Math.max(one, another), 1);
          const within = scans.filter(({ scannedAtMs }) => scannedAtMs >= fromMs && scannedAtMs < toMs);
          const expected = Map.groupBy(within, ({ country }) => country ?? "unknown");
          const days = { from_date: formatDay(fromMs), to_date: formatDay(toMs - DAY_MS) };
          const checkCounts = async () => {
            const { items } = await readBreakdown(tenant, { by: "country", limit: 100, ...days });
            expect(Object.fromEntries(items.map(({ value, scans }) => [value, scans]))).toEqual(
              Object.fromEntries([...expected].map(([value, group]) => [value, group.length])),
            );
            const links = await readBreakdown(tenant, { by: "link", limit: 100, ...days });
            expect(links.items.map(({ scans }) => scans)).toEqual(within.length === 0 ? [] : [within.length]);
            const { points } = await readTimeseries(tenant, { interval: "day", ...days });
            expect(points.reduce((sum, { scans }) => sum + scans, 0)).toBe(within.length);
          };
          const half = Math.ceil(scans.length / 2);
          await countScans(...scans.slice(0, half));
          await sweepScans(getShard(workerEnv, tenant.workspace.shard), Date.now());
          await countScans(...scans.slice(half));
          await checkCounts();
          await sweepScans(getShard(workerEnv, tenant.workspace.shard), Date.now());
          await checkCounts();
        },
      ),
      { numRuns: chooseRuns(8, 30) },
    );
  });

  test("keep the scans of a deleted link in the counts of its workspace", async () => {
    const workspace = await newWorkspace();
    const link = await createLink(workspace);
    await countScans(buildScan({ workspaceId: workspace.id, linkId: link.id }));
    await workspace.call("DELETE", `/v1/links/${link.id}`);
    expect(listNonZero(await getTimeseries(workspace, { interval: "day" }))).toEqual({
      [formatDay(TODAY_MS)]: 1,
    });
    expect(formatItems(await getBreakdown(workspace, { by: "link" }))).toEqual([`${link.id} 1`]);
    const response = await workspace.call("GET", `/v1/analytics/timeseries?interval=day&link_id=${link.id}`);
    await expectError(response, 404, "RESOURCE_NOT_FOUND");
  });

  test("return counts for ranges before the workspace existed and for all years from 1 to 9999", async () => {
    const workspace = await newWorkspace();
    const leapDayMs = Date.parse("2024-02-29T23:59:59.999Z");
    await countScans(buildScan({ workspaceId: workspace.id, linkId: LINK, scannedAtMs: leapDayMs }));
    const days = { from_date: "2024-02-28", to_date: "2024-03-01" };
    expect(listNonZero(await getTimeseries(workspace, { interval: "day", ...days }))).toEqual({
      "2024-02-29": 1,
    });
    const ages = { from_date: "1900-01-01", to_date: "2700-12-31" };
    const { points } = await getTimeseries(workspace, { interval: "month", ...ages });
    expect(points).toHaveLength(801 * 12);
    expect(points.reduce((sum, { scans }) => sum + scans, 0)).toBe(1);
    const all = { from_date: "0001-01-01", to_date: "9999-12-31" };
    expect(formatItems(await getBreakdown(workspace, { by: "device", ...all }))).toEqual(["unknown 1"]);
  });
});

describe("GET /v1/analytics/", () => {
  test.each([
    ["timeseries", "interval: must be one of hour, day, week, month"],
    ["timeseries?interval=year", "interval: must be one of hour, day, week, month"],
    ["timeseries?interval=day&interval=hour", "interval: must be sent only once"],
    ["timeseries?interval=day&from=2026-01-01", "from: is not a known parameter; did you mean `from_date`?"],
    ["timeseries?interval=day&limit=3", "limit: is not a known parameter"],
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
      "interval: must divide the range into at most 10000 points",
    ],
    [
      "timeseries?interval=day&from_date=0001-01-01&to_date=9999-12-31",
      "interval: must divide the range into at most 10000 points",
    ],
    ["breakdown", `by: must be one of ${Object.keys(DIMENSIONS).join(", ")}`],
    ["breakdown?by=city", `by: must be one of ${Object.keys(DIMENSIONS).join(", ")}`],
    ["breakdown?by=__proto__", `by: must be one of ${Object.keys(DIMENSIONS).join(", ")}`],
    ["breakdown?by=os&limit=0", "limit: must be at least 1"],
    ["breakdown?by=os&limit=101", "limit: must be at most 100"],
    ["breakdown?by=os&interval=day", "interval: is not a known parameter"],
    ["breakdown?by=os&from_date=2026-01-02&to_date=2026-01-01", "from_date: must not be after to_date"],
  ])("%s returns 400", async (path, message) => {
    const workspace = await newWorkspace();
    const error = await expectError(
      await workspace.call("GET", `/v1/analytics/${path}`),
      400,
      "VALIDATION_ERROR",
    );
    expect(error.message).toBe(message);
  });

  test("timeseries returns up to 10,000 points", async () => {
    const workspace = await newWorkspace();
    const days = { from_date: formatDay(daysAgoMs(9_999)) };
    expect((await getTimeseries(workspace, { interval: "day", ...days })).points).toHaveLength(10_000);
  });

  test("timeseries and breakdown need the scope analytics:read, and breakdown returns rate_limit with reset_at", async () => {
    const workspace = await newWorkspace();
    const reader = workspace.as(await workspace.newKey({ scopes: ["analytics:read"] }));
    const { meta } = await expectData(
      await reader.call("GET", "/v1/analytics/breakdown?by=os"),
      breakdownResponse,
    );
    expect(Object.keys(meta.rate_limit).sort()).toEqual(["remaining", "reset_at"]);
    const unauthorised = workspace.as(await workspace.newKey({ scopes: ["links:read"] }));
    for (const path of ["timeseries?interval=day", "breakdown?by=os"]) {
      await expectError(await unauthorised.call("GET", `/v1/analytics/${path}`), 403, "INSUFFICIENT_SCOPE");
    }
  });
});

describe("a redirect", () => {
  const IPAD =
    "Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";

  test("records each scan once in both engines, with the same facts", async () => {
    const workspace = await newWorkspace();
    const link = await createLink(workspace, {
      forward_query: true,
      routing_rules: [
        {
          name: "Canada",
          when: { country: ["CA"] },
          destination: "https://example.ca/?utm_source=no&utm_medium=e%2Dmail",
        },
      ],
    });
    const visit = (headers: Record<string, string>, method = "GET", query = "") =>
      send(
        new Request(`http://${workspace.hostname}:8787/${link.short_code}${query}`, {
          redirect: "manual",
          method,
          headers,
        }),
        sqlApi.env,
      );
    await visit(
      {
        "CF-IPCountry": "CA",
        "CF-Region-Code": "QC",
        "User-Agent": IPAD,
        "Accept-Language": "fr-ca,en;q=0.8",
        Referer: "https://News.Example/page?q=1",
      },
      "GET",
      "?utm_source=f%C3%AAte+1",
    );
    await visit({ Referer: `${getSettings(workerEnv).bioUrl}/` });
    await visit({ "User-Agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" });
    await visit({}, "HEAD");
    expect(sqlApi.points).toHaveLength(3);
    expect(sqlApi.points[0]).toEqual({
      indexes: [workspace.id],
      blobs: [
        ...[link.id, "CA", "CA-QC", "tablet", "ios", "safari", "news.example", "fr-CA", "Canada", "", ""],
        ...["fête 1", "e-mail", ""],
      ],
      doubles: [expect.any(Number)],
    });
    expect(sqlApi.points[1]?.blobs?.slice(10)).toEqual(["page", "", "", ""]);
    expect(sqlApi.points[2]?.blobs?.[9]).toBe("bot");

    const sumScans = async () => {
      const { points } = await getTimeseries(workspace, { interval: "month", traffic: "all" });
      return points.reduce((sum, { scans }) => sum + scans, 0);
    };
    expect(await eventually(sumScans, (scans) => scans === 3)).toBe(3);
    for (const by of Object.keys(DIMENSIONS)) {
      const statementCount = sqlApi.statements.length;
      const fromEngine = await getBreakdown(workspace, { by }, sqlApi.env);
      expect(sqlApi.statements).toHaveLength(statementCount + 1);
      const { items, ...counted } = await getBreakdown(workspace, { by });
      // The visitors come from the roll-ups in both cases.
      const estimated = items.map((item) => ({ ...item, estimated: true }));
      expect(fromEngine, by).toEqual({ ...counted, items: estimated, scans_are: "sampled" });
    }
  });

  test("has the source qr for the compact forms of present and former short codes, and link for aliases", async () => {
    const workspace = await newWorkspace();
    const { id } = await createLink(workspace, { custom_slug: "Old", aliases: ["MENU"] });
    const renamed = await workspace.call("PATCH", `/v1/links/${id}`, { body: { custom_slug: "NEW-1" } });
    expect(renamed.status).toBe(200);
    const visit = async (path: string) => {
      const url = `http://${workspace.hostname}:8787${path}`;
      expect((await send(new Request(url, { redirect: "manual" }), sqlApi.env)).status).toBe(302);
      return sqlApi.points.at(-1)?.blobs?.[DIMENSIONS.source - 1];
    };
    const paths = ["/OLD", "/old", "/Old/", "/NEW-1/", "/NEW-1", "/new-1/", "/MENU", "/MENU/"];
    const sources = [];
    for (const path of paths) sources.push(await visit(path));
    expect(sources).toEqual(["qr", "", "", "qr", "", "", "", ""]);
  });

  test.each([
    ["an iPad that requests desktop pages", "Macintosh; Intel Mac OS X 10_15_7", "iPadOS", ["tablet", "ios"]],
    ["an Android tablet that requests desktop pages", "X11; Linux x86_64", "Android", ["tablet", "android"]],
    ["a Mac", "Macintosh; Intel Mac OS X 10_15_7", "macOS", ["desktop", "macos"]],
  ])("recognises %s by its client hints", async (_, system, platform, expected) => {
    const workspace = await newWorkspace();
    const link = await createLink(workspace);
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

  test("succeeds if Analytics Engine rejects the data point", async () => {
    const workspace = await newWorkspace();
    const link = await createLink(workspace);
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const broken = () => {
      throw new Error("data point refused");
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
  ])("records the %s %s as %s", (field, given, recorded) => {
    const scan = buildScan({ workspaceId: "w", linkId: LINK, [field]: given });
    expect(tidyScan(scan)[field]).toBe(recorded);
  });

  test("records the time in whole seconds, so that both engines use the same hour", () => {
    const lastMs = TODAY_MS + HOUR_MS - 1;
    const point = toDataPoint(buildScan({ workspaceId: "w", linkId: LINK }), lastMs);
    expect(point.doubles).toEqual([(TODAY_MS + HOUR_MS) / 1_000 - 1]);
  });
});
