import { describe, expect, test } from "vitest";
import { formatDay } from "../../src/analytics/buckets.ts";
import { toHexId } from "../../src/analytics/series.ts";
import { DAY_MS } from "../../src/core/time.ts";
import worker from "../../src/index.ts";
import { type Counts, type Query, readCounts } from "../support/counts.ts";
import { useEmptyDatabases } from "../support/databases.ts";
import {
  countingEnv,
  createLink,
  expectError,
  newWorkspace,
  type TestWorkspace,
} from "../support/harness.ts";
import { quietEnv } from "../support/resources.ts";
import { TestQueue } from "../support/test-queue.ts";
import { addWaiting, buildReceiverUrl, createWebhook, newReceiverName } from "../support/webhooks.ts";

/** Rows that are read, and rows that are written with their indexes, as D1 reports and bills them. */

useEmptyDatabases();

test("the audit entry adds two row writes to the change of a link", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace);
  const count = async (body: object) => {
    const { env, counts } = countingEnv(quietEnv);
    expect((await workspace.call("PATCH", `/v1/links/${id}`, { body, env })).status).toBe(200);
    return counts.rowsWritten;
  };
  // Both requests write the link's row. The second one changes nothing.
  const changed = await count({ note: "A" });
  expect(changed - (await count({ note: "A" }))).toBe(2);
});

test("sorted lists use counts and last scans without a write for each scan", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace);
  const scan = async (count: number, atMs: number) =>
    workspace.shard
      .prepare(
        "UPDATE links SET scan_count = scan_count + ?1, last_scan_at = ?2 WHERE workspace_id = ?3 AND id = ?4",
      )
      .bind(count, atMs, workspace.id, id)
      .run();
  const dayMs = Date.UTC(2026, 10, 21);
  const written: number[] = [];
  for (let n = 0; n < 100; n++) written.push((await scan(1, dayMs + n)).meta.rows_written);
  // The first scan also adds the link to the watched ones, with an entry of their index.
  expect(written[0]).toBe(7);
  expect(written.reduce((sum, rows) => sum + rows, 0)).toBeLessThan(150);
  const read = () =>
    workspace.shard
      .prepare("SELECT ranked_scan_count AS count, ranked_scan_at AS at FROM links WHERE id = ?")
      .bind(id)
      .first<{ count: number; at: number }>();
  const ranked = await read();
  expect(ranked?.count).toBeGreaterThanOrEqual(80);
  expect(ranked?.at).toBe(dayMs);
  await scan(0, dayMs + 86_400_000);
  expect((await read())?.at).toBe(dayMs + 86_400_000);
  await scan(1_000, dayMs + 86_400_001);
  expect(await read()).toEqual({ count: 1_100, at: dayMs + 86_400_000 });
});

test("an event and its deliveries write only the necessary rows", async () => {
  for (const [endpoints, created, delivered] of [
    [0, 12, 0],
    [1, 16, 4],
    [3, 20, 12],
    [8, 30, 32],
  ] as const) {
    const workspace = await newWorkspace("enterprise");
    for (let n = 0; n < endpoints; n++) await createWebhook(workspace, buildReceiverUrl(newReceiverName()));
    // The first use of a key on a day writes a row too.
    await workspace.call("GET", "/v1/workspace");
    const { env, counts } = countingEnv();
    const counted = new TestQueue(env);
    await createLink(workspace, {}, counted.env);
    expect(counts.rowsWritten, `${endpoints} endpoints`).toBe(created);
    await counted.run();
    expect(counts.rowsWritten - created, `${endpoints} endpoints`).toBe(delivered);
  }
});

test("the sweep reads few rows next to 20,000 waiting deliveries", async () => {
  const workspace = await newWorkspace("enterprise");
  const { id } = await createWebhook(workspace, buildReceiverUrl("unused"));
  // Twenty times as many as it may read.
  await addWaiting(workspace, id, 20_000);
  await workspace.shard
    .prepare("UPDATE event_deliveries SET next_attempt_at = next_attempt_at - 120000")
    .run();
  const queue = new TestQueue();
  const { env, counts } = countingEnv(queue.env);
  await worker.scheduled({} as ScheduledController, env);
  expect(counts.rowsRead).toBeLessThan(1_000);
  expect(queue.waiting.filter(({ body }) => body.workspaceId === workspace.id)).toHaveLength(1);
  const before = counts.rowsRead;
  const turn = queue.waiting.find(({ body }) => body.workspaceId === workspace.id);
  const counted = new TestQueue(env);
  if (turn !== undefined) await counted.deliver([turn], []);
  expect(counts.rowsRead - before).toBeLessThan(300);
  await workspace.shard.prepare("DELETE FROM event_deliveries").run();
}, 60_000);

describe("a label with many links", () => {
  const TODAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const LABEL = "spring sale";
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
      expect(await readCounts(workspace, { ...query, label: LABEL }, env)).toEqual(expected);
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
    expect(await readCounts(workspace, { by: "country", label: LABEL, link_id: one.id })).toEqual({});
  });
});
