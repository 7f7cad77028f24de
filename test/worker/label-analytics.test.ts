import { beforeAll, describe, expect, test } from "vitest";
import { breakdownResponse, timeseriesResponse } from "../../src/analytics/analytics.schema.ts";
import { formatDay } from "../../src/analytics/buckets.ts";
import { sweepScans } from "../../src/analytics/fold-months.ts";
import { ingestScans } from "../../src/analytics/ingest.ts";
import { toHexId } from "../../src/analytics/series.ts";
import { DAY_MS } from "../../src/core/time.ts";
import {
  countingEnv,
  createLink,
  expectData,
  expectError,
  newWorkspace,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import { buildQueueBatch, buildScan, packWindow } from "../support/scans.ts";

/** Counts of the links with a label. */

const TODAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const LABEL = "spring sale";

type Query = Record<string, string>;
type Counts = Record<string, number>;

async function read(workspace: TestWorkspace, query: Query, env: Env = workerEnv): Promise<Counts> {
  const isBreakdown = query.by !== undefined;
  const path = `/v1/analytics/${isBreakdown ? "breakdown" : "timeseries"}?${new URLSearchParams(query)}`;
  const response = await workspace.call("GET", path, { env });
  const counts = isBreakdown
    ? (await expectData(response, breakdownResponse)).data.items.map(({ value, scans }) => [value, scans])
    : (await expectData(response, timeseriesResponse)).data.points.map(({ date, scans }) => [date, scans]);
  return Object.fromEntries(counts.filter(([, scans]) => scans !== 0));
}

/** Adds up counts by value. */
function sum(parts: readonly Counts[]): Counts {
  const sums: Counts = {};
  for (const [value, scans] of parts.flatMap((part) => Object.entries(part)))
    sums[value] = (sums[value] ?? 0) + scans;
  return sums;
}

test("a visitor of several links with a label is one visitor of each value", async () => {
  const workspace = await newWorkspace();
  const links = await Promise.all([1, 2].map(() => createLink(workspace, { labels: [LABEL] })));
  const scans = links.map(({ id: linkId }) =>
    buildScan({ workspaceId: workspace.id, linkId, scannedAtMs: TODAY_MS, country: "DE", visitor: "marks" }),
  );
  await ingestScans(buildQueueBatch(packWindow(scans)), workerEnv, Date.now());
  const path = `/v1/analytics/breakdown?${new URLSearchParams({ by: "country", label: LABEL })}`;
  const { data } = await expectData(await workspace.call("GET", path), breakdownResponse);
  expect(data).toMatchObject({ items: [{ value: "DE", scans: 2, visitors: 1 }], total_visitors: 1 });
});

describe("counts by label are the sums of its links' counts", () => {
  let workspace: TestWorkspace;
  let labelled: string[];
  let other: string;

  beforeAll(async () => {
    workspace = await newWorkspace();
    const create = async (labels: string[]) => (await createLink(workspace, { labels })).id;
    labelled = [await create([LABEL, "a"]), await create([LABEL]), await create([LABEL])];
    other = await create(["a"]);
    // The first link is busy, so its logs are moved into counts of days. The last one has no scans.
    const links = [...Array.from({ length: 5 }, () => labelled[0]), labelled[1], other] as string[];
    for (let age = 70; age >= 0; age -= 5) {
      const scans = Array.from({ length: 84 }, (_, index) =>
        buildScan({
          workspaceId: workspace.id,
          linkId: links[index % links.length] as string,
          scannedAtMs: TODAY_MS - age * DAY_MS + index * 1_000_000,
          country: index % 3 === 0 ? "DE" : "FR",
          browser: index % 4 === 0 ? "chrome" : "safari",
          referrer: `${index % 11}.news.example`,
          source: index % 2 === 0 ? "qr" : undefined,
          traffic: index % 10 === 9 ? "bot" : "human",
        }),
      );
      for (let start = 0; start < scans.length; start += 42)
        await ingestScans(buildQueueBatch(packWindow(scans.slice(start, start + 42))), workerEnv, Date.now());
    }
  });

  const recent = { from_date: formatDay(TODAY_MS - 33 * DAY_MS) };
  const kept = { from_date: formatDay(TODAY_MS - 70 * DAY_MS) };
  const queries: Query[] = [
    { interval: "day", ...kept },
    { interval: "month", traffic: "all", ...kept },
    { interval: "hour", ...kept },
    { interval: "day", time_zone: "Asia/Tokyo", ...recent },
    { interval: "day", country: "DE", ...recent },
    { by: "country", ...kept },
    { by: "referrer", ...kept, traffic: "all" },
    { by: "traffic", ...kept },
    { by: "source", ...kept },
    { by: "link", ...kept },
    { by: "link", source: "qr", ...recent },
    { by: "browser", country: "FR", source: "qr", ...recent },
    { by: "os", time_zone: "Europe/Berlin", ...recent },
  ];

  const expectSums = async (query: Query) => {
    const parts = [];
    for (const link_id of labelled) parts.push(await read(workspace, { ...query, link_id }));
    const sums = sum(parts);
    expect(Object.keys(sums).length).toBeGreaterThan(0);
    expect(await read(workspace, { ...query, label: LABEL })).toEqual(sums);
    expect(await read(workspace, { ...query, label: "unknown" })).toEqual({});
  };

  test.each(queries)("%j", expectSums);

  test("with link_id, only that link is counted, if it has the label", async () => {
    const query = { by: "country", label: LABEL };
    const [link_id = ""] = labelled;
    expect(await read(workspace, { ...query, link_id })).toEqual(
      await read(workspace, { by: "country", link_id }),
    );
    expect(await read(workspace, { ...query, link_id: other })).toEqual({});
  });

  test("another workspace with the same label has no scans", async () => {
    const stranger = await newWorkspace();
    await createLink(stranger, { labels: [LABEL] });
    expect(await read(stranger, { by: "link", label: LABEL })).toEqual({});
  });

  test("also after a month of one link was summed, and after months were folded", async () => {
    const summed = await workspace.shard
      .prepare(
        "SELECT count(*) AS count FROM scan_history_counts WHERE owner = unhex(?1) AND item = unhex(?2)",
      )
      .bind(toHexId(workspace.id), toHexId(labelled[0] as string))
      .first<{ count: number }>();
    expect(summed?.count).toBeGreaterThan(0);
    const [first, last] = [new Date(TODAY_MS - 70 * DAY_MS), new Date(TODAY_MS)];
    const whole = {
      from_date: formatDay(Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), 1)),
      to_date: formatDay(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() + 1, 0)),
    };
    await expectSums({ by: "country", ...whole });

    await sweepScans(workspace.shard, TODAY_MS + 400 * DAY_MS);
    for (const query of [
      { interval: "day" },
      { by: "referrer" },
      { by: "link" },
      { by: "source" },
    ] as Query[])
      await expectSums({ ...query, ...whole });
  });
});

describe("a label with many links", () => {
  const LINKS = 1_000;
  const OTHERS = 50_000;

  /** Adds links without scans of their own to a label, and a row of this month for each and for other links. */
  async function addLinks(workspace: TestWorkspace): Promise<void> {
    const now = new Date(TODAY_MS);
    await workspace.shard.batch([
      workspace.shard
        .prepare(
          `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
           INSERT INTO link_labels (workspace_id, label, link_id)
           SELECT ?, ?, printf('01a1fd70-f1c0-7000-8000-%012x', n) FROM numbers`,
        )
        .bind(LINKS, workspace.id, LABEL),
      workspace.shard
        .prepare(
          `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
           INSERT INTO scan_months (month, owner, item, human, bot, preview, prefetch, days, moves, log)
           SELECT ?, unhex(?), unhex(printf('01a1fd70f1c070008000%012x', n)), 2, 0, 0, 0, json_object(?, 2), 0, ?
             FROM numbers`,
        )
        .bind(
          LINKS + OTHERS,
          now.getUTCFullYear() * 12 + now.getUTCMonth(),
          toHexId(workspace.id),
          String(now.getUTCDate()),
          `${(TODAY_MS / 900_000).toString(36)}|2||DE\n`,
        ),
    ]);
  }

  test("has at most 1,000 of them, and a query reads the rows of these links only", async () => {
    const workspace = await newWorkspace();
    await addLinks(workspace);
    const scans = 2 * LINKS;
    const day = formatDay(TODAY_MS);
    // A query finds the links of the label and their rows several times, but never reads rows of other links.
    const rowsMax = 40 * LINKS;
    const queries: [Query, Counts][] = [
      [{ interval: "day" }, { [day]: scans }],
      [{ interval: "hour" }, { [`${day}T00:00:00Z`]: scans }],
      [{ by: "country" }, { DE: scans }],
      [{ by: "country", source: "link" }, { DE: scans }],
      [{ by: "traffic" }, { human: scans }],
      [{ by: "link", limit: "1" }, { "01a1fd70-f1c0-7000-8000-000000000001": 2 }],
    ];
    for (const [query, expected] of queries) {
      const { env, counts } = countingEnv();
      expect(await read(workspace, { ...query, label: LABEL }, env)).toEqual(expected);
      expect(counts.rowsRead, JSON.stringify(query)).toBeGreaterThanOrEqual(LINKS);
      expect(counts.rowsRead, JSON.stringify(query)).toBeLessThan(rowsMax);
    }

    const one = await createLink(workspace, { labels: [LABEL] });
    for (const path of ["timeseries?interval=day", "breakdown?by=country", "breakdown?by=link"]) {
      const response = await workspace.call(
        "GET",
        `/v1/analytics/${path}&label=${encodeURIComponent(LABEL)}`,
      );
      const { message } = await expectError(response, 400, "VALIDATION_ERROR");
      expect(message).toMatch(/^label: has more than 1,000 links/);
    }
    expect(await read(workspace, { by: "country", label: LABEL, link_id: one.id })).toEqual({});
  });
});
