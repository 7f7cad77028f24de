import { afterEach, expect, test, vi } from "vitest";
import { startMonth } from "../../src/analytics/buckets.ts";
import { formatFact, formatValues, parseFacts } from "../../src/analytics/fact-log.ts";
import { sweepScans } from "../../src/analytics/fold-months.ts";
import { tryMoveLogs } from "../../src/analytics/move-logs.ts";
import { WORKSPACE_SCANS } from "../../src/analytics/series.ts";
import { DAY_MS } from "../../src/core/time.ts";

/** Limits of moving scan logs, with a database that only records its statements. */

afterEach(() => void vi.restoreAllMocks());

const MONTH = 2026 * 12 + 10;
const FIRST_DAY = startMonth(MONTH) / DAY_MS;
const OWNER = "AA".repeat(16);

interface Asked {
  text: string;
  params: unknown[];
}

/**
 * Returns a database that records statements. Each changes as many rows as `countChanges` returns, and finds
 * nothing.
 */
function noteStatements(countChanges: (text: string) => number = () => 0) {
  const asked: Asked[] = [];
  const prepare = (text: string) => {
    const bind = (...params: unknown[]) => {
      const run = async () => {
        asked.push({ text, params });
        return { results: [], meta: { changes: countChanges(text), rows_written: 0 } };
      };
      return { run, all: run, first: async () => null };
    };
    return { bind, ...bind() };
  };
  const batch = (statements: { run(): Promise<unknown> }[]) =>
    Promise.all(statements.map(({ run }) => run()));
  const d1 = { prepare, batch } as unknown as D1Database;
  /** Returns the rows that were passed to the statements with a text. */
  const listRows = (part: string) =>
    asked
      .filter(({ text }) => text.includes(part))
      .flatMap(({ params }) => JSON.parse(String(params[0])) as unknown[][]);
  return { d1, asked, listRows };
}

/** Returns the result of a batch that made logs too long, with a fact on each of the given days. */
function reportLogs(...logs: { item: string; days: number[]; moves?: number }[]): D1Result[] {
  const results = logs.map(({ item, days, moves = 0 }) => {
    const log = days.map((day) => formatFact((FIRST_DAY + day) * 96, formatValues(["", "DE"]), 1)).join("");
    return { overflow: JSON.stringify([MONTH, OWNER, item, moves, log, log.length]) };
  });
  return [{ results: [{ other: 1 }, { overflow: null }, ...results] }] as unknown as D1Result[];
}

const name = (index: number) => index.toString(16).padStart(32, "0").toUpperCase();

test("facts of a single day are added to its counts, and of more days the earlier ones are stored unchanged", async () => {
  const { d1, listRows } = noteStatements();
  await tryMoveLogs(
    d1,
    reportLogs(
      { item: name(1), days: [0, 1] },
      { item: name(2), days: [0, 1, 2, 3] },
      { item: name(3), days: [5] },
    ),
  );
  const items = (part: string) => listRows(part).map((row) => row[2]);
  expect(items("INTO scan_days")).toEqual([name(3)]);
  expect(items("INTO scan_facts")).toEqual([name(3)]);
  expect(items("INTO scan_parts")).toEqual([name(1), name(2)]);
  const kept = listRows("UPDATE scan_months").map((row) => [row[2], parseFacts(String(row[5])).length]);
  expect(kept).toEqual([
    [name(1), 1],
    [name(2), 2],
    [name(3), 0],
  ]);
});

test("the first move of a quiet log in a month also moves what is left in the month before", async () => {
  const { d1, listRows } = noteStatements();
  await tryMoveLogs(
    d1,
    reportLogs(
      { item: name(1), days: [7, 12] },
      { item: name(2), days: [7, 12], moves: 1 },
      { item: name(3), days: [20] },
    ),
  );
  expect(listRows("CROSS JOIN scan_months ON month = key.value ->> 0")).toEqual([
    [MONTH - 1, OWNER, name(1)],
  ]);
});

test("the facts of a workspace are stored with its links, so its own log adds no facts", async () => {
  const { d1, listRows } = noteStatements();
  await tryMoveLogs(d1, reportLogs({ item: WORKSPACE_SCANS, days: [0] }));
  expect(listRows("INTO scan_days")).toHaveLength(1);
  expect(listRows("INTO scan_facts")).toEqual([]);
});

test("50 logs are moved after a batch, each once, as last reported", async () => {
  const { d1, listRows } = noteStatements();
  const logs = Array.from({ length: 51 }, (_, index) => ({ item: name(index), days: [index % 5] }));
  await tryMoveLogs(d1, reportLogs(...logs, { item: name(0), days: [0, 1], moves: 3 }));
  const cut = listRows("UPDATE scan_months");
  expect(cut).toHaveLength(50);
  expect(cut[0]?.slice(0, 4)).toEqual([MONTH, OWNER, name(0), 3]);
  expect(cut.at(-1)?.[2]).toBe(name(49));
});

test("the previous month is summed once the first day of a busy month is over", async () => {
  const { d1, listRows } = noteStatements();
  await tryMoveLogs(d1, reportLogs({ item: name(1), days: [0] }));
  expect(listRows("FROM json_each(?1) AS key\n   CROSS JOIN scan_months")).toEqual([]);
  await tryMoveLogs(d1, reportLogs({ item: name(1), days: [1] }, { item: name(2), days: [1, 2, 3] }));
  expect(listRows("FROM json_each(?1) AS key\n   CROSS JOIN scan_months")).toEqual([
    [OWNER, name(1), MONTH - 1],
  ]);
});

test("no query is made if no log is too long, and a failure is only logged", async () => {
  const { d1, asked } = noteStatements();
  // D1 rejects a batch without statements.
  const batch = vi.spyOn(d1, "batch");
  expect(await tryMoveLogs(d1, reportLogs())).toBe(0);
  expect(asked).toEqual([]);
  expect(batch).not.toHaveBeenCalled();
  const log = vi.spyOn(console, "error").mockReturnValue();
  const broken = { prepare: () => ({ bind: () => ({ all: () => Promise.reject(new Error("down")) }) }) };
  expect(await tryMoveLogs(broken as unknown as D1Database, reportLogs({ item: name(1), days: [0] }))).toBe(
    0,
  );
  expect(log).toHaveBeenCalledOnce();
});

test("a sweep runs at most 50 steps of 1,000 facts, and ends with a step that finds fewer", async () => {
  const countSteps = async (changes: number) => {
    const { d1, asked } = noteStatements(() => changes);
    await sweepScans(d1, Date.UTC(2026, 10, 22));
    return asked.filter(({ text }) => text.includes("DELETE FROM scan_facts")).length;
  };
  expect(await countSteps(1_000)).toBe(50);
  expect(await countSteps(999)).toBe(1);
});

test("a sweep starts with the day before the kept facts, and with the month before the kept days", async () => {
  const { d1, asked } = noteStatements();
  const nowMs = Date.UTC(2026, 10, 22, 12);
  await sweepScans(d1, nowMs);
  const [facts, months] = asked.slice(1);
  expect(facts?.text).toContain("WHERE day < ?1");
  expect(facts?.params).toEqual([Date.UTC(2026, 9, 19) / DAY_MS]);
  expect(months?.text).toContain("WHERE month < ?1");
  expect(months?.params).toEqual([2026 * 12 + 7]);
});

test("a sweep waits while a workspace arrives or leaves", async () => {
  const { d1, asked } = noteStatements();
  const prepare = (text: string) => ({ ...d1.prepare(text), first: async () => ({ 1: 1 }) });
  await sweepScans({ ...d1, prepare } as unknown as D1Database, Date.now());
  expect(asked.map(({ text }) => text.split(" WHERE")[0])).toEqual(["DELETE FROM scan_costs"]);
});
