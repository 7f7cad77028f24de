import { afterEach, describe, expect, test, vi } from "vitest";
import { replayChanges } from "../../src/moves/changed-rows.ts";
import { MOVE_TIMES } from "../../src/moves/move-run.ts";
import { moveWorkspaces } from "../../src/moves/move-workspaces.ts";
import { MOVED_TABLES, type MovedTable } from "../../src/moves/moved-tables.ts";
import { type RunOnTarget, splitKeys, syncRows } from "../../src/moves/sync-rows.ts";
import { watchDatabases } from "../support/counting.ts";
import { createLink, eventually, newWorkspace, type TestWorkspace, workerEnv } from "../support/harness.ts";
import {
  moveWorkspace,
  onShard,
  otherShard,
  QUICK,
  readPhase,
  readRows,
  requestMove,
} from "../support/moves.ts";
import { quietEnv } from "../support/resources.ts";
import { watchStatements } from "../support/statements.ts";

/** Times and steps of moves, each just inside and just outside, with a fixed clock. */

afterEach(() => void vi.restoreAllMocks());

/** Stops the clock. Returns its time and a function that advances it. */
function stopClock(): { startMs: number; setForward: (elapsedMs: number) => void } {
  const startMs = Date.now();
  const clock = vi.spyOn(Date, "now").mockReturnValue(startMs);
  return { startMs, setForward: (elapsedMs) => void clock.mockReturnValue(startMs + elapsedMs) };
}

test("the source keeps its rows for 3 minutes after the switch", async () => {
  const workspace = await newWorkspace("enterprise");
  await createLink(workspace, {}, quietEnv);
  expect(await requestMove(workspace, otherShard(workspace))).toBe(true);
  const { setForward } = stopClock();
  const hasLinks = async () => (await readRows(workspace, workspace.shard)).links?.length === 1;
  await moveWorkspaces(quietEnv);
  expect([await readPhase(workspace), await hasLinks()]).toEqual(["moved", true]);
  setForward(179_999);
  await moveWorkspaces(quietEnv);
  expect([await readPhase(workspace), await hasLinks()]).toEqual(["moved", true]);
  setForward(180_000);
  await moveWorkspaces(quietEnv);
  expect([await readPhase(workspace), await hasLinks()]).toEqual(["done", false]);
});

test("a run has a lease of a minute, renews it every second, and ends after 50 seconds", async () => {
  const workspace = await newWorkspace("enterprise");
  /**
   * Starts a move whose time jumps after its first steps. Returns its final phase and the ends of its leases.
   */
  const jump = async (elapsedMs: number) => {
    await workerEnv.DIRECTORY.prepare("DELETE FROM workspace_moves WHERE workspace_id = ?")
      .bind(workspace.id)
      .run();
    expect(await requestMove(workspace, otherShard(workspace))).toBe(true);
    const { startMs, setForward } = stopClock();
    const leases = new Set<number | null>();
    let trips = 0;
    const env = watchStatements(quietEnv, async ({ statements }, makeTrip) => {
      trips += 1;
      if (trips === 12) setForward(elapsedMs);
      const result = await makeTrip();
      if (!statements.some(({ sql }) => sql.includes('"lease_until"'))) return result;
      const lease = await workerEnv.DIRECTORY.prepare(
        "SELECT lease_until AS until FROM workspace_moves WHERE workspace_id = ?",
      )
        .bind(workspace.id)
        .first<number>("until");
      if (lease) leases.add(lease - startMs);
      return result;
    });
    await moveWorkspaces(env, { ...MOVE_TIMES, keepMs: 3_600_000 });
    vi.restoreAllMocks();
    const phase = await readPhase(workspace);
    // Finishes the move, whose remaining steps do not matter here.
    await moveWorkspaces(quietEnv, QUICK);
    await workerEnv.DIRECTORY.prepare(
      "UPDATE workspace_moves SET moved_at = moved_at - 3600000 WHERE workspace_id = ?",
    )
      .bind(workspace.id)
      .run();
    await moveWorkspaces(quietEnv, QUICK);
    expect(await readPhase(workspace)).toBe("done");
    Object.assign(workspace, onShard(workspace, otherShard(workspace)));
    return { phase, leases: [...leases] };
  };
  expect(await jump(999)).toEqual({ phase: "moved", leases: [60_000] });
  expect(await jump(1_000)).toEqual({ phase: "moved", leases: [60_000, 61_000] });
  expect(await jump(49_999)).toMatchObject({ phase: "moved" });
  expect(await jump(50_000)).toEqual({ phase: "wanted", leases: [60_000] });
});

test("a move waits 40 seconds for running webhook turns, and then leaves it to the next run", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const workspace = await newWorkspace("enterprise");
  expect(await requestMove(workspace, otherShard(workspace))).toBe(true);
  const { startMs, setForward } = stopClock();
  await workspace.shard
    .prepare("INSERT INTO delivery_backlogs VALUES (?, 0, 1000000, ?, 0, 0)")
    .bind(workspace.id, JSON.stringify([[1, startMs + 3_600_000]]))
    .run();
  let polls = 0;
  const env = watchDatabases(quietEnv, (makeTrip) => {
    polls += 1;
    return makeTrip();
  });
  const moving = moveWorkspaces(env, QUICK);
  const waitForPolls = async () => {
    const before = polls;
    await eventually(
      async () => polls,
      (count) => count >= before + 6,
    );
  };
  await eventually(
    () => readPhase(workspace),
    (phase) => phase === "follow",
  );
  await waitForPolls();
  setForward(40_000);
  await waitForPolls();
  expect(log).not.toHaveBeenCalled();
  setForward(40_001);
  await moving;
  expect(String(log.mock.calls)).toContain("webhook turns did not end in time");
  expect(await readPhase(workspace)).toBe("follow");
  await workspace.shard
    .prepare("UPDATE delivery_backlogs SET turns = '[]' WHERE workspace_id = ?")
    .bind(workspace.id)
    .run();
  await moveWorkspaces(quietEnv, QUICK);
  expect(await readPhase(workspace)).toBe("done");
});

test("runs of an earlier move do not replace a later one, whatever their number", async () => {
  const workspace = await newWorkspace();
  expect(await requestMove(workspace, otherShard(workspace))).toBe(true);
  await workerEnv.DIRECTORY.prepare("UPDATE workspace_moves SET runs = 1000 WHERE workspace_id = ?")
    .bind(workspace.id)
    .run();
  await moveWorkspaces(quietEnv, QUICK);
  expect(await readPhase(workspace)).toBe("done");
  await moveWorkspace(onShard(workspace, otherShard(workspace)), quietEnv);
});

describe("a move step", () => {
  const TABLE = MOVED_TABLES.find(({ name }) => name === "deleted_assets") as MovedTable;

  /** Adds rows of the given sizes in bytes to {@link TABLE} and returns their keys. */
  async function addRows({ id, shard }: TestWorkspace, sizes: readonly number[]): Promise<string[]> {
    const ids = sizes.map((_, n) => `${id}-${n}`);
    const rows = sizes.map((size, n) => [ids[n], "x".repeat(size - `${ids[n]}${id}19`.length)]);
    await shard
      .prepare("INSERT INTO deleted_assets SELECT value ->> 0, ?, value ->> 1, 1, 9 FROM json_each(?)")
      .bind(id, JSON.stringify(rows))
      .run();
    return ids.map((key) => JSON.stringify([key]));
  }

  /** Runs nothing on a target. Returns the number of keys or rows that each statement would contain. */
  function recordSteps(): { run: RunOnTarget; steps: number[]; values: Set<string> } {
    const steps: number[] = [];
    const values = new Set<string>();
    const run: RunOnTarget = async (prepare) => {
      const bound = prepare({ prepare: () => ({ bind: (json: string) => json }) } as unknown as D1Database);
      const rows = JSON.parse(String(bound.at(-1))) as unknown[][];
      steps.push(rows.length);
      for (const [first] of rows) values.add(String(first));
    };
    return { run, steps, values };
  }

  test.each([
    [
      [499_999, 100, 100],
      [2, 1],
    ],
    [
      [500_000, 100, 100],
      [1, 2],
    ],
  ])(
    "with rows of %j bytes carries the rows that begin in the first 500,000: %j",
    async (sizes, expected) => {
      const workspace = await newWorkspace();
      const keys = await addRows(workspace, sizes);
      const { run, steps, values } = recordSteps();
      await syncRows(workspace.shard, run, TABLE, keys);
      expect(steps).toEqual(expected);
      expect(values.size).toBe(keys.length);
      await workspace.shard
        .prepare("DELETE FROM deleted_assets WHERE workspace_id = ?")
        .bind(workspace.id)
        .run();
    },
  );

  test("carries 500 rows, including deleted ones", async () => {
    const { shard } = await newWorkspace();
    const keys = Array.from({ length: 1_001 }, (_, n) => JSON.stringify([`gone-${n}`]));
    const { run, steps, values } = recordSteps();
    await syncRows(shard, run, TABLE, keys);
    expect(steps).toEqual([500, 500, 1]);
    expect(values.size).toBe(keys.length);
    const split = splitKeys(keys);
    expect(split.map(({ length }) => length)).toEqual([500, 500, 1]);
    expect(split.flat()).toEqual(keys);
  });

  /** Records changes of rows, as triggers do while a workspace is copied. */
  async function noteChanges({ id, shard }: TestWorkspace, count: number): Promise<void> {
    await shard.batch([
      shard.prepare("INSERT INTO transits (workspace_id, epoch, state) VALUES (?, 1, 'leaving')").bind(id),
      shard
        .prepare(
          `INSERT INTO moved_rows (workspace_id, table_name, key)
           SELECT ?, 'deleted_assets', json_array('noted-' || key) FROM json_each(?)`,
        )
        .bind(id, JSON.stringify(Array(count).fill(0))),
    ]);
  }

  test("replays 500 changes and returns whether more may be left", async () => {
    const workspace = await newWorkspace();
    await noteChanges(workspace, 501);
    const { run, steps, values } = recordSteps();
    const replay = () => replayChanges(workspace.shard, run, { id: workspace.id, number: 0 }, 1);
    expect([await replay(), await replay(), await replay()]).toEqual([true, false, false]);
    expect(steps).toEqual([500, 1]);
    expect(values.size).toBe(501);
  });

  test("for the last changes is repeated, however many changes came just before", async () => {
    const log = vi.spyOn(console, "error");
    const workspace = await newWorkspace();
    const env = watchStatements(quietEnv, async ({ statements }, makeTrip) => {
      const result = await makeTrip();
      const isLastPhase = statements.some(
        ({ sql, values }) => sql.startsWith('update "workspace_moves" set "phase"') && values[0] === "fence",
      );
      if (isLastPhase) {
        await workspace.shard
          .prepare("INSERT INTO deleted_assets SELECT 'late-' || key, ?, 'a', 1, 9e15 FROM json_each(?)")
          .bind(workspace.id, JSON.stringify(Array(1_001).fill(0)))
          .run();
      }
      return result;
    });
    const moved = await moveWorkspace(workspace, env);
    expect(log).not.toHaveBeenCalled();
    expect((await readRows(workspace, moved.shard)).deleted_assets).toHaveLength(1_001);
    await moved.shard.prepare("DELETE FROM deleted_assets WHERE asset_id LIKE 'late-%'").run();
  });
});
