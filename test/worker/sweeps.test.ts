import { beforeEach, describe, expect, test, vi } from "vitest";
import { sweepDeletedSeries } from "../../src/analytics/deleted-series.ts";
import { sweepScans } from "../../src/analytics/fold-months.ts";
import { getFirstMonthKept } from "../../src/analytics/retention.ts";
import { sweepAssets } from "../../src/assets/sweep.ts";
import { sweepShardLog } from "../../src/audit/shard-log.ts";
import { claimSlug, releaseSlug, settleSlug, unsettleSlug } from "../../src/bio/slug-claims.ts";
import { sweepSlugs } from "../../src/bio/sweep-slugs.ts";
import { generateUuidv7 } from "../../src/core/id.ts";
import { DAY_MS, MINUTE_MS } from "../../src/core/time.ts";
import { sweep } from "../../src/cron.ts";
import { openDatabase, openShard } from "../../src/db/database.ts";
import { getShard, listShards, mapDatabases } from "../../src/db/shards.ts";
import { eraseDeletedWorkspaces } from "../../src/erasure.ts";
import { sweepSessions } from "../../src/members/sessions.ts";
import { claimMove, listOpenMoves, listPastMoves } from "../../src/moves/move-list.ts";
import { moveWorkspaces } from "../../src/moves/move-workspaces.ts";
import { formatDeletedName } from "../../src/tenant/deleted-name.ts";
import { listDeletedWorkspaces } from "../../src/tenant/deleted-workspaces.ts";
import { sweepUnsettledHosts } from "../../src/tenant/sweep-hosts.ts";
import { useEmptyDatabases } from "../support/databases.ts";
import { createLink, newWorkspace, onEachShard, type TestWorkspace, workerEnv } from "../support/harness.ts";
import { quietEnv } from "../support/resources.ts";

/** Cron sweeps: data just below the age limit is kept, and a failing shard or item stops no other. */

useEmptyDatabases();

const NOW_MS = Date.UTC(2026, 10, 22, 12);
const directory = openDatabase(workerEnv.DIRECTORY);

let logged: string[] = [];
beforeEach(() => {
  logged = [];
  vi.spyOn(console, "error").mockImplementation((line) => void logged.push(String(line)));
});

/** Returns an `env` in which every statement on one database fails. */
function breakDatabase(broken: string, base: Env = quietEnv): Env {
  const fail = () => {
    throw new Error(`${broken} is down`);
  };
  return mapDatabases(base, (d1, name) =>
    name === broken ? ({ prepare: fail, batch: fail } as unknown as D1Database) : d1,
  );
}

describe("the sweep of slugs", () => {
  const CRASHED_MS = 10 * MINUTE_MS;

  const openShards = (env: Env = workerEnv) => listShards(env).map((shard) => openShard(env, shard));
  const run = (nowMs: number, env?: Env) => sweepSlugs(directory, openShards(env), nowMs);

  /** Returns the page and the time of a claim, or undefined if the slug is free. */
  async function readClaim(slug: string): Promise<[pageId: string, unsettledAt: number | null] | undefined> {
    const row = await workerEnv.DIRECTORY.prepare(
      "SELECT page_id, unsettled_at FROM bio_slugs WHERE slug = ?",
    )
      .bind(slug)
      .first<{ page_id: string; unsettled_at: number | null }>();
    return row === null ? undefined : [row.page_id, row.unsettled_at];
  }

  async function createPage(workspace: TestWorkspace): Promise<{ id: string; slug: string }> {
    const response = await workspace.call("POST", "/v1/bio/pages", { body: { title: "Page" } });
    return (await response.json<{ data: { id: string; slug: string } }>()).data;
  }

  /** Claims a slug for a page that does not exist. */
  async function claimNew(workspace: TestWorkspace, atMs = NOW_MS, slug = `s-${crypto.randomUUID()}`) {
    const pageId = generateUuidv7(NOW_MS);
    expect(await claimSlug(directory, slug, { workspaceId: workspace.id, pageId }, atMs)).toBe("claimed");
    return { slug, pageId, unsettledAt: atMs };
  }

  test("releases the claim of a page that was never written after 10 minutes", async () => {
    const { slug, pageId } = await claimNew(await newWorkspace());
    await run(NOW_MS + CRASHED_MS - 1);
    expect(await readClaim(slug)).toEqual([pageId, NOW_MS]);
    await run(NOW_MS + CRASHED_MS);
    expect(await readClaim(slug)).toBeUndefined();
  });

  test("settles the claim of an existing page, and releases the page's other claims", async () => {
    const workspace = await newWorkspace();
    const { id, slug } = await createPage(workspace);
    expect(await readClaim(slug)).toEqual([id, null]);
    await unsettleSlug(directory, { slug, workspaceId: workspace.id, pageId: id, unsettledAt: NOW_MS });
    const second = `${slug}-second`;
    await claimSlug(directory, second, { workspaceId: workspace.id, pageId: id }, NOW_MS);
    await run(NOW_MS + CRASHED_MS);
    expect(await readClaim(slug)).toEqual([id, null]);
    expect(await readClaim(second)).toBeUndefined();
  });

  test("keeps a slug that a late retry has claimed again, before or during the sweep", async () => {
    const workspace = await newWorkspace();
    const [early, late] = [await claimNew(workspace), await claimNew(workspace)];
    const claimAgain = ({ slug, pageId }: typeof early) =>
      claimSlug(directory, slug, { workspaceId: workspace.id, pageId }, NOW_MS + 1);
    expect(await claimAgain(early)).toBe("claimed");
    const shards = openShards().map((on) => ({
      ...on,
      db: new Proxy(on.db, {
        get: (db, name) => {
          // The retry comes after the sweep has listed the claims, when it reads their pages.
          if (name === "select") void claimAgain(late);
          return Reflect.get(db, name).bind(db);
        },
      }),
    }));
    await sweepSlugs(directory, shards, NOW_MS + CRASHED_MS);
    expect(await readClaim(early.slug)).toEqual([early.pageId, NOW_MS + 1]);
    expect(await readClaim(late.slug)).toEqual([late.pageId, NOW_MS + 1]);
    await run(NOW_MS + CRASHED_MS + 1);
    expect(await readClaim(late.slug)).toBeUndefined();
  });

  test("continues with the other shards if one fails, however many claims wait there", async () => {
    const [failing, living] = [await newWorkspace("business", 0), await newWorkspace("business", 1)];
    const first = await claimNew(failing, NOW_MS - DAY_MS);
    await workerEnv.DIRECTORY.prepare(
      `INSERT INTO bio_slugs (slug, workspace_id, page_id, unsettled_at)
       SELECT ?1 || value, ?2, ?3, ?4 FROM json_each(?5)`,
    )
      .bind(
        ...[first.slug, failing.id, first.pageId, NOW_MS - DAY_MS],
        JSON.stringify(Array.from({ length: 120 }, (_, n) => n)),
      )
      .run();
    const other = await claimNew(living);
    await run(NOW_MS + CRASHED_MS, breakDatabase("SHARD_0"));
    expect(await readClaim(other.slug)).toBeUndefined();
    expect(await readClaim(first.slug)).toBeDefined();
    expect(logged.join()).toContain("unsettled slugs of shard 0 wait for the next sweep");
    // A hundred per run, oldest first.
    await run(NOW_MS + CRASHED_MS);
    const left = "SELECT count(*) AS n FROM bio_slugs WHERE workspace_id = ?";
    expect(await workerEnv.DIRECTORY.prepare(left).bind(failing.id).first("n")).toBe(21);
    await run(NOW_MS + CRASHED_MS);
    expect(await workerEnv.DIRECTORY.prepare(left).bind(failing.id).first("n")).toBe(0);
  });

  test("only the request that last unsettled a claim can settle or release it", async () => {
    const workspace = await newWorkspace();
    const claim = await claimNew(workspace);
    const { slug, pageId } = claim;
    const other = { workspaceId: workspace.id, pageId: generateUuidv7(NOW_MS) };
    expect(await claimSlug(directory, slug, other, NOW_MS + 1)).toBe("taken");
    expect(await readClaim(slug)).toEqual([pageId, NOW_MS]);
    // A slow first request that finds the plan exhausted by its own retry.
    await claimSlug(directory, slug, { workspaceId: workspace.id, pageId }, NOW_MS + 1);
    await releaseSlug(directory, claim);
    await settleSlug(directory, claim);
    expect(await readClaim(slug)).toEqual([pageId, NOW_MS + 1]);
    await settleSlug(directory, { ...claim, unsettledAt: NOW_MS + 1 });
    expect(await readClaim(slug)).toEqual([pageId, null]);
    // A retry of a successful request leaves its claim settled.
    expect(await claimSlug(directory, slug, { workspaceId: workspace.id, pageId }, NOW_MS + 2)).toBe(
      "claimed",
    );
    expect(await readClaim(slug)).toEqual([pageId, null]);
    // The creation settles its claim after the deletion of the page began.
    const owned = { ...claim, workspaceId: workspace.id };
    await unsettleSlug(directory, { ...owned, pageId: other.pageId, unsettledAt: NOW_MS + 3 });
    expect(await readClaim(slug)).toEqual([pageId, null]);
    await unsettleSlug(directory, { ...owned, unsettledAt: NOW_MS + 3 });
    await settleSlug(directory, { ...claim, unsettledAt: NOW_MS + 1 });
    await releaseSlug(directory, { ...claim, unsettledAt: NOW_MS + 3 });
    expect(await readClaim(slug)).toBeUndefined();
  });

  test("a claim that cannot be settled is logged and left to the sweep", async () => {
    const { slug, pageId } = await claimNew(await newWorkspace());
    const broken = openDatabase(breakDatabase("DIRECTORY").DIRECTORY);
    await settleSlug(broken, { slug, pageId, unsettledAt: NOW_MS });
    expect(logged.join()).toContain(`the slug of bio page ${pageId} was not settled; the sweep will do it`);
    expect(await readClaim(slug)).toEqual([pageId, NOW_MS]);
  });

  test("creating and deleting a page leaves nothing to sweep", async () => {
    const workspace = await newWorkspace();
    const { id, slug } = await createPage(workspace);
    expect(await readClaim(slug)).toEqual([id, null]);
    await workspace.call("DELETE", `/v1/bio/pages/${id}`);
    expect(await readClaim(slug)).toBeUndefined();
  });
});

// The timeout is long, because runs over dozens of workspaces execute thousands of statements.
describe("the erasure of deleted workspaces", { timeout: 120_000 }, () => {
  beforeEach(async () => {
    await workerEnv.DIRECTORY.prepare(
      "DELETE FROM workspaces WHERE slug LIKE 'deleted:%' AND name = 'empty'",
    ).run();
  });

  async function markDeleted({ id, slug }: TestWorkspace, atMs: number, prefix = ""): Promise<void> {
    await workerEnv.DIRECTORY.prepare("UPDATE workspaces SET slug = ? WHERE id = ?")
      .bind(formatDeletedName(prefix + slug, atMs), id)
      .run();
  }

  const countOf = async (table: string, { id, shard }: TestWorkspace) =>
    shard.prepare(`SELECT count(*) AS n FROM ${table} WHERE workspace_id = ?`).bind(id).first<number>("n");
  const isThere = async ({ id }: TestWorkspace) =>
    (await workerEnv.DIRECTORY.prepare("SELECT 1 FROM workspaces WHERE id = ?").bind(id).first()) !== null;

  /** Adds empty workspaces that were deleted just now. */
  async function addEmpty(count: number): Promise<void> {
    await workerEnv.DIRECTORY.prepare(
      `INSERT INTO workspaces (id, slug, name, plan, shard, created_at)
       SELECT ?1 || value, 'deleted:a' || ?1 || value || ':' || ?2, 'empty', 'free', 1, 1 FROM json_each(?3)`,
    )
      .bind(crypto.randomUUID(), NOW_MS, JSON.stringify(Array.from({ length: count }, (_, n) => n)))
      .run();
  }

  test("continues with the others if the erasure of one workspace fails", async () => {
    const [failing, other] = [await newWorkspace("business", 0), await newWorkspace("business", 1)];
    for (const workspace of [failing, other]) await createLink(workspace, {}, quietEnv);
    await markDeleted(failing, NOW_MS, "a");
    await markDeleted(other, NOW_MS, "b");
    await eraseDeletedWorkspaces(breakDatabase("SHARD_0"), NOW_MS);
    expect([await countOf("links", failing), await countOf("links", other)]).toEqual([1, 0]);
    expect(logged.join()).toContain(
      `the erasure of workspace ${failing.id} failed; the next run continues it`,
    );
    await eraseDeletedWorkspaces(quietEnv, NOW_MS);
    expect(await countOf("links", failing)).toBe(0);
  });

  test("reaches every workspace, however many empty ones are kept for their day", async () => {
    const workspace = await newWorkspace();
    await createLink(workspace, {}, quietEnv);
    await markDeleted(workspace, NOW_MS, "z");
    await addEmpty(25);
    // A run covers 20 workspaces. The second run reaches the last ones.
    for (let minute = 0; minute < 2; minute++) {
      await eraseDeletedWorkspaces(quietEnv, NOW_MS + minute * MINUTE_MS);
    }
    expect(await countOf("links", workspace)).toBe(0);
  });

  test("rotates through the deleted workspaces", async () => {
    await addEmpty(5);
    const [{ n: total } = { n: 0 }] = (
      await workerEnv.DIRECTORY.prepare(
        "SELECT count(*) AS n FROM workspaces WHERE slug LIKE 'deleted:%'",
      ).all<{ n: number }>()
    ).results;
    const turns = Math.ceil(total / 4);
    const seen = await Promise.all(
      Array.from({ length: turns }, (_, turn) => listDeletedWorkspaces(directory, 4, 3 * turns + turn)),
    );
    expect(new Set(seen.flat().map(({ id }) => id)).size).toBe(total);
    expect(seen.map((some) => some.length).slice(0, -1)).toEqual(Array(turns - 1).fill(4));
  });

  test("covers 20 workspaces per run", async () => {
    const { DIRECTORY } = workerEnv;
    const countAll = () =>
      DIRECTORY.prepare("SELECT count(*) AS n FROM workspaces WHERE slug LIKE 'deleted:%'").first<number>(
        "n",
      ) as Promise<number>;
    // On failing shards, the log shows which workspaces were tried.
    const countTried = async () => {
      logged = [];
      await eraseDeletedWorkspaces(breakDatabase("SHARD_0", breakDatabase("SHARD_1")), 0);
      return logged.length;
    };
    await addEmpty(20 - (await countAll()));
    expect(await countTried()).toBe(20);
    await addEmpty(1);
    expect([await countTried(), await countAll()]).toEqual([20, 21]);
  });

  test("shares 200 steps per run between workspaces", async () => {
    const workspaces = [await newWorkspace("enterprise", 1), await newWorkspace("enterprise", 1)];
    for (const [index, { id, shard }] of workspaces.entries()) {
      await shard
        .prepare(
          `INSERT INTO webhooks (id, workspace_id, url, hostname, description, events, enabled, secret, previous_secrets, created_at, updated_at)
           SELECT ?1 || key, ?1, 'https://a.test/', 'a.test', '', '[]', 1, '', '[]', 1, 1 FROM json_each(?2)`,
        )
        .bind(id, JSON.stringify(Array([80, 150][index]).fill(0)))
        .run();
    }
    for (const workspace of workspaces) await markDeleted(workspace, NOW_MS);
    // The objects of 230 endpoints would take seconds to start.
    const health = { getByName: () => ({ reset: async () => {} }) };
    const env = { ...quietEnv, ENDPOINT_HEALTH: health } as unknown as Env;
    const erase = async () => {
      await eraseDeletedWorkspaces(env, NOW_MS);
      return Promise.all(workspaces.map((workspace) => countOf("webhooks", workspace)));
    };
    // The first workspace needs 83 of its hundred steps, including its key, host and the host's claim. The
    // second one gets the rest.
    expect(await erase()).toEqual([0, 150 - 117]);
    expect(await erase()).toEqual([0, 0]);
  });

  test("removes hosts that a workspace still has, and marks them so that a sweep removes their copies", async () => {
    const workspace = await newWorkspace();
    const second = `second.${workspace.hostname}`;
    await onEachShard("INSERT INTO own_hosts (hostname) VALUES (?)", second);
    await workerEnv.DIRECTORY.prepare(
      "INSERT INTO domains (hostname, workspace_id, created_at) VALUES (?, ?, 1)",
    )
      .bind(second, workspace.id)
      .run();
    await markDeleted(workspace, NOW_MS);
    await eraseDeletedWorkspaces(quietEnv, NOW_MS);
    const left = "SELECT count(*) AS n FROM domains WHERE workspace_id = ?";
    expect(await workerEnv.DIRECTORY.prepare(left).bind(workspace.id).first("n")).toBe(0);
    const shards = listShards(workerEnv).map((shard) => openShard(workerEnv, shard).db);
    await sweepUnsettledHosts(directory, shards, NOW_MS);
    const copies = "SELECT hostname FROM own_hosts WHERE hostname LIKE '%' || ?";
    expect(await onEachShard(copies, workspace.hostname)).toEqual([]);
  });

  test("erases pages and assets 500 at a time until none is left", async () => {
    const workspace = await newWorkspace("enterprise", 1);
    const { id, shard } = workspace;
    const numbers = JSON.stringify(Array.from({ length: 501 }, (_, n) => n));
    await shard.batch([
      shard
        .prepare(
          `INSERT INTO bio_pages (id, workspace_id, slug, title, description, page_data, created_at, updated_at)
           SELECT lower(hex(randomblob(16))), ?1, ?1 || value, '', '', '{}', 1, 1 FROM json_each(?2)`,
        )
        .bind(id, numbers),
      shard
        .prepare(
          `INSERT INTO assets (id, workspace_id, filename, mime_type, file_size, status, is_public, tags, created_at, updated_at)
           SELECT ?1 || value, ?1, 'a.txt', 'text/plain', 1, 'confirmed', 0, '[]', 1, 1 FROM json_each(?2)`,
        )
        .bind(id, numbers),
    ]);
    await markDeleted(workspace, NOW_MS);
    await eraseDeletedWorkspaces(quietEnv, NOW_MS);
    expect([await countOf("bio_pages", workspace), await countOf("assets", workspace)]).toEqual([0, 0]);
    // The sweep of assets removes the files, and a workspace with files is kept.
    expect(await countOf("deleted_assets", workspace)).toBe(501);
    await shard.prepare("DELETE FROM deleted_assets WHERE workspace_id = ?").bind(id).run();
  });

  test("keeps an empty workspace for a day", async () => {
    const workspace = await newWorkspace();
    await markDeleted(workspace, NOW_MS);
    await eraseDeletedWorkspaces(quietEnv, NOW_MS + DAY_MS - 1);
    expect(await isThere(workspace)).toBe(true);
    await eraseDeletedWorkspaces(quietEnv, NOW_MS + DAY_MS);
    expect(await isThere(workspace)).toBe(false);
  });
});

describe("moves", () => {
  /** Adds a move. Shard 9 is not bound. */
  async function addMove(columns: {
    from_shard: number;
    phase: string;
    moved_at?: number;
    lease_until?: number;
  }) {
    const { id } = await newWorkspace();
    const { from_shard, phase, moved_at = null, lease_until = 0 } = columns;
    return (await workerEnv.DIRECTORY.prepare(
      `INSERT INTO workspace_moves (workspace_id, from_shard, to_shard, phase, requested_at, moved_at, lease_until)
       VALUES (?, ?, 9, ?, 1, ?, ?) RETURNING id`,
    )
      .bind(id, from_shard, phase, moved_at, lease_until)
      .first<number>("id")) as number;
  }
  const listMoves = async () => {
    const { results } = await workerEnv.DIRECTORY.prepare("SELECT id FROM workspace_moves").all<{
      id: number;
    }>();
    return results.map(({ id }) => id);
  };

  test("are deleted 16 days after they end, even if the shard of one of them fails", async () => {
    const nowMs = Date.now();
    const past = nowMs - 16 * DAY_MS;
    const failing = await addMove({ from_shard: 0, phase: "done", moved_at: past - 1 });
    const other = await addMove({ from_shard: 1, phase: "done", moved_at: past - 1 });
    const recent = await addMove({ from_shard: 1, phase: "done", moved_at: past + MINUTE_MS });
    await moveWorkspaces(breakDatabase("SHARD_0"));
    const left = await listMoves();
    expect([failing, other, recent].filter((id) => left.includes(id))).toEqual([failing, recent]);
    expect(logged.join()).toContain(`the past move ${failing} was not deleted; a later run deletes it`);
    const listed = async (movedBefore: number) =>
      (await listPastMoves(directory, movedBefore, 100)).some(({ id }) => id === recent);
    expect(await listed(past + MINUTE_MS)).toBe(false);
    expect(await listed(past + MINUTE_MS + 1)).toBe(true);
  });

  test("continue 20 at a time, and 20 are deleted per run", async () => {
    const { DIRECTORY } = workerEnv;
    await DIRECTORY.exec("DELETE FROM workspace_moves");
    const addMoves = async (phase: string, movedAt: number | null) => {
      const prefix = `moved-${phase}-`;
      await DIRECTORY.batch([
        DIRECTORY.prepare(
          `INSERT INTO workspaces (id, slug, name, plan, shard, created_at)
           SELECT ?1 || key, ?1 || key, 'moved', 'free', 1, 1 FROM json_each(?2)`,
        ).bind(prefix, JSON.stringify(Array(21).fill(0))),
        DIRECTORY.prepare(
          `INSERT INTO workspace_moves (workspace_id, from_shard, to_shard, phase, requested_at, moved_at)
           SELECT id, 9, 9, ?2, 1, ?3 FROM workspaces WHERE id LIKE ?1 || '%'`,
        ).bind(prefix, phase, movedAt),
      ]);
    };
    const countMoves = (condition: string) =>
      DIRECTORY.prepare(`SELECT count(*) AS n FROM workspace_moves WHERE ${condition}`).first("n");
    await addMoves("copy", null);
    await addMoves("done", 1);
    await moveWorkspaces(quietEnv);
    expect([await countMoves("runs = 1"), await countMoves("phase = 'done'")]).toEqual([20, 1]);
    await DIRECTORY.exec("DELETE FROM workspace_moves");
    await DIRECTORY.exec("DELETE FROM workspaces WHERE name = 'moved'");
  });

  test("have one run at a time, until its lease ends", async () => {
    const id = await addMove({ from_shard: 0, phase: "copy", lease_until: NOW_MS });
    expect(await listOpenMoves(directory, NOW_MS - 1, 100)).not.toContain(id);
    expect(await claimMove(directory, id, NOW_MS - 1, 10)).toBeNull();
    expect(await listOpenMoves(directory, NOW_MS, 100)).toContain(id);
    expect(await claimMove(directory, id, NOW_MS, 10)).toMatchObject({ id, runs: 1 });
    expect(await claimMove(directory, id, NOW_MS + 9, 10)).toBeNull();
    expect(await claimMove(directory, id, NOW_MS + 10, 10)).toMatchObject({ id, runs: 2 });
    await workerEnv.DIRECTORY.prepare("UPDATE workspace_moves SET phase = 'done' WHERE id = ?")
      .bind(id)
      .run();
    expect(await claimMove(directory, id, NOW_MS + DAY_MS, 10)).toBeNull();
  });
});

describe("a sweep", () => {
  const NUMBERS = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)";
  const SHARD_1 = getShard(workerEnv, 1);
  const count = (d1: D1Database, rows: string) => d1.prepare(`SELECT count(*) AS n FROM ${rows}`).first("n");

  test("deletes facts of scans 1,000 at a time until none is too old", async () => {
    await SHARD_1.prepare(
      `${NUMBERS} INSERT INTO scan_facts (day, owner, item, part, facts) SELECT 1, x'01', x'02', n, '' FROM numbers`,
    )
      .bind(2_001)
      .run();
    await sweepScans(SHARD_1, NOW_MS);
    expect(await count(SHARD_1, "scan_facts WHERE owner = x'01'")).toBe(0);
  });

  test("folds the months of 30 series at a time until none is left", async () => {
    await SHARD_1.prepare(
      `${NUMBERS} INSERT INTO scan_months (month, owner, item, human, bot, preview, prefetch, days, moves, log)
       SELECT ?2, randomblob(16), x'03', 1, 0, 0, 0, '[]', 0, '' FROM numbers`,
    )
      .bind(61, getFirstMonthKept(NOW_MS) - 1)
      .run();
    await sweepScans(SHARD_1, NOW_MS);
    expect(await count(SHARD_1, "scan_months WHERE item = x'03'")).toBe(0);
    expect(await count(SHARD_1, "scan_history WHERE item = x'03'")).toBe(61);
  });

  test("deletes the series of 20 deleted owners at a time, and of 1,000 per run", async () => {
    const { id } = await newWorkspace("free", 1);
    await SHARD_1.exec("DELETE FROM deleted_series");
    await SHARD_1.prepare(
      `${NUMBERS} INSERT INTO deleted_series (workspace_id, owner) SELECT ?2, randomblob(16) FROM numbers`,
    )
      .bind(1_001, id)
      .run();
    await sweepDeletedSeries(openDatabase(SHARD_1), NOW_MS);
    expect(await count(SHARD_1, `deleted_series WHERE workspace_id = '${id}'`)).toBe(1);
  });

  test("removes 500 assets that stayed pending, and 1,000 files, the maximum of one R2 deletion", async () => {
    const { id } = await newWorkspace("free", 1);
    await SHARD_1.exec("DELETE FROM deleted_assets");
    await SHARD_1.prepare(
      `${NUMBERS} INSERT INTO assets (id, workspace_id, filename, mime_type, file_size, status, is_public, tags, created_at, updated_at)
       SELECT ?2 || n, ?2, 'a.txt', 'text/plain', 1, 'pending', 0, '[]', 0, 0 FROM numbers`,
    )
      .bind(501, id)
      .run();
    const removed: number[] = [];
    const bucket = {
      delete: async (keys: string[]) => void removed.push(keys.length),
    } as unknown as R2Bucket;
    const run = () => sweepAssets(openDatabase(SHARD_1), { private: bucket, public: bucket }, NOW_MS);
    await run();
    expect(await count(SHARD_1, `assets WHERE workspace_id = '${id}'`)).toBe(1);
    expect(removed).toEqual([500, 500]);
    await SHARD_1.prepare(
      `${NUMBERS} INSERT INTO deleted_assets (asset_id, workspace_id, filename, deleted_at, due_at)
       SELECT ?2 || '-' || n, ?2, 'a.txt', 0, 0 FROM numbers`,
    )
      .bind(1_000, id)
      .run();
    removed.length = 0;
    // Includes the asset that was left.
    await run();
    expect(removed).toEqual([1_000, 1_000]);
    await run();
    expect(removed.slice(2)).toEqual([1, 1]);
  });

  test("deletes 5,000 entries of a log, and checks the workspaces of a thousand numbers each minute", async () => {
    const db = openDatabase(SHARD_1);
    const addEntries = (workspaceId: string, entries: number) =>
      SHARD_1.prepare(
        `${NUMBERS} INSERT INTO audit_log (workspace_id, id, at, actor_type, actor_id, actor_name, operation,
           resource_type, resource_id, request_id, changes)
         SELECT ?2, printf('%06d', n), 0, '', '', '', '', '', '', '', '' FROM numbers`,
      )
        .bind(entries, workspaceId)
        .run();
    const countEntries = (workspaceId: string) =>
      count(SHARD_1, `audit_log WHERE workspace_id = '${workspaceId}'`);
    const { id } = await newWorkspace("free", 1);
    await addEntries(id, 5_001);
    // Its number is below a thousand, like all others.
    await sweepShardLog(db, NOW_MS);
    expect(await countEntries(id)).toBe(1);
    await SHARD_1.exec(
      "INSERT INTO tenants (id, number) VALUES ('number-1999', 1999), ('number-2000', 2000)",
    );
    for (const workspaceId of ["number-1999", "number-2000"]) await addEntries(workspaceId, 1);
    // The numbers up to 2,000 need three ranges of a thousand, but only two of 1,001.
    const turn = Array.from({ length: 6 }, (_, n) => Math.floor(NOW_MS / MINUTE_MS) + n).find(
      (n) => n % 6 === 1,
    );
    await sweepShardLog(db, (turn as number) * MINUTE_MS);
    expect([await countEntries("number-1999"), await countEntries("number-2000")]).toEqual([0, 1]);
    await sweepShardLog(db, ((turn as number) + 1) * MINUTE_MS);
    expect(await countEntries("number-2000")).toBe(0);
    await SHARD_1.exec("DELETE FROM tenants WHERE id LIKE 'number-%'");
  });

  test("deletes 1,000 expired sessions", async () => {
    await workerEnv.DIRECTORY.prepare(
      `${NUMBERS} INSERT INTO sessions (id, token_hash, email, name, user_agent, created_at, last_seen_at, expires_at)
       SELECT 'swept-' || n, 'swept-' || n, '', '', '', 0, 0, 1 FROM numbers`,
    )
      .bind(1_001)
      .run();
    await sweepSessions(directory, NOW_MS);
    expect(await count(workerEnv.DIRECTORY, "sessions WHERE id LIKE 'swept-%'")).toBe(1);
    await sweepSessions(directory, NOW_MS);
  });

  test.each([
    [0, 299_999, ["SHARD_0", "SHARD_1"]],
    [0, 300_000, ["SHARD_0"]],
    [1, 0, ["SHARD_1", "SHARD_0"]],
  ])("in minute %i covers, if the first shard takes %i ms, %j", async (minute, passedMs, expected) => {
    const clock = vi.spyOn(Date, "now").mockReturnValue(NOW_MS);
    const swept = new Set<string>();
    const watched = mapDatabases(
      quietEnv,
      (d1, name) =>
        new Proxy(d1, {
          get: (target, property) => {
            if (name.startsWith("SHARD_")) clock.mockReturnValue(NOW_MS + passedMs);
            // The sweeps of the directory query shards too, but not for old idempotency keys.
            if (property !== "prepare") return Reflect.get(target, property).bind(target);
            return (statement: string) => {
              if (/idempotency_keys.*created_at/.test(statement)) swept.add(name);
              return target.prepare(statement);
            };
          },
        }),
    );
    // Each minute starts with another shard, minute 0 with the first one. No shard starts after 5 minutes.
    await sweep(watched, NOW_MS + minute * MINUTE_MS);
    clock.mockRestore();
    expect([...swept]).toEqual(expected);
  });
});

test("the cron sweeps the other databases if one fails", async () => {
  const workspaces = [await newWorkspace("business", 0), await newWorkspace("business", 1)];
  for (const { id, shard } of workspaces) {
    await shard
      .prepare(
        "INSERT INTO idempotency_keys (workspace_id, route, key, request_hash, request_id, created_at) VALUES (?, '', '', '', '', 1)",
      )
      .bind(id)
      .run();
  }
  const count = () =>
    Promise.all(
      workspaces.map(({ id, shard }) =>
        shard
          .prepare("SELECT count(*) AS n FROM idempotency_keys WHERE workspace_id = ?")
          .bind(id)
          .first("n"),
      ),
    );
  // Works for whichever shard a minute starts with.
  await sweep(breakDatabase("SHARD_0"), NOW_MS);
  await sweep(breakDatabase("SHARD_0"), NOW_MS + MINUTE_MS);
  expect(await count()).toEqual([1, 0]);
  await sweep(breakDatabase("DIRECTORY"), NOW_MS);
  expect(await count()).toEqual([0, 0]);
  expect(logged.join()).toContain("the sweep sweepSessions failed");
});
