import { afterEach, expect, test, vi } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../src/core/time.ts";
import { openDatabase } from "../../src/db/database.ts";
import { copyHosts, removeHostCopies } from "../../src/tenant/host-copies.ts";
import { settleRemovedHost, sweepHostCopies, sweepUnsettledHosts } from "../../src/tenant/sweep-hosts.ts";
import { countTrips, watchTrips } from "../support/counting.ts";
import { newWorkspace, workerEnv } from "../support/harness.ts";

/** Copies of hosts on every shard, and their repair after a crash. */

const NOW_MS = Date.UTC(2026, 10, 22, 12);
const directory = openDatabase(workerEnv.DIRECTORY);

afterEach(() => void vi.restoreAllMocks());

const shard = openDatabase(workerEnv.SHARD_0);
const countCopies = (hostname: string) =>
  workerEnv.SHARD_0.prepare("SELECT count(*) AS n FROM own_hosts WHERE hostname GLOB ?")
    .bind(hostname)
    .first<number>("n");
const unsettle = (hostname: string, number: number | null, atMs: number) =>
  workerEnv.DIRECTORY.prepare("INSERT INTO unsettled_hosts VALUES (?, ?, ?)")
    .bind(hostname, number, atMs)
    .run();
const isUnsettled = async (hostname: string) =>
  (await workerEnv.DIRECTORY.prepare("SELECT 1 FROM unsettled_hosts WHERE hostname = ?")
    .bind(hostname)
    .first()) !== null;

test("hosts are copied to a new shard 500 at a time, 10,000 per run", async () => {
  const { id } = await newWorkspace();
  await sweepHostCopies(directory, shard);
  const addHosts = (name: string, count: number) =>
    workerEnv.DIRECTORY.prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
       INSERT INTO domains (hostname, workspace_id, created_at)
       SELECT printf(?, n), ?, 1 FROM numbers`,
    )
      .bind(count, name, id)
      .run();
  await addHosts("copied-%d.example", 10_001);
  const { env, trips } = countTrips(workerEnv);
  await sweepHostCopies(openDatabase(env.DIRECTORY), openDatabase(env.SHARD_0));
  expect(await countCopies("copied-*")).toBe(10_000);
  // Each step asks for the last copy, reads hosts and writes them.
  expect(trips.d1).toBe(60);
  await sweepHostCopies(openDatabase(env.DIRECTORY), openDatabase(env.SHARD_0));
  expect(trips.d1).toBe(63);
  expect(await countCopies("copied-*")).toBe(10_001);
  for (const table of ["domains", "domain_claims"])
    await workerEnv.DIRECTORY.prepare(`DELETE FROM ${table} WHERE hostname GLOB 'copied-*'`).run();
  await workerEnv.SHARD_0.prepare("DELETE FROM own_hosts WHERE hostname GLOB 'copied-*'").run();
});

test("hosts with a crashed change are repaired after 10 minutes, oldest first, 50 per run", async () => {
  await copyHosts(shard, [{ hostname: "stray.example", number: null }]);
  await unsettle("stray.example", null, NOW_MS);
  await sweepUnsettledHosts(directory, [shard], NOW_MS + 10 * MINUTE_MS - 1);
  expect([await countCopies("stray.example"), await isUnsettled("stray.example")]).toEqual([1, true]);
  await sweepUnsettledHosts(directory, [shard], NOW_MS + 10 * MINUTE_MS);
  expect([await countCopies("stray.example"), await isUnsettled("stray.example")]).toEqual([0, false]);
  for (let n = 0; n < 51; n++) await unsettle(`stray-${n}.example`, null, NOW_MS - n);
  await sweepUnsettledHosts(directory, [], NOW_MS + DAY_MS);
  expect([await isUnsettled("stray-0.example"), await isUnsettled("stray-1.example")]).toEqual([true, false]);
  await sweepUnsettledHosts(directory, [], NOW_MS + DAY_MS);
  expect(await isUnsettled("stray-0.example")).toBe(false);
});

test("a repair adds the missing copy of a registered host and removes copies of unregistered hosts", async () => {
  const { hostname } = await newWorkspace();
  await workerEnv.SHARD_0.prepare("DELETE FROM own_hosts WHERE hostname = ?").bind(hostname).run();
  await copyHosts(shard, [{ hostname: "removed.example", number: null }]);
  for (const unsettled of [hostname, "removed.example"]) await unsettle(unsettled, null, NOW_MS);
  await sweepUnsettledHosts(directory, [shard], NOW_MS + 10 * MINUTE_MS);
  expect([await countCopies(hostname), await isUnsettled(hostname)]).toEqual([1, false]);
  expect([await countCopies("removed.example"), await isUnsettled("removed.example")]).toEqual([0, false]);
});

test("removing a host deletes its copy of that time, but not the copy of a host that was added later", async () => {
  for (const [hostname, copied, removed, left] of [
    ["unnumbered.example", null, 5_000_000, 0],
    ["older.example", 4_999_999, 5_000_000, 0],
    ["same.example", 5_000_000, 5_000_000, 0],
    ["later.example", 5_000_001, 5_000_000, 1],
    ["never-added.example", null, null, 0],
  ] as const) {
    await workerEnv.SHARD_0.prepare("INSERT INTO own_hosts VALUES (?, ?)").bind(hostname, copied).run();
    await removeHostCopies(shard, [{ hostname, number: removed }]);
    expect(await countCopies(hostname), hostname).toBe(left);
  }
  // A copy without a number keeps the number of an existing copy.
  await copyHosts(shard, [{ hostname: "later.example", number: null }]);
  const deleted = "DELETE FROM own_hosts WHERE hostname = 'later.example' RETURNING number";
  expect(await workerEnv.SHARD_0.prepare(deleted).first("number")).toBe(5_000_001);
});

test("the sweep retries failed removals of hosts, and keeps marks that another request has set", async () => {
  const log = vi.spyOn(console, "error").mockReturnValue();
  const broken = watchTrips(workerEnv.DIRECTORY, () => Promise.reject(new Error("D1 is down")));
  await settleRemovedHost(openDatabase(broken), [shard], "failing.example");
  expect(String(log.mock.calls)).toContain("the copies of a removed host could not be deleted");
  await unsettle("again.example", 1, NOW_MS);
  const slow = watchTrips(workerEnv.SHARD_0, async (makeTrip) => {
    await workerEnv.DIRECTORY.prepare("UPDATE unsettled_hosts SET unsettled_at = ? WHERE hostname = ?")
      .bind(NOW_MS + 1, "again.example")
      .run();
    return makeTrip();
  });
  await settleRemovedHost(directory, [openDatabase(slow)], "again.example");
  expect(await isUnsettled("again.example")).toBe(true);
  await settleRemovedHost(directory, [shard], "again.example");
  expect(await isUnsettled("again.example")).toBe(false);
});
