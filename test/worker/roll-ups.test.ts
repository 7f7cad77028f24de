import fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { breakdownResponse, timeseriesResponse } from "../../src/analytics/analytics.schema.ts";
import { formatDay, QUARTER_MS } from "../../src/analytics/buckets.ts";
import { formatFact, formatValues } from "../../src/analytics/fact-log.ts";
import { sweepScans } from "../../src/analytics/fold-months.ts";
import { ingestScans } from "../../src/analytics/ingest.ts";
import { readOverflows, rollUp } from "../../src/analytics/roll-up.ts";
import { toHexId, WORKSPACE_SCANS } from "../../src/analytics/series.ts";
import { summarizeMonths } from "../../src/analytics/summarize.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/time.ts";
import {
  createLink,
  eventually,
  expectData,
  expectError,
  newWorkspace,
  type TestWorkspace,
  workerEnv,
  wrapShards,
} from "../support/harness.ts";
import { chooseRuns } from "../support/runs.ts";
import { buildQueueBatch, buildScan, packWindow, type Scan } from "../support/scans.ts";

const TODAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const LINK = "019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f";
const OTHER_LINK = "019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e60";
/** Months older than this are folded, and facts older than {@link FACT_DAYS} are deleted. */
const DAYS_KEPT = 92;
const FACT_DAYS = 35;

const ingest = (scans: Scan[], nowMs = Date.now()) =>
  ingestScans(buildQueueBatch(packWindow(scans)), workerEnv, nowMs);

async function getItems(workspace: TestWorkspace, query: Record<string, string>) {
  const path = `/v1/analytics/breakdown?${new URLSearchParams(query)}`;
  const { data } = await expectData(await workspace.call("GET", path), breakdownResponse);
  return Object.fromEntries(data.items.map(({ value, scans }) => [value, scans]));
}

async function getPoints(workspace: TestWorkspace, query: Record<string, string>) {
  const path = `/v1/analytics/timeseries?${new URLSearchParams(query)}`;
  const { data } = await expectData(await workspace.call("GET", path), timeseriesResponse);
  return Object.fromEntries(
    data.points.filter(({ scans }) => scans > 0).map(({ date, scans }) => [date, scans]),
  );
}

/** Counts scans by a key. */
function countBy(scans: readonly Scan[], getKey: (scan: Scan) => string): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(scans, getKey)].map(([key, group]) => [key, group.length]));
}

async function countRows(table: string, workspace: TestWorkspace): Promise<number> {
  const row = await workspace.shard
    .prepare(`SELECT count(*) AS count FROM ${table} WHERE owner = unhex(?)`)
    .bind(toHexId(workspace.id))
    .first<{ count: number }>();
  return row?.count ?? 0;
}

beforeEach(() => {
  vi.restoreAllMocks();
});

const facts = fc.record({
  country: fc.constantFrom("DE", "FR", "US", null),
  browser: fc.constantFrom("chrome", "firefox", "safari", null),
  referrer: fc.constantFrom("news.example", "a|b\\c.example", null),
  rule: fc.constantFrom("with | bar", "with\nline \\p", "__proto__", null),
  traffic: fc.constantFrom("human" as const, "human" as const, "bot" as const),
  source: fc.constantFrom("qr" as const, "page" as const, undefined),
  utm: fc.constantFrom({ utm_campaign: "spring | sale" }, undefined),
  linkId: fc.constantFrom(LINK, OTHER_LINK),
  ageMs: fc.integer({ min: 0, max: 3 * DAY_MS }),
});

test("moved logs change no count, whatever the query", async () => {
  let moved = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(facts, { minLength: 250, maxLength: 600 }), async (drawn) => {
      const workspace = await newWorkspace();
      const scans = drawn
        .map(({ ageMs, ...fields }) =>
          buildScan({ workspaceId: workspace.id, scannedAtMs: TODAY_MS + DAY_MS - 1 - ageMs, ...fields }),
        )
        .sort((one, other) => one.scannedAtMs - other.scannedAtMs);
      for (let start = 0; start < scans.length; start += 60) await ingest(scans.slice(start, start + 60));
      moved += await countRows("scan_days", workspace);
      const people = scans.filter(({ traffic }) => traffic === "human");
      const germans = people.filter(({ country }) => country === "DE");
      const missing = (value: string | null, name = "unknown") => value ?? name;
      expect(await getItems(workspace, { by: "country" })).toEqual(
        countBy(people, ({ country }) => missing(country)),
      );
      expect(await getItems(workspace, { by: "rule", traffic: "all" })).toEqual(
        countBy(scans, ({ rule }) => missing(rule, "default")),
      );
      expect(await getItems(workspace, { by: "browser", country: "DE" })).toEqual(
        countBy(germans, ({ browser }) => missing(browser)),
      );
      expect(await getItems(workspace, { by: "source" })).toEqual(
        countBy(people, ({ source }) => source ?? "link"),
      );
      expect(await getItems(workspace, { by: "utm_campaign", source: "qr" })).toEqual(
        countBy(
          people.filter(({ source }) => source === "qr"),
          ({ utm }) => utm?.utm_campaign ?? "none",
        ),
      );
      expect(await getItems(workspace, { by: "link", country: "DE" })).toEqual(
        countBy(germans, ({ linkId }) => linkId),
      );
      expect(
        await getItems(workspace, { by: "country", rule: "with\nline \\p", referrer: "a|b\\c.example" }),
      ).toEqual(
        countBy(
          people.filter(({ rule, referrer }) => rule === "with\nline \\p" && referrer === "a|b\\c.example"),
          ({ country }) => missing(country),
        ),
      );
      expect(await getPoints(workspace, { interval: "hour" })).toEqual(
        countBy(people, ({ scannedAtMs }) => `${new Date(scannedAtMs).toISOString().slice(0, 13)}:00:00Z`),
      );
      expect(await getPoints(workspace, { interval: "day", country: "DE" })).toEqual(
        countBy(germans, ({ scannedAtMs }) => formatDay(scannedAtMs)),
      );
    }),
    { numRuns: chooseRuns(2, 16) },
  );
  expect(moved).toBeGreaterThan(0);
});

test("filters accept codes and hosts in any case, and all names of UTC mean UTC", async () => {
  const workspace = await newWorkspace();
  const scan = buildScan({
    workspaceId: workspace.id,
    linkId: LINK,
    country: "DE",
    region: "DE-BE",
    language: "de-DE",
    referrer: "news.example",
  });
  await ingest([scan, { ...scan, country: null, region: null, language: "de", referrer: null }]);
  for (const [name, value, expected] of [
    ["country", "de", { DE: 1 }],
    ["country", "Unknown", { unknown: 1 }],
    ["region", "de-be", { DE: 1 }],
    ["language", "DE-de", { DE: 1 }],
    ["language", "DE", { unknown: 1 }],
    ["referrer", "News.Example", { DE: 1 }],
    ["referrer", "Direct", { unknown: 1 }],
  ] as const) {
    expect(await getItems(workspace, { by: "country", [name]: value }), value).toEqual(expected);
  }
  const utc = await getPoints(workspace, { interval: "hour" });
  for (const name of ["utc", "Etc/UTC", "GMT", "Zulu"]) {
    const query = { interval: "day", from_date: "2020-01-01", time_zone: name };
    expect(Object.values(await getPoints(workspace, query)), name).toEqual([2]);
    expect(await getPoints(workspace, { interval: "hour", time_zone: name })).toEqual(utc);
  }
});

test("links with few scans keep their facts until their month is folded", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace);
  const scans = Array.from({ length: 120 }, (_, index) =>
    buildScan({
      workspaceId: workspace.id,
      linkId: link.id,
      scannedAtMs: TODAY_MS - (index % 20) * DAY_MS + index,
      country: index % 3 === 0 ? "DE" : "FR",
      browser: index % 2 === 0 ? "chrome" : "safari",
    }),
  );
  for (let start = 0; start < scans.length; start += 10) await ingest(scans.slice(start, start + 10));
  expect(await countRows("scan_parts", workspace)).toBeGreaterThan(0);
  expect(await countRows("scan_days", workspace)).toBe(0);
  for (const scope of [{}, { link_id: link.id }]) {
    expect(await getItems(workspace, { by: "country", ...scope })).toEqual({ DE: 40, FR: 80 });
    expect(await getItems(workspace, { by: "browser", country: "DE", ...scope })).toEqual({
      chrome: 20,
      safari: 20,
    });
  }
});

test("batches counted in parallel move a log once", async () => {
  const workspace = await newWorkspace();
  const scans = Array.from({ length: 600 }, (_, index) =>
    buildScan({
      workspaceId: workspace.id,
      linkId: LINK,
      country: index % 2 === 0 ? "DE" : "FR",
      rule: `${index}`,
    }),
  );
  const batches = Array.from({ length: 12 }, (_, index) => scans.slice(50 * index, 50 * (index + 1)));
  await Promise.all(batches.map((batch) => ingest(batch)));
  expect(await getItems(workspace, { by: "country" })).toEqual({ DE: 300, FR: 300 });
  expect(await getItems(workspace, { by: "link", country: "FR" })).toEqual({ [LINK]: 300 });
});

test("a later batch moves a log whose move failed", async () => {
  const workspace = await newWorkspace();
  const scanDays = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      buildScan({ workspaceId: workspace.id, linkId: LINK, referrer: `site-${index}.example` }),
    );
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  let batches = 0;
  const flaky = {
    prepare: (text: string) => workspace.shard.prepare(text),
    batch: (statements: D1PreparedStatement[]) => {
      batches += 1;
      return batches === 2 ? Promise.reject(new Error("D1 is down")) : workspace.shard.batch(statements);
    },
  } as unknown as D1Database;
  await ingestScans(
    buildQueueBatch(packWindow(scanDays(100))),
    wrapShards(() => flaky),
    Date.now(),
  );
  expect(log).toHaveBeenCalledOnce();
  expect(await countRows("scan_days", workspace)).toBe(0);
  expect(Object.values(await getItems(workspace, { by: "referrer" }))).toHaveLength(100);
  await ingest(scanDays(1));
  expect(await countRows("scan_days", workspace)).toBe(2);
  expect(await getItems(workspace, { by: "link" })).toEqual({ [LINK]: 101 });
});

test("a past month is read from its sum, until a late scan makes the sum differ", async () => {
  const workspace = await newWorkspace();
  const date = new Date(TODAY_MS - 45 * DAY_MS);
  const [monthMs, nextMs] = [0, 1].map((later) =>
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1),
  ) as [number, number];
  const scansAt = (timeMs: number, count: number, country: string) =>
    Array.from({ length: count }, (_, index) =>
      buildScan({
        workspaceId: workspace.id,
        linkId: LINK,
        scannedAtMs: timeMs + index * 1_000,
        country,
        referrer: `${index}.example`,
      }),
    );
  const range = { from_date: formatDay(monthMs), to_date: formatDay(nextMs + 3 * DAY_MS) };
  await ingest(scansAt(monthMs + 3 * DAY_MS, 100, "DE"));
  await ingest(scansAt(monthMs + 4 * DAY_MS, 100, "FR"));
  expect(await countRows("scan_history_counts", workspace)).toBe(0);
  await ingest(scansAt(nextMs + 2 * DAY_MS, 100, "US"));
  expect(await countRows("scan_history_counts", workspace)).toBe(2);

  // The days are not read: the counts are the same without them.
  await workspace.shard
    .prepare("DELETE FROM scan_days WHERE owner = unhex(?) AND day < ?")
    .bind(toHexId(workspace.id), nextMs / DAY_MS)
    .run();
  for (const scope of [{}, { link_id: (await createLink(workspace)).id }]) {
    const expected = "link_id" in scope ? {} : { DE: 100, FR: 100, US: 100 };
    expect(await getItems(workspace, { by: "country", ...range, ...scope })).toEqual(expected);
  }
  // A fraction of a month is read from its days.
  const part = { from_date: formatDay(monthMs), to_date: formatDay(monthMs + 5 * DAY_MS) };
  expect(await getItems(workspace, { by: "country", ...part })).toEqual({});
  await ingest(scansAt(monthMs + 4 * DAY_MS, 1, "GB"));
  expect(await getItems(workspace, { by: "country", ...range })).toEqual({ GB: 1, US: 100 });
});

test("a log of more than 2,048 bytes is moved", async () => {
  const d1 = workerEnv.SHARD_0;
  const owner = crypto.randomUUID();
  const add = async (values: string[], timeMs: number) =>
    readOverflows(
      await d1.batch(rollUp(d1, [{ owner, items: [WORKSPACE_SCANS], values, timesMs: [timeMs] }])),
    );
  const line = (value: string) => formatFact(Math.floor(TODAY_MS / QUARTER_MS), formatValues(["", value]), 1);
  // Uses a character of two bytes, because the size in bytes counts.
  const value = `é${"x".repeat(2_048 - 2 - line("").length - 1)}`;
  expect(new TextEncoder().encode(line(value)).byteLength).toBe(2_048);
  expect(await add(["", value], TODAY_MS)).toEqual([]);
  await d1.prepare("DELETE FROM scan_months WHERE owner = unhex(?)").bind(toHexId(owner)).run();
  expect(await add(["", `${value}x`], TODAY_MS)).toHaveLength(1);
  await d1.prepare("DELETE FROM scan_months WHERE owner = unhex(?)").bind(toHexId(owner)).run();
});

test("five months are summed after a batch, and the others after a later batch", async () => {
  const d1 = workerEnv.SHARD_0;
  const owner = toHexId(crypto.randomUUID());
  const months = [1, 2, 3, 4, 5, 6].map((month) => ({ owner, item: WORKSPACE_SCANS, month }));
  const insert = d1.prepare(
    `INSERT INTO scan_months (month, owner, item, human, bot, preview, prefetch, days, moves, log)
     VALUES (?, unhex(?), unhex(?), 1, 0, 0, 0, '{}', 0, '')`,
  );
  await d1.batch(months.map(({ month, item }) => insert.bind(month, owner, item)));
  const sum = async () => {
    await summarizeMonths(d1, months);
    const summed = d1.prepare("SELECT count(*) AS n FROM scan_history_counts WHERE owner = unhex(?)");
    return summed.bind(owner).first("n");
  };
  expect([await sum(), await sum(), await sum()]).toEqual([5, 6, 6]);
});

describe("data sent by visitors", () => {
  const letter = (index: number) => String.fromCharCode(97 + (index % 26));

  test("creates a limited number of rows: 1,500 random referrers and languages are grouped as `other`", async () => {
    const workspace = await newWorkspace();
    const scans = Array.from({ length: 1_500 }, (_, index) =>
      buildScan({
        workspaceId: workspace.id,
        linkId: LINK,
        referrer: `${index}.${"x".repeat(60)}.example`,
        language: `${letter(index)}${letter(index / 26)}${letter(index / 676)}`,
        country: index % 3 === 0 ? "DE" : "FR",
      }),
    );
    for (let start = 0; start < scans.length; start += 60) await ingest(scans.slice(start, start + 60));
    let rows = 0;
    let bytes = 0;
    for (const table of ["scan_months", "scan_days", "scan_facts", "scan_parts"]) {
      rows += await countRows(table, workspace);
      const column = { scan_months: "log", scan_days: "counts" }[table] ?? "facts";
      const size = await workspace.shard
        .prepare(`SELECT max(octet_length(${column})) AS bytes FROM ${table} WHERE owner = unhex(?)`)
        .bind(toHexId(workspace.id))
        .first<{ bytes: number | null }>();
      bytes = Math.max(bytes, size?.bytes ?? 0);
    }
    expect(rows).toBeLessThan(250);
    expect(bytes).toBeLessThan(32_000);

    const path = "/v1/analytics/breakdown?by=referrer";
    const { items } = (await expectData(await workspace.call("GET", path), breakdownResponse)).data;
    expect(items[0]).toMatchObject({ value: "other", scans: 1_300 });
    const others = await getItems(workspace, { by: "country", referrer: "other" });
    expect(others.DE).toBeGreaterThan(400);
    expect((others.DE ?? 0) + (others.FR ?? 0)).toBe(1_300);
    const filtered = await getItems(workspace, { by: "referrer", country: "DE" });
    expect(filtered.other).toBe(others.DE);
  });

  test("creates few rows when it arrives through redirects", async () => {
    const workspace = await newWorkspace();
    const link = await createLink(workspace);
    await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        workspace.visit(`/${link.short_code}`, {
          headers: {
            Referer: `https://${index}.example/`,
            "Accept-Language": `${letter(index)}${letter(index / 26)}`,
          },
        }),
      ),
    );
    await eventually(
      () => getItems(workspace, { by: "link" }),
      (items) => items[link.id] === 300,
    );
    const tables = ["scan_months", "scan_days", "scan_facts", "scan_parts"];
    const counts = await Promise.all(tables.map((table) => countRows(table, workspace)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThan(150);
  });
});

describe("the sweep", () => {
  /** Ingests and returns scans of each of the last days, which fill the log of two links on each day. */
  async function ingestDays(workspace: TestWorkspace, days: number): Promise<Scan[]> {
    const scans = Array.from({ length: days }, (_, age) =>
      Array.from({ length: 100 }, (_, index) =>
        buildScan({
          workspaceId: workspace.id,
          linkId: index % 2 === 0 ? LINK : OTHER_LINK,
          scannedAtMs: TODAY_MS - age * DAY_MS + index * 60_000,
          country: index % 3 === 0 ? "DE" : "FR",
          browser: index % 5 === 0 ? "chrome" : "safari",
          traffic: index % 10 === 9 ? "bot" : "human",
          referrer: `${index}.a-long-host-name.example`,
          source: index % 4 === 0 ? "qr" : undefined,
        }),
      ),
    ).reverse();
    for (const day of scans) await ingest(day);
    return scans.flat();
  }

  test("folds months that are no longer kept by day, and deletes old facts", async () => {
    const workspace = await newWorkspace();
    const scans = await ingestDays(workspace, 10);
    const people = scans.filter(({ traffic }) => traffic === "human");
    const months = countBy(people, ({ scannedAtMs }) => `${formatDay(scannedAtMs).slice(0, 8)}01`);
    const days = countBy(people, ({ scannedAtMs }) => formatDay(scannedAtMs));
    expect(await countRows("scan_facts", workspace)).toBeGreaterThan(0);

    await sweepScans(workspace.shard, TODAY_MS + (FACT_DAYS + 12) * DAY_MS);
    expect(await countRows("scan_facts", workspace)).toBe(0);
    expect(await countRows("scan_days", workspace)).toBeGreaterThan(0);
    expect(await getItems(workspace, { by: "country" })).toEqual(
      countBy(people, ({ country }) => country ?? ""),
    );

    await sweepScans(workspace.shard, TODAY_MS + (DAYS_KEPT + 62) * DAY_MS);
    const left = ["scan_months", "scan_days", "scan_parts"].map((table) => countRows(table, workspace));
    expect(await Promise.all(left)).toEqual([0, 0, 0]);
    expect(await getPoints(workspace, { interval: "month" })).toEqual(months);
    expect(await getPoints(workspace, { interval: "day" })).toEqual(days);
    const wholeMonths = {
      from_date: Object.keys(months).sort()[0] as string,
      to_date: formatDay(
        Date.UTC(new Date(TODAY_MS).getUTCFullYear(), new Date(TODAY_MS).getUTCMonth() + 1, 0),
      ),
    };
    expect(await getItems(workspace, { by: "source", ...wholeMonths })).toEqual(
      countBy(people, ({ source }) => source ?? "link"),
    );
    expect(await getItems(workspace, { by: "traffic" })).toEqual({
      human: people.length,
      bot: scans.length - people.length,
    });
    expect(await getItems(workspace, { by: "link" })).toEqual(countBy(people, ({ linkId }) => linkId));

    // Late scans join the folded months.
    await ingest([scans[0] as Scan]);
    await sweepScans(workspace.shard, TODAY_MS + (DAYS_KEPT + 62) * DAY_MS);
    expect(Object.values(await getPoints(workspace, { interval: "month" }))).toEqual(
      Object.values(months).map((count, index) => count + (index === 0 ? 1 : 0)),
    );
  });

  test("keeps newer data", async () => {
    const workspace = await newWorkspace();
    await ingestDays(workspace, 3);
    const tables = ["scan_months", "scan_days", "scan_facts", "scan_parts"];
    const before = await Promise.all(tables.map((table) => countRows(table, workspace)));
    await sweepScans(workspace.shard, TODAY_MS + HOUR_MS);
    expect(await Promise.all(tables.map((table) => countRows(table, workspace)))).toEqual(before);
  });
});

describe("queries for data that is no longer kept are rejected with the reason", () => {
  const ago = (days: number) => formatDay(TODAY_MS - days * DAY_MS);
  const firstKept = (() => {
    const date = new Date(TODAY_MS - (DAYS_KEPT - 1) * DAY_MS);
    return formatDay(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
  })();
  const dayBefore = formatDay(Date.parse(firstKept) - DAY_MS);
  const factsFrom = ago(FACT_DAYS - 1);

  test.each([
    [
      "timeseries?interval=day&traffic=robots",
      /^traffic: must be one of human, bot, preview, prefetch, scanner, all$/,
    ],
    ["breakdown?by=os&time_zone=Mars/Olympus", /^time_zone: must be an IANA time zone/],
    ["breakdown?by=os&time_zone=", /^time_zone: must be an IANA time zone/],
    ["breakdown?by=os&time_zone=%2B02:07", /^time_zone: must be an IANA time zone/],
    ["breakdown?by=os&country=UK", /^country: UK is not an ISO 3166-1 code; use GB$/],
    ["breakdown?by=os&referrer=https://news.example/a", /^referrer: must be a host such as news.example/],
    ["breakdown?by=os&country=Germany", /^country: must be an ISO 3166-1 alpha-2 code such as DE/],
    ["breakdown?by=os&region=Bavaria", /^region: must be an ISO 3166-2 code/],
    ["breakdown?by=os&device=phone", /^device: must be one of mobile, tablet, desktop, unknown$/],
    ["breakdown?by=os&browser=netscape", /^browser: must be one of/],
    ["breakdown?by=os&language=english", /^language: must be a language such as fr-CA/],
    ["breakdown?by=os&rule=", /^rule: must have at least 1 character$/],
    ["breakdown?by=os&country=DE&country=FR", /^country: must be sent only once$/],
    [
      `timeseries?interval=hour&from_date=${dayBefore}`,
      new RegExp(`^interval: is possible from ${firstKept}`),
    ],
    [
      `timeseries?interval=day&time_zone=Asia/Tokyo&from_date=${dayBefore}`,
      new RegExp(`^time_zone: is possible from ${firstKept.slice(0, 8)}02`),
    ],
    [
      `breakdown?by=os&from_date=${dayBefore}`,
      new RegExp(
        `^from_date: must be ${firstKept} or later, or the first day of a month, because earlier data`,
      ),
    ],
    [
      `breakdown?by=os&from_date=2024-01-01&to_date=2024-02-15`,
      new RegExp(`^to_date: must be ${firstKept} or later, or the last day of a month, because earlier data`),
    ],
    [
      `breakdown?by=os&country=DE&from_date=${ago(FACT_DAYS)}`,
      new RegExp(`^country: needs a from_date of ${factsFrom} or later`),
    ],
    [
      `timeseries?interval=day&browser=chrome&from_date=${ago(FACT_DAYS)}`,
      new RegExp(`^browser: needs a from_date of ${factsFrom} or later`),
    ],
    [`breakdown?by=os&time_zone=Asia/Tokyo&from_date=${ago(FACT_DAYS)}`, /^time_zone: needs a from_date of/],
  ])("%s", async (path, message) => {
    const workspace = await newWorkspace();
    const response = await workspace.call("GET", `/v1/analytics/${path}`);
    expect((await expectError(response, 400, "VALIDATION_ERROR")).message).toMatch(message);
  });

  test.each([
    `timeseries?interval=hour&from_date=${firstKept}`,
    `timeseries?interval=day&time_zone=Europe/Berlin&from_date=${ago(DAYS_KEPT - 2)}`,
    "timeseries?interval=day&from_date=2001-02-03",
    `breakdown?by=os&from_date=${firstKept}`,
    "breakdown?by=os&from_date=2024-01-01",
    "breakdown?by=os&from_date=2024-01-01&to_date=2024-02-29",
    "breakdown?by=link&from_date=2024-01-15&to_date=2024-02-15",
    "breakdown?by=traffic&from_date=2024-01-15",
    `breakdown?by=os&country=DE&from_date=${factsFrom}`,
    `breakdown?by=os&time_zone=America/New_York`,
  ])("%s is possible", async (path) => {
    const workspace = await newWorkspace();
    expect((await workspace.call("GET", `/v1/analytics/${path}`)).status).toBe(200);
  });
});

test("by=link returns the names of links, and null for deleted ones", async () => {
  const workspace = await newWorkspace();
  const [kept, gone] = [
    await createLink(workspace, { url: "https://example.com/kept" }),
    await createLink(workspace),
  ];
  await ingest([
    buildScan({ workspaceId: workspace.id, linkId: kept.id }),
    buildScan({ workspaceId: workspace.id, linkId: kept.id }),
    buildScan({ workspaceId: workspace.id, linkId: gone.id }),
  ]);
  await workspace.call("DELETE", `/v1/links/${gone.id}`);
  const response = await workspace.call("GET", "/v1/analytics/breakdown?by=link");
  expect((await expectData(response, breakdownResponse)).data.items).toEqual([
    {
      value: kept.id,
      scans: 2,
      visitors: 2,
      short_code: kept.short_code,
      title: null,
      destination: "https://example.com/kept",
    },
    { value: gone.id, scans: 1, visitors: 1, short_code: null, title: null, destination: null },
  ]);
});
