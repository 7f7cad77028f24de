import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { isLostWrite, isNotStarted, isRetryable, mayBeCommitted, repeatOnce } from "../../src/db/retry.ts";
import { repeatStorage } from "../../src/db/retrying-database.ts";
import { workerEnv } from "../support/harness.ts";

beforeAll(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
afterAll(() => void vi.restoreAllMocks());

const LOST = "D1_ERROR: Network connection lost.";
const OVERLOADED = "D1_ERROR: D1 DB is overloaded. Requests queued for too long.";

/** Builds an error of a Durable Object, with the properties that the platform sets. */
function buildObjectError(properties: object): Error {
  return Object.assign(new Error("the object failed"), properties);
}

test.each<[string, unknown, "not started" | "maybe committed" | "final"]>([
  ["a lost connection", new Error(LOST), "maybe committed"],
  [
    "a reset",
    new Error("D1_ERROR: Internal error in D1 DB storage caused object to be reset."),
    "maybe committed",
  ],
  [
    "a failed start",
    new Error("D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset."),
    "maybe committed",
  ],
  [
    "a new version of D1",
    new Error("D1_ERROR: D1 DB reset because its code was updated."),
    "maybe committed",
  ],
  ["an overloaded database", new Error(OVERLOADED), "not started"],
  [
    "too many queued requests",
    new Error("D1_ERROR: D1 DB is overloaded. Too many requests queued."),
    "not started",
  ],
  [
    "a remote node",
    new Error("D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node."),
    "not started",
  ],
  ["an error that Drizzle wraps", new Error("Failed query", { cause: new Error(LOST) }), "maybe committed"],
  ["a transient error of an object", buildObjectError({ retryable: true }), "maybe committed"],
  ["an overloaded object", buildObjectError({ retryable: true, overloaded: true }), "final"],
  ["an error thrown by an object", buildObjectError({ remote: true }), "final"],
  ["a constraint", new Error("D1_ERROR: UNIQUE constraint failed: links.id: SQLITE_CONSTRAINT"), "final"],
  [
    "a statement that takes too long, and would again",
    new Error("D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset."),
    "final",
  ],
  ["a text", LOST, "final"],
  ["nothing", undefined, "final"],
])("isRetryable, isNotStarted and mayBeCommitted recognize %s", (_, error, expected) => {
  expect(isNotStarted(error)).toBe(expected === "not started");
  expect(mayBeCommitted(error)).toBe(expected === "maybe committed");
  expect(isRetryable(error)).toBe(expected !== "final");
});

test("a circular chain of causes ends", () => {
  const error = new Error("outer");
  error.cause = error;
  expect(isRetryable(error)).toBe(false);
});

test("an error is recognized behind four other causes, and not behind five", () => {
  const wrap = (times: number): Error =>
    times === 0 ? new Error(LOST) : new Error("outer", { cause: wrap(times - 1) });
  expect([4, 5].map((times) => isRetryable(wrap(times)))).toEqual([true, false]);
});

describe("repeatOnce", () => {
  /** Returns a function that fails with the errors, then returns its number of calls. */
  function failWith(...errors: Error[]) {
    let calls = 0;
    return async () => {
      const error = errors[calls];
      calls += 1;
      if (error !== undefined) throw error;
      return calls;
    };
  }

  test("returns the result of the second run after a transient error", async () => {
    expect(await repeatOnce(failWith())).toBe(1);
    expect(await repeatOnce(failWith(new Error(LOST)))).toBe(2);
  });

  test.each([
    [0, 20],
    [0.5, 50],
    [1, 80],
  ])("waits for 20 to 80 ms: with the random number %d, %i", async (random, delayMs) => {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValueOnce(random);
    const run = vi.fn(failWith(new Error(LOST)));
    const repeated = repeatOnce(run);
    await vi.advanceTimersByTimeAsync(delayMs - 1);
    expect(run).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(run).toHaveBeenCalledTimes(2);
    expect(await repeated).toBe(2);
    vi.useRealTimers();
  });

  test("throws the second transient error, and any other error immediately", async () => {
    await expect(repeatOnce(failWith(new Error(LOST), new Error(OVERLOADED)))).rejects.toThrow("overloaded");
    const final = vi.fn(failWith(new Error("final")));
    await expect(repeatOnce(final)).rejects.toThrow("final");
    expect(final).toHaveBeenCalledOnce();
  });
});

describe("the database of repeatStorage", () => {
  /**
   * Returns a database whose statements fail with one of the errors each, and the texts of the statements it
   * ran.
   */
  function buildDatabase(...errors: string[]) {
    const runs: string[] = [];
    const run = async (text: string) => {
      runs.push(text);
      const message = errors[runs.length - 1];
      if (message !== undefined) throw new Error(message);
      return [];
    };
    const prepare = (text: string) => {
      const execute = () => run(text);
      const statement = {
        text,
        first: execute,
        all: execute,
        run: execute,
        raw: execute,
        bind: () => statement,
      };
      return statement;
    };
    const connection = {
      prepare,
      batch: (statements: { text: string }[]) => run(statements.map(({ text }) => text).join("; ")),
    };
    const database = {
      ...connection,
      withSession: () => ({ ...connection, getBookmark: () => "bookmark" }),
    } as unknown as D1Database;
    return { d1: repeatStorage({ DIRECTORY: database, SHARD_0: database }).SHARD_0, runs };
  }

  const METHODS = ["first", "all", "run", "raw"] as const;

  function execute(statement: D1PreparedStatement, method: (typeof METHODS)[number]): Promise<unknown> {
    return method === "first" ? statement.first() : statement[method]();
  }

  const READ = "SELECT a FROM b";
  const WRITE = "UPDATE b SET a = 1";

  test.each<[string, string, string, number, boolean]>([
    ["a read", READ, LOST, 2, false],
    ["a read with WITH", "with c as (select 1) select * from c", LOST, 2, false],
    ["a write", WRITE, LOST, 1, true],
    ["a write with WITH", "WITH c AS (SELECT 1) DELETE FROM b", LOST, 1, true],
    ["a write that was not started", WRITE, OVERLOADED, 2, false],
    ["a write that breaks a constraint", WRITE, "D1_ERROR: UNIQUE constraint failed", 1, false],
  ])("%s that fails twice with %s", async (_, text, message, runCount, isLost) => {
    for (const method of METHODS) {
      const { d1, runs } = buildDatabase(message, message);
      const error = await execute(d1.prepare(text).bind(1), method).catch((thrown) => thrown);
      expect(String(error)).toContain(message);
      expect(runs, method).toHaveLength(runCount);
      expect(isLostWrite(error)).toBe(isLost);
      expect(isLostWrite(new Error("Failed query", { cause: error }))).toBe(isLost);
    }
  });

  test("a batch is repeated if it only reads", async () => {
    const reads = buildDatabase(LOST);
    await reads.d1.batch([reads.d1.prepare(READ), reads.d1.prepare(READ).bind(1)]);
    expect(reads.runs).toHaveLength(2);
    const mixed = buildDatabase(LOST);
    const statements = [mixed.d1.prepare(READ), mixed.d1.prepare(WRITE)];
    await expect(mixed.d1.batch(statements)).rejects.toThrow(LOST);
    expect(mixed.runs).toHaveLength(1);
  });

  test("a session repeats reads and keeps its bookmark", async () => {
    const { d1, runs } = buildDatabase(LOST);
    const session = d1.withSession("first-unconstrained");
    await session.prepare(READ).first();
    expect(runs).toHaveLength(2);
    expect(session.getBookmark()).toBe("bookmark");
  });

  test("behaves like the database of the runtime", async () => {
    const { SHARD_0: shard, DIRECTORY: directory } = repeatStorage(workerEnv);
    expect(repeatStorage(workerEnv).SHARD_0).toBe(shard);
    expect(await directory.prepare("SELECT 1 AS a").first("a")).toBe(1);
    expect(await shard.prepare("SELECT ? AS a, 2 AS b").bind(1).first()).toEqual({ a: 1, b: 2 });
    expect(await shard.prepare("SELECT ? AS a, 2 AS b").bind(1).first("b")).toBe(2);
    expect(await shard.prepare("SELECT 1 AS a").raw()).toEqual([[1]]);
    expect(await shard.prepare("SELECT 1 AS a").raw({ columnNames: true })).toEqual([["a"], [1]]);
    const [one, two] = await shard
      .withSession()
      .batch([shard.prepare("SELECT 1 AS a"), shard.prepare("SELECT 2 AS a")]);
    expect([one?.results, two?.results]).toEqual([[{ a: 1 }], [{ a: 2 }]]);
  });
});
