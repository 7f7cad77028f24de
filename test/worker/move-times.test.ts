import { afterEach, expect, test, vi } from "vitest";
import { MOVE_TIMES } from "../../src/moves/move-run.ts";
import { moveWorkspaces } from "../../src/moves/move-workspaces.ts";
import { watchDatabases } from "../support/counting.ts";
import { createLink, eventually, newWorkspace, workerEnv } from "../support/harness.ts";
import { onShard, otherShard, QUICK, readPhase, readRows, requestMove } from "../support/moves.ts";
import { quietEnv } from "../support/resources.ts";

/** Times of moves, each just inside and just outside, with the clock given. */

afterEach(() => void vi.restoreAllMocks());

/** Stops the clock. Returns its time, and what sets it forward. */
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

test("a run has a lease of a minute, which it prolongs every second, and ends after 50 seconds", async () => {
  const workspace = await newWorkspace("enterprise");
  /** Starts a move whose time jumps after its first steps. Returns its phase in the end and the ends of its leases. */
  const jump = async (elapsedMs: number) => {
    await workerEnv.DIRECTORY.prepare("DELETE FROM workspace_moves WHERE workspace_id = ?")
      .bind(workspace.id)
      .run();
    expect(await requestMove(workspace, otherShard(workspace))).toBe(true);
    const { startMs, setForward } = stopClock();
    const leases = new Set<number | null>();
    let trips = 0;
    const env = watchDatabases(quietEnv, async (makeTrip) => {
      trips += 1;
      if (trips === 12) setForward(elapsedMs);
      const lease = await workerEnv.DIRECTORY.prepare(
        "SELECT lease_until AS until FROM workspace_moves WHERE workspace_id = ?",
      )
        .bind(workspace.id)
        .first<number>("until");
      if (lease) leases.add(lease - startMs);
      return makeTrip();
    });
    await moveWorkspaces(env, { ...MOVE_TIMES, keepMs: 3_600_000 });
    vi.restoreAllMocks();
    const phase = await readPhase(workspace);
    // What is left of the move is of no matter: it goes on, and back.
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

test("a move waits 40 seconds for turns of webhooks that are under way, and then leaves it to the next run", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const workspace = await newWorkspace("enterprise");
  expect(await requestMove(workspace, otherShard(workspace))).toBe(true);
  const { startMs, setForward } = stopClock();
  await workspace.shard
    .prepare("INSERT INTO delivery_backlogs VALUES (?, 0, 1000000, ?)")
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
  expect(String(log.mock.calls)).toContain("turns of webhooks did not end in time");
  expect(await readPhase(workspace)).toBe("follow");
  await workspace.shard
    .prepare("UPDATE delivery_backlogs SET turns = '[]' WHERE workspace_id = ?")
    .bind(workspace.id)
    .run();
  await moveWorkspaces(quietEnv, QUICK);
  expect(await readPhase(workspace)).toBe("done");
});
