import { beforeAll, describe, expect, test } from "vitest";
import { breakdownResponse } from "../../src/analytics/analytics.schema.ts";
import { formatDay } from "../../src/analytics/buckets.ts";
import { sweepScans } from "../../src/analytics/fold-months.ts";
import { ingestScans } from "../../src/analytics/ingest.ts";
import { toHexId } from "../../src/analytics/series.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { type Counts, type Query, readCounts } from "../support/counts.ts";
import { createLink, expectData, newWorkspace, type TestWorkspace, workerEnv } from "../support/harness.ts";
import { buildQueueBatch, buildScan, packWindow } from "../support/scans.ts";

/** Counts of the links with a label. */

const TODAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const LABEL = "spring sale";

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
    workspace = await newWorkspace("enterprise");
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
    for (const link_id of labelled) parts.push(await readCounts(workspace, { ...query, link_id }));
    const sums = sum(parts);
    expect(Object.keys(sums).length).toBeGreaterThan(0);
    expect(await readCounts(workspace, { ...query, label: LABEL })).toEqual(sums);
    expect(await readCounts(workspace, { ...query, label: "unknown" })).toEqual({});
  };

  test.each(queries)("%j", expectSums);

  test("with link_id, only that link is counted, if it has the label", async () => {
    const query = { by: "country", label: LABEL };
    const [link_id = ""] = labelled;
    expect(await readCounts(workspace, { ...query, link_id })).toEqual(
      await readCounts(workspace, { by: "country", link_id }),
    );
    expect(await readCounts(workspace, { ...query, link_id: other })).toEqual({});
  });

  test("another workspace with the same label has no scans", async () => {
    const stranger = await newWorkspace();
    await createLink(stranger, { labels: [LABEL] });
    expect(await readCounts(stranger, { by: "link", label: LABEL })).toEqual({});
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
