import { expect, test, vi } from "vitest";
import { sweepScans } from "../../src/analytics/fold-months.ts";
import { ingestScans } from "../../src/analytics/ingest.ts";
import { CostRecorder, type ScanCosts } from "../../src/analytics/scan-costs.ts";
import { DAY_MS, SECOND_MS } from "../../src/core/time.ts";
import { countTrips, watchTrips } from "../support/counting.ts";
import { useEmptyDatabases } from "../support/databases.ts";
import { createLink, newWorkspace, workerEnv } from "../support/harness.ts";
import { quietEnv } from "../support/resources.ts";
import { buildQueueBatch, buildScan, packWindow } from "../support/scans.ts";
import { buildReceiverUrl, createWebhook } from "../support/webhooks.ts";

/** Rows that D1 wrote for scans by day, as shown by `npm run admin -- scans cost`. */

useEmptyDatabases();

const INTERVAL_MS = 10 * SECOND_MS;
const { SHARD_0: SHARD } = workerEnv;
const NOTHING: ScanCosts = { scans: 0, counted: 0, swept: 0, events: 0 };

async function readDay(nowMs: number): Promise<ScanCosts> {
  const row = await SHARD.prepare("SELECT scans, counted, swept, events FROM scan_costs WHERE day = ?")
    .bind(Math.floor(nowMs / DAY_MS))
    .first<ScanCosts>();
  return row ?? NOTHING;
}

/** Each test uses its own day, close enough to now for windows to be counted. */
const TODAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS;

async function prepareScans() {
  const workspace = await newWorkspace("business", 0);
  const link = await createLink(workspace, {}, quietEnv);
  const buildWindow = (count: number) =>
    packWindow(
      Array.from({ length: count }, (_, index) =>
        buildScan({ workspaceId: workspace.id, linkId: link.id, referrer: `${index}.example.com` }),
      ),
    );
  return { workspace, buildWindow };
}

test("the consumer sums a day's scans and the rows that D1 reports, including moved logs", async () => {
  const { buildWindow } = await prepareScans();
  const { env, trips } = countTrips(workerEnv);
  const nowMs = TODAY_MS + 1 * DAY_MS;
  await ingestScans(buildQueueBatch(buildWindow(3)), env, nowMs);
  // Writing the costs is itself part of the next costs.
  const first = { ...NOTHING, scans: 3, counted: trips.rowsWritten - 1 };
  expect(first.counted).toBeGreaterThan(2);
  expect(await readDay(nowMs)).toEqual(first);

  await ingestScans(buildQueueBatch(buildWindow(100)), env, nowMs + INTERVAL_MS - 1);
  const moved = await SHARD.prepare("SELECT count(*) AS count FROM scan_days").first("count");
  expect(moved).toBeGreaterThan(0);
  expect(await readDay(nowMs)).toEqual(first);

  const redelivered = buildWindow(5);
  await ingestScans(buildQueueBatch(redelivered, redelivered), env, nowMs + INTERVAL_MS);
  const all = { ...NOTHING, scans: 108, counted: trips.rowsWritten - 1 };
  expect(await readDay(nowMs)).toEqual(all);
  await ingestScans(buildQueueBatch(redelivered), env, nowMs + 3 * INTERVAL_MS);
  expect(await readDay(nowMs)).toEqual(all);
});

test("the events of scans are counted separately", async () => {
  const { workspace, buildWindow } = await prepareScans();
  await createWebhook(workspace, buildReceiverUrl("unused"), ["link.scanned"]);
  const nowMs = TODAY_MS + 2 * DAY_MS;
  // Uses separate databases, because the isolate may hold unwritten costs of other files.
  const { env } = countTrips(workerEnv);
  await ingestScans(buildQueueBatch(buildWindow(4)), env, nowMs);
  const { scans, events } = await readDay(nowMs);
  expect(scans).toBe(4);
  // Each scan has at least one event and one delivery.
  expect(events).toBeGreaterThanOrEqual(8);
});

test("a failing write of costs stops no scan, and its costs are added to the next one", async () => {
  const log = vi.spyOn(console, "error").mockReturnValue();
  const recorder = new CostRecorder();
  const nowMs = TODAY_MS + 3 * DAY_MS;
  const broken = watchTrips(SHARD, () => Promise.reject(new Error("D1 is down")));
  await recorder.record(broken, { scans: 2, counted: 6 }, nowMs);
  expect(log).toHaveBeenCalledOnce();
  log.mockRestore();
  await recorder.record(SHARD, { scans: 1, counted: 4 }, nowMs + INTERVAL_MS);
  expect(await readDay(nowMs)).toEqual({ scans: 3, counted: 10, swept: 0, events: 0 });
});

test("a recorder writes nothing if only its own rows were written", async () => {
  const recorder = new CostRecorder();
  const { env, trips } = countTrips(workerEnv);
  const nowMs = Date.UTC(2031, 3, 1);
  await recorder.record(env.SHARD_0, { swept: 1 }, nowMs);
  for (let n = 1; n < 5; n++) await recorder.record(env.SHARD_0, { swept: 0 }, nowMs + n * INTERVAL_MS);
  expect(trips.rowsWritten).toBe(1);
});

test("the sweep adds its rows, and deletes days that ended more than 92 days ago", async () => {
  const { buildWindow } = await prepareScans();
  await ingestScans(buildQueueBatch(buildWindow(100)), workerEnv, Date.now());
  const nowMs = Date.UTC(2032, 0, 1);
  const today = nowMs / DAY_MS;
  const days = [today - 92, today - 91];
  for (const day of days)
    await SHARD.prepare("INSERT INTO scan_costs VALUES (?, 1, 1, 1, 1)").bind(day).run();
  await sweepScans(SHARD, nowMs);
  const { results } = await SHARD.prepare("SELECT day, swept FROM scan_costs ORDER BY day").all();
  expect(results.map(({ day }) => day)).toEqual([days[1], today]);
  // The busy link's facts, and the folded months of the link and the workspace.
  expect(results.at(-1)?.swept).toBeGreaterThan(6);
});
