import { afterEach, expect, test, vi } from "vitest";
import { buildDeletion } from "../../src/cli/deletion-statements.ts";
import { getShard, mapDatabases } from "../../src/db/shards.ts";
import { replayChanges } from "../../src/moves/changed-rows.ts";
import { findDifferences } from "../../src/moves/compare-shards.ts";
import { OvertakenError } from "../../src/moves/move-list.ts";
import { MOVE_TIMES } from "../../src/moves/move-run.ts";
import { moveWorkspaces } from "../../src/moves/move-workspaces.ts";
import { MOVED_TABLES, type MovedTable, UNMOVED_TABLES } from "../../src/moves/moved-tables.ts";
import type { MovingWorkspace } from "../../src/moves/row-sql.ts";
import { ShardRun } from "../../src/moves/shard-run.ts";
import { prepareDeletion } from "../../src/moves/sync-rows.ts";
import { walkRows } from "../../src/moves/walk-rows.ts";
import { OVERTAKEN_MESSAGE } from "../../src/tenant/transits.ts";
import { watchDatabases, watchTrips } from "../support/counting.ts";
import { fillWorkspace } from "../support/full-workspace.ts";
import {
  createLink,
  eventually,
  expectError,
  newWorkspace,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import {
  countRows,
  listMoveTriggers,
  moveWorkspace,
  onShard,
  otherShard,
  QUICK,
  readPhase,
  readRows,
  requestMove,
} from "../support/moves.ts";
import { createPersonFixture } from "../support/operation-calls.ts";
import { sendForm, signIn } from "../support/people.ts";
import { quietEnv } from "../support/resources.ts";
import { chooseRuns } from "../support/runs.ts";
import { seedLinks } from "../support/seed-links.ts";
import { isWriting, recordTrips, type Trip, watchStatements } from "../support/statements.ts";
import { buildReceiverUrl, createWebhook } from "../support/webhooks.ts";

/** Moves of workspaces between shards. */

/** Times of a deployment, except that the source is emptied immediately. */
const LEASED = { ...MOVE_TIMES, keepMs: 0 };

afterEach(() => void vi.restoreAllMocks());

test("every table of the shards moves with its workspace or is listed as an exception", async () => {
  const { results } = await workerEnv.SHARD_0.prepare(
    "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'",
  ).all<{ name: string; sql: string }>();
  const names = results.map(({ name }) => name).filter((name) => !/^(link_search|d1_migrations)/.test(name));
  expect(names.sort()).toEqual([...MOVED_TABLES.map(({ name }) => name), ...UNMOVED_TABLES].sort());
});

test.each(MOVED_TABLES.map((table) => [table.name, table] as const))(
  "the table definitions of moves list the unique indexes of %s",
  async (name, table) => {
    const { results } = await workerEnv.SHARD_0.prepare(
      `SELECT i.origin, group_concat(c.name ORDER BY c.seqno) AS columns
         FROM pragma_index_list(?1) AS i, pragma_index_info(i.name) AS c WHERE i."unique" GROUP BY i.name`,
    )
      .bind(name)
      .all<{ origin: string; columns: string }>();
    const unique = results.filter(({ origin }) => origin !== "pk").map(({ columns }) => columns);
    expect(table.uniques.map((columns) => columns.join(",")).sort()).toEqual(unique.sort());
  },
);

test("a workspace moves with every row, and leaves nothing behind", async () => {
  const [workspace, neighbour] = [await newWorkspace("enterprise"), await newWorkspace("enterprise")];
  await fillWorkspace(workspace);
  await createLink(neighbour, {}, quietEnv);
  const before = await readRows(workspace, workspace.shard);
  for (const [name, rows] of Object.entries(before)) expect(rows.length, name).toBeGreaterThan(0);
  const besides = await readRows(neighbour, neighbour.shard);
  const moved = await moveWorkspace(workspace, quietEnv);
  expect(await readRows(workspace, moved.shard)).toEqual(before);
  expect(countRows(await readRows(workspace, workspace.shard))).toEqual({});
  expect(await readRows(neighbour, neighbour.shard)).toEqual(besides);
  expect(await listMoveTriggers(workspace.shard)).toEqual([]);
  expect(moved.shardNumber).toBe(otherShard(workspace));
  const back = await moveWorkspace(moved, quietEnv);
  expect(await readRows(workspace, back.shard)).toEqual(before);
  await moveWorkspaces(quietEnv);
});

test("a workspace moves in steps of 200 rows, and of 2,000 in a table without an index by workspace", async () => {
  const workspace = await newWorkspace("enterprise");
  const webhook = await createWebhook(workspace, buildReceiverUrl("moves-in-steps"));
  await seedLinks({ workspace, count: 401, code: "'m' || n", destination: "'https://example.com/'" });
  const rows = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)";
  const lane = "(SELECT id FROM webhook_lanes WHERE webhook_id = ?2)";
  const insert = (count: number, statement: string, ...owner: string[]) =>
    workspace.shard.prepare(`${rows} INSERT INTO ${statement} FROM numbers`).bind(count, ...owner);
  await workspace.shard.batch([
    insert(
      401,
      `event_deliveries (lane, id, event_type, status, attempts, attempts_before, created_at, epoch)
       SELECT ${lane}, 'in-steps-' || n, 'link.created', 'failed', 1, 0, 1, 0`,
      webhook.id,
    ),
    insert(
      401,
      "delivery_attempts (delivery_id, number, attempted_at, latency_ms) SELECT 'in-steps-' || n, 1, 1, 1",
    ),
    insert(
      2_001,
      `deleted_assets (asset_id, workspace_id, filename, deleted_at, due_at)
       SELECT 'in-steps-' || n, ?2, 'a', 1, 9e15`,
      workspace.id,
    ),
    insert(
      401,
      "scan_facts (day, owner, item, part, facts) SELECT 20000 + n % 2, unhex(replace(?2, '-', '')), x'01', n, x'00'",
      workspace.id,
    ),
  ]);
  const before = await readRows(workspace, workspace.shard);
  const { env, trips } = recordTrips(quietEnv);
  const moved = await moveWorkspace(workspace, env);
  expect(await readRows(workspace, moved.shard)).toEqual(before);
  expect(countRows(await readRows(workspace, workspace.shard))).toEqual({});
  // A table without rows saves no position, because each written row is billed.
  const positions = trips.flatMap(({ statements }) =>
    statements.filter(({ sql }) => sql.startsWith("UPDATE transits SET position")),
  );
  expect(positions.length).toBeLessThan(MOVED_TABLES.length);
  await moved.shard.prepare("DELETE FROM deleted_assets WHERE asset_id LIKE 'in-steps-%'").run();
});

/**
 * Returns true for a write that changes the state for the next mover. The stored progress is only for
 * display.
 */
const isStep = (trip: Trip) =>
  isWriting(trip) && !trip.statements.some(({ sql }) => sql.includes('set "lease_until"'));

/**
 * Returns an `env` whose databases fail after the given step, as if the mover had been killed. Reads change
 * nothing, so dying before the next step, or before a read, has the same effect.
 */
function killedEnv(isLast: (step: Trip) => boolean): Env {
  let isKilled = false;
  return watchStatements(quietEnv, async (trip, makeTrip) => {
    if (isKilled) throw new Error("killed");
    const result = await makeTrip();
    if (!isStep(trip) || !isLast(trip)) return result;
    isKilled = true;
    throw new Error("killed");
  });
}

/** Names a step by its statements and texts, without times and the run's number. */
function nameStep({ database, statements }: Trip): string {
  const { sql = "", values = [] } = statements.at(-1) ?? {};
  return `${database} ${sql} ${values.filter((value) => typeof value === "string").join(" ")}`;
}

/**
 * Moves a workspace to its other shard with a mover that is killed first, and checks that every row arrived.
 */
async function moveKilled(
  here: TestWorkspace,
  before: Record<string, unknown[]>,
  title: string,
  kill: () => Promise<void>,
): Promise<TestWorkspace> {
  const there = onShard(here, otherShard(here));
  expect(await requestMove(here, there.shardNumber)).toBe(true);
  await kill();
  await moveWorkspaces(quietEnv, QUICK);
  expect(await readPhase(here), title).toBe("done");
  expect(await readRows(here, there.shard), title).toEqual(before);
  expect(countRows(await readRows(here, here.shard)), title).toEqual({});
  expect(await listMoveTriggers(here.shard), title).toEqual([]);
  return there;
}

test("after a mover is killed at any step, the next mover completes the move", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const workspace = await newWorkspace("enterprise");
  await fillWorkspace(workspace);
  const before = await readRows(workspace, workspace.shard);

  // Within a move, each mover is killed after the first step at which no mover was killed before.
  const known = new Set<string>();
  let steps = 0;
  let here = await moveKilled(workspace, before, "killed after every step", async () => {
    for (let count = -1; known.size > count; ) {
      count = known.size;
      const env = killedEnv((step) => {
        steps += 1;
        return known.size < known.add(nameStep(step)).size;
      });
      await moveWorkspaces(env, QUICK).catch(() => {});
    }
  });
  // For each table: its rows, the position after them, and the deletion of copied rows.
  expect(known.size).toBeGreaterThan(3 * MOVED_TABLES.length);
  // Each mover continues where the previous one ended. Copying all tables again would quadruple this number.
  expect(steps).toBeLessThan(10 * known.size);

  // A second mover's death could hide faults, so moves with a single death cover the steps around each change
  // of phase.
  const { env, trips } = recordTrips(quietEnv);
  here = await moveKilled(here, before, "not killed", () => moveWorkspaces(env, QUICK));
  const edges = trips
    .filter(isStep)
    .flatMap(({ statements }, index) =>
      statements.some(({ sql }) => /^update "workspace_moves" set "phase"/.test(sql)) ? index : [],
    );
  // The last of six phases ends with the move.
  expect(edges).toHaveLength(5);
  const deaths = chooseRuns(1, 3);
  for (const death of edges.flatMap((edge) => [edge, edge - 1, edge + 1].slice(0, deaths))) {
    let made = 0;
    here = await moveKilled(here, before, `killed after step ${death}`, async () => {
      await moveWorkspaces(
        killedEnv(() => made++ === death),
        QUICK,
      ).catch(() => {});
    });
  }
  expect(
    (await here.call("POST", "/v1/links", { body: { url: "https://example.com/" }, env: quietEnv })).status,
  ).toBe(201);
}, 240_000);

test("only one of two parallel movers moves, and a replaced mover changes nothing", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const workspace = await newWorkspace("enterprise");
  await fillWorkspace(workspace);
  const before = await readRows(workspace, workspace.shard);
  const target = onShard(workspace, otherShard(workspace));
  expect(await requestMove(workspace, target.shardNumber)).toBe(true);
  // The first mover stops halfway for longer than its lease, and continues when the second one has ended.
  let trips = 0;
  const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
  const slow = watchDatabases(quietEnv, async (makeTrip) => {
    trips += 1;
    if (trips === 40) await resumed;
    return makeTrip();
  });
  const first = moveWorkspaces(slow, QUICK);
  await eventually(
    async () => trips,
    (count) => count === 40,
  );
  await moveWorkspaces(quietEnv, { ...QUICK, leaseMs: 60_000 });
  expect(await readPhase(workspace)).toBe("done");
  await createLink(workspace, { custom_slug: "after" }, quietEnv);
  resume();
  await first;
  expect(log).not.toHaveBeenCalled();
  const after = await readRows(workspace, target.shard);
  expect(after.links).toHaveLength((before.links?.length ?? 0) + 1);
  expect(after.event_deliveries?.length).toBeGreaterThanOrEqual(before.event_deliveries?.length ?? 0);
  expect(countRows(await readRows(workspace, workspace.shard))).toEqual({});
  expect(await listMoveTriggers(workspace.shard)).toEqual([]);

  const [one, other] = [
    await requestMove(target, workspace.shardNumber),
    await requestMove(target, workspace.shardNumber),
  ];
  expect([one, other]).toEqual([true, false]);
  await Promise.all([moveWorkspaces(quietEnv, LEASED), moveWorkspaces(quietEnv, LEASED)]);
  expect(await readPhase(workspace)).toBe("done");
  expect(await readRows(workspace, workspace.shard)).toEqual(after);
});

test("a replaced run changes no rows or states, and deletes no recorded change that must be replayed", async () => {
  const { id, shard } = await newWorkspace("enterprise");
  await shard.batch([
    shard.prepare("INSERT INTO transits (workspace_id, epoch, state) VALUES (?, 5, 'leaving')").bind(id),
    shard
      .prepare("INSERT INTO moved_rows (workspace_id, table_name, key) VALUES (?, 'links', '[\"a\"]')")
      .bind(id),
  ]);
  const replay = (epoch: number) => replayChanges(shard, async () => {}, { id, number: 0 }, epoch);
  const countNoted = () =>
    shard
      .prepare("SELECT count(*) AS noted FROM moved_rows WHERE workspace_id = ?")
      .bind(id)
      .first<number>("noted");
  await expect(replay(4)).rejects.toThrow(OVERTAKEN_MESSAGE);
  const overtaken = new ShardRun(shard, { id, number: 0 }, 4);
  await expect(overtaken.run("DELETE FROM moved_rows")).rejects.toThrow(OvertakenError);
  await expect(overtaken.enter("fenced", "DELETE FROM moved_rows")).rejects.toThrow(OvertakenError);
  expect(await countNoted()).toBe(1);
  expect(
    await shard.prepare("SELECT state FROM transits WHERE workspace_id = ?").bind(id).first("state"),
  ).toBe("leaving");
  expect(await replay(5)).toBe(false);
  expect(await countNoted()).toBe(0);
});

test("while the last step blocks changes, they return 503 with Retry-After, and reads and redirects work", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const workspace = await newWorkspace("enterprise");
  const link = await createLink(workspace, {}, quietEnv);
  const { person, ids } = await createPersonFixture(workspace);
  expect(await requestMove(workspace, otherShard(workspace))).toBe(true);
  // A mover that dies while changes are blocked.
  const env = watchDatabases(quietEnv, async (makeTrip) => {
    if (
      (await readPhase(workspace)) === "fence" &&
      (await listMoveTriggers(workspace.shard)).some((name) => name.includes("fence"))
    ) {
      throw new Error("killed");
    }
    return makeTrip();
  });
  await moveWorkspaces(env, QUICK).catch(() => {});
  expect(await readPhase(workspace)).toBe("fence");
  const create = () =>
    workspace.call("POST", "/v1/links", { body: { url: "https://example.com/" }, env: quietEnv });
  const refused = await create();
  expect(refused.headers.get("Retry-After")).toBe("2");
  await expectError(refused, 503, "WORKSPACE_MOVING");
  expect((await workspace.call("GET", `/v1/links/${link.id}`)).status).toBe(200);
  expect((await workspace.visit(`/${link.short_code}`)).status).toBe(302);
  const callAsPerson = async (method: string, path: string, body?: object) =>
    (await person.call(method, path, body && { body })).status;
  expect(await callAsPerson("POST", "/v1/keys", { name: "K", scopes: ["links:read"] })).toBe(503);
  // Sessions can be listed and ended at any time.
  for (const path of ["/v1/session", "/v1/sessions", "/v1/keys"]) {
    expect(await callAsPerson("GET", path), path).toBe(200);
  }
  for (const path of [`/v1/keys/${ids.key_id}`, `/v1/sessions/${ids.session_id}`, "/v1/session"]) {
    expect(await callAsPerson("DELETE", path), path).toBe(200);
  }
  expect(await callAsPerson("GET", "/v1/session")).toBe(401);
  const other = await signIn(workspace, person);
  expect((await sendForm("/sign-out", other.token)).status).toBe(303);
  // The shard rejects a request that began before changes were blocked.
  await workerEnv.DIRECTORY.prepare("UPDATE workspace_moves SET phase = 'follow' WHERE workspace_id = ?")
    .bind(workspace.id)
    .run();
  await expectError(await create(), 503, "WORKSPACE_MOVING");
  await expectError(
    await workspace.call("PATCH", `/v1/links/${link.id}`, { body: { enabled: false }, env: quietEnv }),
    503,
    "WORKSPACE_MOVING",
  );
  await expectError(
    await workspace.call("GET", `/v1/links/${link.id}/qr`, { env: quietEnv }),
    503,
    "WORKSPACE_MOVING",
  );
  await moveWorkspaces(quietEnv, QUICK);
  expect(await readPhase(workspace)).toBe("done");
  expect((await create()).status).toBe(201);
});

test("from the last step on, no run lets sweeps or webhooks work on the source", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const workspace = await newWorkspace("enterprise");
  expect(await requestMove(workspace, otherShard(workspace))).toBe(true);
  // The webhooks of an imported workspace wait until they are resumed.
  const pausedId = `*${workspace.id}`;
  await workspace.shard
    .prepare("INSERT INTO transits (workspace_id, epoch, state) VALUES (?, 0, 'pausing')")
    .bind(pausedId)
    .run();
  const states: string[] = [];
  const note = async (killedIn: string | null, times = QUICK) => {
    let isKilled = false;
    const env = watchDatabases(quietEnv, async (makeTrip) => {
      if (isKilled) throw new Error("killed");
      const result = await makeTrip();
      const transit = workspace.shard.prepare("SELECT state FROM transits WHERE workspace_id = ?");
      const state = `${await readPhase(workspace)}: ${await transit.bind(workspace.id).first("state")}`;
      if (states.at(-1) !== state) states.push(state);
      isKilled = state === killedIn;
      return result;
    });
    await moveWorkspaces(env, times).catch(() => {});
  };
  await note("fence: fenced");
  await note(null, { ...QUICK, keepMs: 60_000 });
  await note(null, { ...QUICK, keepMs: 60_000 });
  await note(null);
  const stages = ["wanted: null", "wanted: leaving", "copy: leaving", "follow: leaving", "follow: pausing"];
  const heldUp = ["fence: pausing", "fence: fenced", "moved: fenced", "moved: left", "done: left"];
  expect(states).toEqual([...stages, ...heldUp]);
  const target = getShard(workerEnv, otherShard(workspace));
  for (const [shard, state] of [
    [workspace.shard, null],
    [target, "pausing"],
  ] as const) {
    const transit = shard.prepare("SELECT state FROM transits WHERE workspace_id = ?").bind(pausedId);
    expect(await transit.first("state")).toBe(state);
  }
});

test("a move that cannot complete its last step allows changes again", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const workspace = await newWorkspace("enterprise");
  expect(await requestMove(workspace, otherShard(workspace))).toBe(true);
  const { DIRECTORY } = workerEnv;
  const isFenced = async () => (await readPhase(workspace)) === "fence";
  // The target fails as soon as the last phase begins.
  const env = mapDatabases(quietEnv, (d1, name) =>
    name === `SHARD_${otherShard(workspace)}`
      ? watchTrips(d1, async (makeTrip) => {
          if (await isFenced()) throw new Error("down");
          return makeTrip();
        })
      : d1,
  );
  await moveWorkspaces(env, QUICK);
  expect(await readPhase(workspace)).toBe("follow");
  expect(await listMoveTriggers(workspace.shard)).not.toContainEqual(expect.stringContaining("fence"));
  const link = await createLink(workspace, {}, quietEnv);
  await moveWorkspaces(quietEnv, QUICK);
  expect(await readPhase(workspace)).toBe("done");
  expect((await workspace.call("GET", `/v1/links/${link.id}`)).status).toBe(200);
  expect(
    await DIRECTORY.prepare("SELECT shard FROM workspaces WHERE id = ?").bind(workspace.id).first("shard"),
  ).toBe(otherShard(workspace));
});

test("a move is rejected if there is nothing to move, and a moving workspace cannot be deleted", async () => {
  const workspace = await newWorkspace();
  expect(await requestMove(workspace, workspace.shardNumber)).toBe(false);
  expect(await requestMove({ ...workspace, slug: "unknown" }, 0)).toBe(false);
  expect(await requestMove(workspace, otherShard(workspace))).toBe(true);
  const { DIRECTORY } = workerEnv;
  const statements = () =>
    buildDeletion(workspace.id, workspace.slug, Date.now()).map((statement) => DIRECTORY.prepare(statement));
  await expect(DIRECTORY.batch(statements())).rejects.toThrow("workspace_moving");
  expect((await workspace.call("GET", "/v1/links")).status).toBe(200);
  await moveWorkspaces(quietEnv, QUICK);
  expect(await readPhase(workspace)).toBe("done");
  await DIRECTORY.batch(statements());
  expect(await requestMove(workspace, workspace.shardNumber)).toBe(false);
});

/** Returns the keys of some rows of a workspace in a table, as JSON arrays. */
async function listKeys(d1: D1Database, table: MovedTable, workspace: MovingWorkspace): Promise<string[]> {
  let walked = await walkRows(d1, table, workspace, {});
  while (walked.keys.length === 0 && walked.next !== null) {
    walked = await walkRows(d1, table, workspace, walked.next);
  }
  return walked.keys;
}

test("rows missing from the copy are detected in every table", async () => {
  const workspace = await newWorkspace("enterprise");
  await fillWorkspace(workspace);
  expect(await requestMove(workspace, otherShard(workspace))).toBe(true);
  // Both shards have all rows until the source is emptied.
  await moveWorkspaces(quietEnv, { ...QUICK, keepMs: 60_000 });
  const [source, target] = [workspace.shard, onShard(workspace, otherShard(workspace)).shard];
  const number = await source
    .prepare("SELECT number FROM tenants WHERE id = ?")
    .bind(workspace.id)
    .first<number>("number");
  const moving = { id: workspace.id, number: number ?? 0 };
  expect(await findDifferences(source, target, moving)).toEqual([]);
  // Ordered so that no row loses the row that it refers to.
  for (const table of MOVED_TABLES.toReversed()) {
    await target.batch([prepareDeletion(target, table, await listKeys(target, table, moving))]);
    expect(await findDifferences(source, target, moving)).toContain(table.name);
  }
  expect(await findDifferences(source, target, moving)).toHaveLength(MOVED_TABLES.length);
});

test("a move with a missing row starts again instead of serving the incomplete copy", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const workspace = await newWorkspace("enterprise");
  await createLink(workspace, {}, quietEnv);
  const before = await readRows(workspace, workspace.shard);
  const target = onShard(workspace, otherShard(workspace));
  expect(await requestMove(workspace, target.shardNumber)).toBe(true);
  let isLost = false;
  const env = watchDatabases(quietEnv, async (makeTrip) => {
    if (!isLost && (await readPhase(workspace)) === "fence") {
      isLost = true;
      await target.shard.prepare("DELETE FROM links WHERE workspace_id = ?").bind(workspace.id).run();
    }
    return makeTrip();
  });
  await moveWorkspaces(env, QUICK);
  expect(await readPhase(workspace)).toBe("wanted");
  expect(String(log.mock.calls)).toContain(
    `the copy of workspace ${workspace.id} differs in tenants, links; it starts again`,
  );
  await createLink(workspace, { custom_slug: "between" }, quietEnv);
  await moveWorkspaces(env, QUICK);
  expect(await readPhase(workspace)).toBe("done");
  expect((await readRows(workspace, target.shard)).links).toHaveLength((before.links?.length ?? 0) + 1);
});
