import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Deployment } from "../../src/cli/admin-database.ts";
import { queryRows } from "../../src/cli/records.ts";
import { moveWorkspace } from "../../src/cli/workspace-move.ts";

/** Tests the progress of `workspace move` with a fake database. */

vi.mock("../../src/cli/admin-database.ts", () => ({ executeStatements: async () => [[], [{ id: 1 }]] }));
vi.mock("../../src/cli/records.ts", () => ({ queryRows: vi.fn() }));

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Follows a move that has the given states, then is done. Returns the outcome and the time of each read. */
async function follow(state: object | null, readings: readonly (object | "fails")[]) {
  const startMs = Date.now();
  const timesMs: number[] = [];
  vi.mocked(queryRows).mockImplementation(async () => {
    const reading = readings[timesMs.push(Date.now() - startMs) - 1] ?? { phase: "done", moved_at: 1_000 };
    if (reading === "fails") throw new Error("the database is locked");
    return [reading as never];
  });
  const deployment = { shards: [0, 1], environment: undefined, state } as unknown as Deployment;
  const moving = moveWorkspace(deployment, "acme", 1).then(
    ({ moved_at }) => moved_at,
    (error: Error) => error.message,
  );
  await vi.advanceTimersByTimeAsync(600_000);
  return { outcome: await moving, timesMs };
}

const copying = { phase: "copy", progress: "" };
const fail = (times: number) => Array<"fails">(times).fill("fails");

test("continues after 20 failed reads in a row, and fails with the 21st", async () => {
  const local = {};
  const often = await follow(local, [...fail(20), copying, ...fail(20)]);
  expect(often.outcome).toBe("1970-01-01T00:00:01.000Z");
  const always = await follow(local, fail(21));
  expect([always.outcome, always.timesMs.length]).toEqual(["the database is locked", 21]);
});

test("is read every 2 seconds locally, and every 5 seconds through wrangler", async () => {
  expect((await follow({}, [copying])).timesMs).toEqual([0, 2_000]);
  expect((await follow(null, [copying])).timesMs).toEqual([0, 5_000]);
});

test("prints each state once", async () => {
  await follow({}, [copying, copying, { phase: "fence", progress: "90 %" }]);
  expect(vi.mocked(console.error).mock.calls.flat()).toEqual(["copying", "90 %", "done"]);
});
