import { eq } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { beforeEach, expect, test } from "vitest";
import { sweepOldest } from "../../src/change-feed/sweep-oldest.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { openDatabase } from "../../src/db/database.ts";
import { deleteSome } from "../../src/db/delete-some.ts";
import { watchTrips } from "../support/counting.ts";
import { workerEnv } from "../support/harness.ts";

/** Deletions in steps, on a separate table. */

const NOW_MS = Date.UTC(2026, 10, 22);
const swept = sqliteTable("swept", {
  seq: integer().primaryKey(),
  changedAt: integer("changed_at").notNull(),
  owner: text().notNull(),
});
const { SHARD_0: SHARD } = workerEnv;
const db = openDatabase(SHARD);

beforeEach(async () => {
  await SHARD.exec("DROP TABLE IF EXISTS swept");
  await SHARD.exec(
    "CREATE TABLE swept (seq INTEGER PRIMARY KEY, changed_at INTEGER NOT NULL, owner TEXT NOT NULL)",
  );
});

const addRows = (count: number, changedAt: number, owner = "a") =>
  SHARD.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
     INSERT INTO swept (changed_at, owner) SELECT ?, ? FROM numbers`,
  )
    .bind(count, changedAt, owner)
    .run();

async function listSeqs(): Promise<number[]> {
  const { results } = await SHARD.prepare("SELECT seq FROM swept ORDER BY seq").all<{ seq: number }>();
  return results.map(({ seq }) => seq);
}

test("changes are kept for a day, and the last one is always kept", async () => {
  await addRows(1, NOW_MS - DAY_MS - 1);
  await addRows(1, NOW_MS - DAY_MS);
  await addRows(1, NOW_MS - 2 * DAY_MS);
  await addRows(1, NOW_MS - 2 * DAY_MS);
  await sweepOldest(db, swept, NOW_MS);
  expect(await listSeqs()).toEqual([2, 4]);
  await sweepOldest(db, swept, NOW_MS + 10 * DAY_MS);
  expect(await listSeqs()).toEqual([4]);
});

test("a sweep deletes 500 changes at a time, and 10,000 in a run", async () => {
  await addRows(10_002, 0);
  let steps = 0;
  const counted = watchTrips(SHARD, (makeTrip) => {
    steps += 1;
    return makeTrip();
  });
  await sweepOldest(openDatabase(counted), swept, NOW_MS);
  expect([steps, await listSeqs()]).toEqual([20, [10_001, 10_002]]);
  await sweepOldest(openDatabase(counted), swept, NOW_MS);
  expect([steps, await listSeqs()]).toEqual([21, [10_002]]);
});

test("a statement deletes 500 of the selected rows and no others", async () => {
  await addRows(501, 0, "a");
  await addRows(1, 0, "b");
  const deleteOwn = () => deleteSome(db, swept, [swept.seq], eq(swept.owner, "a"));
  expect([await deleteOwn(), await deleteOwn(), await deleteOwn()]).toEqual([500, 1, 0]);
  expect(await listSeqs()).toEqual([502]);
});
