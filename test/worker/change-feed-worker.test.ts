import { evictDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sweepHostChanges } from "../../src/change-feed/sweep-host-changes.ts";
import { sweepTargetChanges } from "../../src/change-feed/sweep-target-changes.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/core/time.ts";
import { openDatabase } from "../../src/db/database.ts";
import { getShard } from "../../src/db/shards.ts";
import { getSettings } from "../../src/env.ts";
import { UnknownLimit } from "../../src/limits/unknown-limit.ts";
import { buildContext, forgetAll, resolver } from "../../src/resolving/resolve.ts";
import { useEmptyDatabases } from "../support/databases.ts";
import {
  addDomain,
  countingEnv,
  createLink,
  eventually,
  newWorkspace,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import {
  changeElsewhere,
  evict,
  forgetFeed,
  forgetLinks,
  isCached,
  visitWithEnv,
} from "../support/redirects.ts";

import { setBanned, setBlocked, setSuspended } from "../support/safety.ts";

/** Change feed with the real collector and databases. `test/unit/change-feed.test.ts` tests its rules. */

// A sweep deletes a limited number of changes, and other files make many.
useEmptyDatabases();

const OLD = "https://example.com/";
const NEW = "https://example.com/new";

beforeEach(async () => {
  forgetAll();
  await forgetFeed();
});
afterEach(() => void vi.restoreAllMocks());

/** Refreshes the feed of the data centre with a newly started collector. */
async function refreshFeed(): Promise<void> {
  const work: Promise<unknown>[] = [];
  const nowMs = Date.now();
  const context = buildContext(workerEnv, getSettings(workerEnv), {
    nowMs,
    getUnknownLimit: () => new UnknownLimit(workerEnv.UNKNOWN_LIMIT, new Headers(), nowMs),
    waitUntil: (promise) => void work.push(promise),
  });
  const collector = workerEnv.CHANGE_COLLECTOR.getByName("collector");
  // Only a running object can be evicted.
  await collector.since({});
  await evictDurableObject(collector);
  await context.dataCentre.delete("feed-lease");
  await resolver.watch.refresh(context);
  await Promise.all(work);
}

/** Advances the clock and refreshes the feed, as visits would do. */
async function passTime(durationMs: number): Promise<void> {
  const nowMs = Date.now() + durationMs;
  vi.spyOn(Date, "now").mockImplementation(() => nowMs);
  await refreshFeed();
}

async function visit(workspace: TestWorkspace, path: string) {
  const { env, trips } = countingEnv();
  const response = await visitWithEnv(workspace, path, env);
  return { address: response.headers.get("Location"), status: response.status, trips: trips() };
}

/**
 * Repeats a visit until it redirects to the expected URL. If the database takes longer than 300 ms, visits still
 * see the old URL.
 */
async function see(workspace: TestWorkspace, path: string, address: string | null): Promise<void> {
  await eventually(
    () => visit(workspace, path),
    (seen) => seen.address === address,
  );
}

test("a link is cached for hours, and the next feed update shows a change made elsewhere", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace, { custom_slug: "one" });
  await evict(workspace, "one");
  await refreshFeed();
  expect(await visit(workspace, "/one")).toMatchObject({ address: OLD, trips: 1 });
  await passTime(10 * MINUTE_MS);
  expect(await visit(workspace, "/one")).toMatchObject({ address: OLD, trips: 1 });
  for (const _ of [1, 2, 3]) {
    await passTime(HOUR_MS / 2);
    // The host was not read while the feed was current.
    expect((await visit(workspace, "/one")).trips).toBe(0);
  }
  await changeElsewhere(workspace, id, NEW);
  expect((await visit(workspace, "/one")).address).toBe(OLD);
  await passTime(20_000);
  expect(await isCached(workspace, "one")).toBe(false);
  await see(workspace, "/one", NEW);
  // Acts as another isolate of the data centre.
  forgetAll();
  await refreshFeed();
  expect((await visit(workspace, "/one")).address).toBe(NEW);
  await workspace.shard.prepare("DELETE FROM links WHERE id = ?").bind(id).run();
  await passTime(20_000);
  await see(workspace, "/one", null);
});

test("a link whose destination becomes a short host elsewhere is rejected after the next feed update", async () => {
  const workspace = await newWorkspace();
  await createLink(workspace, { custom_slug: "one", url: "http://go.becomes-ours.test:8787/x" });
  await evict(workspace, "one");
  await refreshFeed();
  expect((await visit(workspace, "/one")).status).toBe(302);
  await addDomain(await newWorkspace(), "go.becomes-ours.test");
  await passTime(20_000);
  await see(workspace, "/one", null);
});

test.each<[string, string, (workspace: TestWorkspace, linkId: string) => Promise<void>]>([
  ["a ban of its link", "/Two", (workspace, id) => setBanned(workspace, id, true)],
  ["the suspension of its workspace", "/one", (workspace) => setSuspended(workspace, true)],
  ["a block of a name above its destination", "/one", () => setBlocked("blocked-feed.test", true)],
])(
  "%s elsewhere stops %s after the next feed update, also hours after the feed showed it",
  async (_, path, stop) => {
    const workspace = await newWorkspace();
    const body = { custom_slug: "one", aliases: ["Two"], url: "https://www.blocked-feed.test/" };
    const { id } = await createLink(workspace, body);
    for (const code of ["one", "two"]) await evict(workspace, code);
    await refreshFeed();
    expect((await visit(workspace, path)).status).toBe(302);
    await stop(workspace, id);
    await passTime(20_000);
    // No isolate visits the link while the feed remembers the change.
    await passTime(2 * HOUR_MS);
    forgetAll();
    await refreshFeed();
    await eventually(
      () => visit(workspace, path),
      (seen) => seen.status === 451,
    );
    await setBlocked("blocked-feed.test", false);
  },
);

/** Copies a workspace's link to another shard and activates it there. */
async function move(workspace: TestWorkspace, linkId: string): Promise<void> {
  const number = 1 - workspace.shardNumber;
  const to = getShard(workerEnv, number);
  const tenant = await workspace.shard
    .prepare("SELECT * FROM tenants WHERE id = ?")
    .bind(workspace.id)
    .first();
  const link = await workspace.shard.prepare("SELECT * FROM links WHERE id = ?").bind(linkId).first();
  await to.prepare("INSERT INTO tenants (id, number) VALUES (?, ?)").bind(workspace.id, tenant?.number).run();
  const { position: _, ...columns } = link as Record<string, unknown>;
  const names = Object.keys(columns);
  await to
    .prepare(`INSERT INTO links (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
    .bind(...names.map((name) => columns[name]))
    .run();
  await workerEnv.DIRECTORY.prepare("UPDATE workspaces SET shard = ? WHERE id = ?")
    .bind(number, workspace.id)
    .run();
}

test("a moved workspace is found on its new shard after the next feed update", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace, { custom_slug: "one" });
  await refreshFeed();
  await evict(workspace, "one");
  expect((await visit(workspace, "/one")).address).toBe(OLD);
  await move(workspace, id);
  await getShard(workerEnv, 1 - workspace.shardNumber)
    .prepare("UPDATE links SET destination = ?, updated_at = updated_at + 1 WHERE id = ?")
    .bind(NEW, id)
    .run();
  await passTime(30_000);
  await see(workspace, "/one", NEW);
});

test("a workspace that has left its shard is found before the next feed update", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace, { custom_slug: "one" });
  await move(workspace, id);
  await workspace.shard.prepare("DELETE FROM links WHERE id = ?").bind(id).run();
  await evict(workspace, "one");
  // The tenant is still there, but the host was confirmed long ago.
  const nowMs = Date.now();
  vi.spyOn(Date, "now").mockImplementation(() => nowMs + MINUTE_MS);
  expect((await visit(workspace, "/one")).address).toBe(OLD);
  vi.restoreAllMocks();
  await workspace.shard.prepare("DELETE FROM usage_counters WHERE workspace_id = ?").bind(workspace.id).run();
  await workspace.shard.prepare("DELETE FROM tenants WHERE id = ?").bind(workspace.id).run();
  forgetLinks(workspace);
  expect((await visit(workspace, "/one")).address).toBe(OLD);
});

test("an isolate sees changes of other isolates in its data centre within seconds", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace, { custom_slug: "one" });
  await evict(workspace, "one");
  await refreshFeed();
  await visit(workspace, "/one");
  const entry = resolver.links.recallStale(`${workspace.shardNumber}/${workspace.id}/one`, Date.now());
  await workspace.call("PATCH", `/v1/links/${id}`, { body: { url: NEW } });
  // The other isolate's memory is unchanged.
  forgetLinks(workspace);
  if (entry === undefined) throw new Error("the link is not in memory");
  const { value, readAtMs, stamp } = entry;
  const key = `${workspace.shardNumber}/${workspace.id}/one`;
  resolver.links.remember(key, { value, readAtMs, stamp }, resolver.watch.view, Date.now(), "cache");
  const first = await visit(workspace, "/one");
  const second = await visit(workspace, "/one");
  expect([first.address, second.address]).toContain(NEW);
  expect(second.address).toBe(NEW);
});

/** Returns the changes of a workspace that a shard has recorded. */
async function listChanges({ shard, id }: TestWorkspace): Promise<string[]> {
  const { results } = await shard
    .prepare("SELECT code_key FROM target_changes WHERE workspace_id = ? ORDER BY seq")
    .bind(id)
    .all<{ code_key: string }>();
  return results.map(({ code_key }) => code_key);
}

test("changes of fields used by redirects are numbered; creations, labels and scans are not", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace, { custom_slug: "One" });
  const run = (assignment: string) =>
    workspace.shard.prepare(`UPDATE links SET ${assignment} WHERE id = ?`).bind(id).run();
  await run("scan_count = scan_count + 1, last_scan_at = 1");
  await run("labels = '[\"a\"]'");
  await run("enabled = enabled, destination = destination");
  expect(await listChanges(workspace)).toEqual([]);
  await run("enabled = 0");
  await run("expires_at = 1");
  await run("expires_at = NULL");
  await run("routing_rules = '[ ]'");
  await workspace.call("DELETE", `/v1/links/${id}`);
  expect(await listChanges(workspace)).toEqual(Array(5).fill("one"));
});

test("the sweep deletes changes older than a day, but always keeps the last one", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace, { custom_slug: "one" });
  for (const enabled of [0, 1, 0]) {
    await workspace.shard.prepare("UPDATE links SET enabled = ? WHERE id = ?").bind(enabled, id).run();
  }
  const count = async (d1: D1Database, table: string) =>
    d1.prepare(`SELECT count(*) AS rows FROM ${table}`).first("rows");
  const shard = openDatabase(workspace.shard);
  const directory = openDatabase(workerEnv.DIRECTORY);
  await sweepTargetChanges(shard, Date.now());
  expect((await listChanges(workspace)).length).toBe(3);
  await sweepTargetChanges(shard, Date.now() + DAY_MS + MINUTE_MS);
  await sweepHostChanges(directory, Date.now() + DAY_MS + MINUTE_MS);
  expect(await count(workspace.shard, "target_changes")).toBe(1);
  expect(await count(workerEnv.DIRECTORY, "host_changes")).toBe(1);
});
