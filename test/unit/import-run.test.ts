import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatReport, getReportParts } from "../../src/client/import/import-report.ts";
import type { ImportFile } from "../../src/client/import/import-row.ts";
import { TargetError } from "../../src/client/import/import-target.ts";
import type { OnConflict } from "../../src/client/import/plan-import.ts";
import { prepareImport } from "../../src/client/import/prepare-import.ts";
import { type RowResult, type RunOptions, runImport } from "../../src/client/import/run-import.ts";
import {
  buildImportFile,
  buildImportRow,
  type FakeTarget,
  Killed,
  openFakeTarget,
} from "../support/import-target.ts";

const A = "https://a.example/";
const B = "https://b.example/";

async function importFile(
  target: FakeTarget,
  file: ImportFile,
  { onConflict = "skip", ...options }: RunOptions & { onConflict?: OnConflict } = {},
) {
  const results: RowResult[] = [];
  const plan = await prepareImport(target, file, { onConflict });
  const summary = await runImport(target, plan, { ...options, onResult: (result) => results.push(result) });
  return { plan, summary, results: results.toSorted((one, other) => one.line - other.line) };
}

const manyRows = (count: number) =>
  buildImportFile(
    Array.from({ length: count }, (_, index) => buildImportRow(index + 2, `${A}${index}`, `code-${index}`)),
  );

test("every row has one result, as formatted in the report", async () => {
  const target = openFakeTarget({ there: A, taken: B });
  target.faults.set("https://own.example/", "validation_error");
  const file = buildImportFile([
    { ...buildImportRow(2, A, "new"), notes: ["the tag list was cut"] },
    buildImportRow(3, A, "there"),
    buildImportRow(4, A, "NEW"),
    buildImportRow(5, A, "taken"),
    { line: 6, formerUrl: null, problem: "has no URL" },
    buildImportRow(7, "https://own.example/", "own"),
  ]);
  const { summary, results } = await importFile(target, file);
  expect(
    results.map(({ line, state, code, shortUrl, reason }) => [line, state, code, shortUrl, reason]),
  ).toEqual([
    [2, "created", "new", "https://go.example/new", null],
    [3, "exists", "there", "https://go.example/there", null],
    [4, "duplicate", "NEW", null, "same link as line 2"],
    [5, "conflict", "taken", null, `taken already redirects to ${B} in this workspace`],
    [6, "faulty", null, null, "has no URL"],
    [7, "failed", "own", null, "custom_slug: validation_error"],
  ]);
  expect(results[0]).toMatchObject({ formerUrl: "https://old.example/new", notes: ["the tag list was cut"] });
  expect(summary).toEqual({
    counts: { created: 1, exists: 1, duplicate: 1, conflict: 1, faulty: 1, failed: 1, left: 0 },
    stop: null,
  });
});

test("links are created in batches of 100, and progress ends with all rows", async () => {
  const target = openFakeTarget();
  const told: number[] = [];
  const { summary } = await importFile(target, manyRows(250), { onProgress: ({ done }) => told.push(done) });
  expect(summary.counts.created).toBe(250);
  // Three look-ups, then three creations.
  expect(target.calls).toBe(6);
  expect(told.at(-1)).toBe(250);
});

test("three calls run in parallel, for look-ups and creations", async () => {
  const target = openFakeTarget();
  const { findCodes, createLinks } = target;
  const most = { finding: 0, creating: 0 };
  const countCalls = <Given, Found>(name: keyof typeof most, call: (given: Given) => Promise<Found>) => {
    let underWay = 0;
    return async (given: Given) => {
      most[name] = Math.max(most[name], ++underWay);
      const found = await call(given);
      underWay--;
      return found;
    };
  };
  target.findCodes = countCalls("finding", findCodes);
  target.createLinks = countCalls("creating", createLinks);
  await importFile(target, manyRows(1_000));
  expect(most).toEqual({ finding: 3, creating: 3 });
});

describe("an import ends", () => {
  test("when the plan has no links left, and continues when it is repeated", async () => {
    const target = openFakeTarget();
    target.linksLeft = 120;
    const first = await importFile(target, manyRows(500));
    expect(first.summary.counts).toMatchObject({ created: 120, failed: 0, left: 380 });
    expect(first.summary.stop).toMatchObject({ kind: "refused", error: { code: "PLAN_LIMIT_EXCEEDED" } });
    target.linksLeft = 1_000;
    const second = await importFile(target, manyRows(500));
    expect(second.summary).toMatchObject({ counts: { created: 380, exists: 120, left: 0 }, stop: null });
  });

  test.each([
    [403, "FEATURE_NOT_AVAILABLE"],
    [429, "RATE_LIMITED"],
    [0, ""],
    [503, "WORKSPACE_MOVING"],
  ])("at a call that is rejected with %d", async (status, code) => {
    const target = openFakeTarget();
    target.before = (call) => {
      if (call >= 5) throw new TargetError(status, code, "no");
    };
    const { summary, results } = await importFile(target, manyRows(300));
    expect(summary.counts).toMatchObject({ created: 200, left: 100 });
    expect(summary.stop).toMatchObject({ kind: "refused", error: { status, code } });
    expect(results).toHaveLength(300);
    expect(results.filter(({ state }) => state === "left")[0]?.reason).toBe(
      "not attempted: the import stopped first",
    );
  });

  test("at a signal, after the running calls", async () => {
    const target = openFakeTarget();
    const abort = new AbortController();
    target.after = (call) => {
      if (call === 10) abort.abort();
    };
    const { summary } = await importFile(target, manyRows(1_000), { signal: abort.signal });
    expect(summary.stop).toEqual({ kind: "aborted" });
    expect(summary.counts.created + summary.counts.left).toBe(1_000);
    expect(summary.counts.created).toBe(Object.keys(target.list()).length);
    expect(summary.counts.left).toBeGreaterThan(500);
  });

  test("before it starts if it should fail on conflicts", async () => {
    const target = openFakeTarget({ taken: B });
    const file = buildImportFile([buildImportRow(2, A, "new"), buildImportRow(3, A, "taken")]);
    const { summary } = await importFile(target, file, { onConflict: "fail" });
    expect(summary).toMatchObject({
      stop: { kind: "conflicts" },
      counts: { created: 0, conflict: 1, left: 1 },
    });
    expect(target.list()).toEqual({ taken: B });
  });
});

describe("a code that is taken between plan and import", () => {
  async function importAfter(change: Record<string, string>, onConflict: OnConflict) {
    const target = openFakeTarget();
    const file = buildImportFile([buildImportRow(2, A, "promo"), buildImportRow(3, B, "other")]);
    const plan = await prepareImport(target, file, { onConflict });
    const items = Object.entries(change).map(([custom_slug, url]) => ({ url, custom_slug }));
    await target.createLinks(items);
    const results: RowResult[] = [];
    await runImport(target, plan, { onResult: (result) => results.push(result) });
    return results.toSorted((one, other) => one.line - other.line).map(({ state, code }) => [state, code]);
  }

  test("by the same link is the row's link", async () => {
    expect(await importAfter({ promo: A }, "skip")).toEqual([
      ["exists", "promo"],
      ["created", "other"],
    ]);
  });

  test("by another link is a conflict or gets a suffix", async () => {
    expect((await importAfter({ promo: B }, "skip"))[0]).toEqual(["conflict", "promo"]);
    expect((await importAfter({ promo: B }, "fail"))[0]).toEqual(["conflict", "promo"]);
    expect((await importAfter({ promo: B, "promo-2": B }, "suffix"))[0]).toEqual(["created", "promo-3"]);
  });

  test("repeatedly fails at the fifth time", async () => {
    const target = openFakeTarget();
    let tries = 0;
    const never = {
      ...target,
      createLinks: async () => {
        tries++;
        return { created: [], errors: [{ index: 0, error: "conflict" as const, message: "no" }] };
      },
    };
    const plan = await prepareImport(never, buildImportFile([buildImportRow(2, A, "promo")]), {
      onConflict: "skip",
    });
    const { counts } = await runImport(never, plan);
    expect(counts).toMatchObject({ conflict: 1, created: 0 });
    expect(tries).toBe(5);
  });
});

test("a code whose lower or upper case is an alias of another link becomes an alias", async () => {
  for (const alias of ["promo", "PROMO"]) {
    const target = openFakeTarget();
    await target.createLinks([{ url: B, aliases: [alias] }]);
    const { results } = await importFile(target, buildImportFile([buildImportRow(2, A, "Promo")]));
    expect(results).toMatchObject([{ state: "created", keptUrl: "https://go.example/Promo" }]);
    expect([target.visit("Promo"), target.visit(alias)]).toEqual([A, B]);
  }
});

test("unexpected errors are thrown", async () => {
  const target = openFakeTarget();
  target.before = (call) => {
    if (call === 1) throw new Killed();
  };
  await expect(importFile(target, manyRows(2))).rejects.toBeInstanceOf(Killed);
});

test("a row that makes its call fail only fails itself", async () => {
  const target = openFakeTarget();
  const file = manyRows(100);
  const rows = file.rows.map((row, index) =>
    index === 41 && "link" in row ? { ...row, link: { ...row.link, title: "broken" } } : row,
  );
  const { summary, results } = await importFile(target, buildImportFile(rows));
  expect(summary).toMatchObject({ counts: { created: 99, failed: 1 }, stop: null });
  expect(results[41]).toMatchObject({ state: "failed", reason: "broken JSON" });
});

const items = fc.array(
  fc.record({
    code: fc.option(
      fc.constantFrom("abc", "ABC", "Abc", "abc-2", "xyz", "Xyz", "one", "two", "a_b", "a_b-2"),
      { nil: undefined },
    ),
    url: fc.constantFrom(A, B),
  }),
  { maxLength: 16 },
);
const links = fc.dictionary(fc.constantFrom("abc", "abc-2", "xyz"), fc.constantFrom(A, "https://c.example/"));
/** Number of the call at which a run is killed, and whether the call was executed. */
const kills = fc.array(fc.record({ call: fc.nat(10), isDone: fc.boolean() }), { maxLength: 4 });

test("killing a run anywhere and repeating it gives the same result as one run, and further runs do nothing", async () => {
  await fc.assert(
    fc.asyncProperty(
      items,
      links,
      kills,
      fc.constantFrom<OnConflict>("skip", "suffix"),
      async (rows, held, ends, onConflict) => {
        const file = buildImportFile(
          rows.map(({ code, url }, index) => buildImportRow(index + 2, url, code)),
        );
        const whole = openFakeTarget(held);
        await importFile(whole, file, { onConflict, batchItems: 2 });
        const killed = openFakeTarget(held);
        for (const { call, isDone } of ends) {
          killed.calls = 0;
          const end = (number: number, isAfter: boolean) => {
            // A dead process makes no calls.
            if (number > call || (number === call && isDone === isAfter)) throw new Killed();
          };
          killed.before = (number) => end(number, false);
          killed.after = (number) => end(number, true);
          await importFile(killed, file, { onConflict, batchItems: 2 }).catch((error) => {
            if (!(error instanceof Killed)) throw error;
          });
          await new Promise((resolve) => setImmediate(resolve));
        }
        Object.assign(killed, { before: () => {}, after: () => {} });
        await importFile(killed, file, { onConflict, batchItems: 2 });
        expect(killed.list()).toEqual(whole.list());
        const { summary } = await importFile(killed, file, { onConflict, batchItems: 2 });
        expect(summary.counts.created).toBe(0);
        expect(killed.list()).toEqual(whole.list());
      },
    ),
    { numRuns: 200 },
  );
});

describe("the report", () => {
  const results: RowResult[] = [
    {
      line: 2,
      formerUrl: "https://old.example/a",
      code: "a",
      state: "created",
      shortUrl: "https://go.example/a",
      keptUrl: "https://go.example/a",
      reason: null,
      notes: ["one", "two"],
    },
    {
      line: 3,
      formerUrl: null,
      code: null,
      state: "faulty",
      shortUrl: null,
      keptUrl: null,
      reason: '=1+1 is "no" URL',
      notes: [],
    },
  ];

  test("is quoted as CSV, with formula guards", () => {
    expect(formatReport(results, "csv")).toBe(
      "line,former_url,code,state,short_url,kept_url,reason,notes\r\n" +
        "2,https://old.example/a,a,created,https://go.example/a,https://go.example/a,,one; two\r\n" +
        `3,,,faulty,,,"'=1+1 is ""no"" URL",\r\n`,
    );
  });

  test("is complete JSON after each row", () => {
    const { start, formatRows, end } = getReportParts("json");
    expect(JSON.parse(start + end)).toEqual([]);
    const one = start + formatRows(results.slice(0, 1), true);
    expect(JSON.parse(one + end)).toMatchObject([
      { line: 2, former_url: "https://old.example/a", notes: ["one", "two"] },
    ]);
    expect(one + formatRows(results.slice(1), false) + end).toBe(formatReport(results, "json"));
    expect(JSON.parse(formatReport(results, "json"))).toHaveLength(2);
  });
});
