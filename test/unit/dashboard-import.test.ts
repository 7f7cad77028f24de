import { describe, expect, test } from "vitest";
import type { ColumnMap } from "../../src/client/import/column-map.ts";
import { assignCodes } from "../../src/client/import/generated-codes.ts";
import type { ImportRow, InvalidRow } from "../../src/client/import/import-row.ts";
import { TargetError } from "../../src/client/import/import-target.ts";
import { planImport } from "../../src/client/import/plan-import.ts";
import type { ResultState, RowResult } from "../../src/client/import/run-import.ts";
import {
  findSample,
  isMainField,
  listUnusedColumns,
  mapField,
} from "../../src/dashboard/screens/import/column-choices.ts";
import { LineCounter } from "../../src/dashboard/screens/import/export-count.ts";
import { readChoices, readTab } from "../../src/dashboard/screens/import/import-address.ts";
import { addLabels } from "../../src/dashboard/screens/import/import-labels.ts";
import {
  createIndexFinder,
  learnCodes,
  mergeResult,
} from "../../src/dashboard/screens/import/import-results.ts";
import { listPlanWarnings } from "../../src/dashboard/screens/import/import-warnings.ts";
import {
  countStates,
  describeTotals,
  judgeLine,
  listFilters,
  pickLines,
} from "../../src/dashboard/screens/import/plan-lines.ts";
import { describeSummary } from "../../src/dashboard/screens/import/summary-texts.ts";
import { LABELS_MAX } from "../../src/links/link-limits.ts";

/** Pure functions of the import and export screen. */

function row(line: number, link: ImportRow["link"], notes: string[] = []): ImportRow {
  return { line, formerUrl: null, link, notes };
}

async function plan(rows: (ImportRow | InvalidRow)[], known: Parameters<typeof planImport>[1] = new Map()) {
  return planImport(await assignCodes(rows, async () => "seed"), known, "skip");
}

function result(line: number, state: ResultState, code: string | null = null): RowResult {
  const shortUrl = state === "created" ? `https://go.example.com/${code}` : null;
  const reason = state === "created" ? null : `it is ${state}`;
  return { line, formerUrl: null, code, state, shortUrl, keptUrl: shortUrl, reason, notes: [] };
}

const EXISTING = {
  id: "1",
  short_code: "b",
  short_url: "https://go.example.com/b",
  destination: "https://example.com/b",
  aliases: [],
};

/** Rows of every kind that can be planned without a service. */
const ROWS = [
  row(2, { url: "https://example.com/a", custom_slug: "a", title: "A" }, ["a note"]),
  row(3, { url: "https://example.com/b", custom_slug: "b" }),
  row(4, { url: "https://example.com/a", custom_slug: "a" }),
  row(5, { url: "https://example.com/c", custom_slug: "b" }),
  { line: 6, formerUrl: "https://go.old.example/x", problem: "has no address" },
];
const KNOWN = new Map([["b", [EXISTING]]]);

describe("the URL of the import", () => {
  test.each([
    ["", "import"],
    ["tab=export", "export"],
    ["tab=other", "import"],
  ])("%j shows the tab %s", (query, tab) => {
    expect(readTab(query)).toBe(tab);
  });

  test("default to the file's source, skipping conflicts, no labels and all rows", () => {
    const expected = { source: "auto", onConflict: "skip", labels: [], shown: "all" };
    expect(readChoices("")).toEqual(expected);
    expect(readChoices("source=x&conflict=x&show=x&labels=,%20,")).toEqual(expected);
  });

  test("choices are read, and labels are split, trimmed, deduplicated and limited", () => {
    expect(readChoices("source=bitly&conflict=suffix&show=conflict&labels=a,%20b,a")).toEqual({
      source: "bitly",
      onConflict: "suffix",
      labels: ["a", "b"],
      shown: "conflict",
    });
    const many = Array.from({ length: LABELS_MAX + 1 }, (_, index) => `l${index}`);
    expect(readChoices(`labels=${many.join()}`).labels).toEqual(many.slice(0, 10));
  });
});

describe("lines of a plan", () => {
  test("have the planned state, then the result's state, unless the import did not reach them", async () => {
    const [first] = (await plan(ROWS)).rows;
    if (first === undefined) throw new Error("no row");
    expect(judgeLine(first, undefined)).toBe("create");
    expect(judgeLine(first, result(2, "left"))).toBe("create");
    expect(judgeLine(first, result(2, "failed"))).toBe("failed");
  });

  test("are counted by state, and states with rows become filters", async () => {
    const { rows } = await plan(ROWS, KNOWN);
    const totals = countStates(rows, []);
    expect(totals).toEqual({
      create: 1,
      created: 0,
      exists: 1,
      duplicate: 1,
      conflict: 1,
      faulty: 1,
      failed: 0,
    });
    expect(listFilters(totals, "all").map(({ filter, count }) => `${filter} ${count}`)).toEqual([
      "all 5",
      "create 1",
      "exists 1",
      "duplicate 1",
      "conflict 1",
      "faulty 1",
    ]);
    // A filter in the URL stays when its last row changes.
    expect(listFilters(totals, "failed").at(-1)).toEqual({ filter: "failed", count: 0 });
    expect(describeTotals(totals)).toBe(
      "Plan: 1 to create, 1 already exists, 1 duplicate, 1 with a conflict, 1 invalid",
    );
    expect(describeTotals(countStates([], []))).toBe("The file has no rows");
  });

  test("are filtered up to a limit, with their messages", async () => {
    const { rows } = await plan(ROWS, KNOWN);
    expect(pickLines(rows, [], "all", 3).map(({ state }) => state)).toEqual(["conflict", "faulty", "create"]);
    expect(pickLines(rows, [], "all", 9)).toHaveLength(5);
    expect(pickLines(rows, [], "create", 9)).toEqual([
      {
        index: 0,
        line: 2,
        state: "create",
        code: "a",
        destination: "https://example.com/a",
        title: "A",
        formerUrl: null,
        shortUrl: null,
        reason: "",
        notes: ["a note"],
      },
    ]);
    expect(pickLines(rows, [], "exists", 9)[0]?.shortUrl).toBe(EXISTING.short_url);
    expect(pickLines(rows, [], "conflict", 9)[0]?.reason).toContain("is already used by line 3");
    expect(pickLines(rows, [], "faulty", 9)[0]).toMatchObject({
      line: 6,
      code: null,
      destination: null,
      formerUrl: "https://go.old.example/x",
      reason: "has no address",
    });
  });

  test("show the result instead of the plan, but not that the import ended before them", async () => {
    const { rows } = await plan(ROWS, KNOWN);
    expect(pickLines(rows, [result(2, "created", "a-2")], "created", 9)[0]).toMatchObject({
      code: "a-2",
      shortUrl: "https://go.example.com/a-2",
      reason: "",
    });
    expect(pickLines(rows, [result(2, "failed", "a")], "failed", 9)[0]?.reason).toBe("it is failed");
    const settled = rows.map(({ row }) => result(row.line, "created", "z"));
    expect(pickLines(rows, settled, "created", 9).map(({ reason }) => reason)).toEqual(["", "", "", "", ""]);
    expect(pickLines(rows, [result(2, "left", "a")], "create", 9)[0]?.reason).toBe("");
  });
});

describe("results of a resumed import", () => {
  test("find their row by line and old URL, each row once", async () => {
    const [a, b] = ["https://go.old.example/a", "https://go.old.example/b"];
    const rows = [a, b, b].map((formerUrl) => ({ line: 2, formerUrl, problem: "" }));
    const find = createIndexFinder((await plan(rows)).rows);
    const found = [b, a, b, b].map((formerUrl) => find({ line: 2, formerUrl: formerUrl ?? null }));
    expect(found).toEqual([1, 0, 2, undefined]);
  });

  test("a created link stays created", () => {
    const made = result(2, "created", "a");
    expect(mergeResult(made, result(2, "exists", "a"))).toBe(made);
    expect(mergeResult(result(2, "failed"), made)).toBe(made);
    expect(mergeResult(undefined, made)).toBe(made);
  });

  test("created links are remembered, so that resuming creates them only once", async () => {
    const before = await plan(ROWS, KNOWN);
    const known = learnCodes(before, [result(2, "created", "a")]);
    expect(known.get("a")).toMatchObject([{ short_code: "a", destination: "https://example.com/a" }]);
    expect(planImport(before.prepared, known, "skip").rows[0]?.state).toBe("exists");
    expect(learnCodes(before, [result(2, "failed", "a")]).has("a")).toBe(false);
    expect(learnCodes(before, [])).toEqual(KNOWN);
  });
});

describe("labels for all links", () => {
  test("are added to the row's labels without duplicates, and the codes stay", async () => {
    const rows = await assignCodes(
      [row(2, { url: "https://example.com", labels: ["a"] }), { line: 3, formerUrl: null, problem: "x" }],
      async () => "seed",
    );
    const [labelled, faulty] = addLabels(rows, ["a", "b"]);
    expect(labelled).toMatchObject({ link: { labels: ["a", "b"] }, notes: [] });
    expect(labelled).toMatchObject({ codes: (rows[0] as { codes?: string[] }).codes });
    expect(faulty).toBe(rows[1]);
    expect(addLabels(rows, [])).toBe(rows);
  });

  test("labels beyond the limit are reported", async () => {
    const own = Array.from({ length: LABELS_MAX - 1 }, (_, index) => `l${index}`);
    const rows = await assignCodes([row(2, { url: "https://example.com", labels: own })], async () => "seed");
    expect(addLabels(rows, ["a", "b"])[0]).toMatchObject({
      link: { labels: [...own, "a"] },
      notes: ["label limit reached, so this label was left out: b"],
    });
  });
});

describe("plan limits of an import", () => {
  const usage = (plan: "free" | "pro" | "business", created: number, limit: number) =>
    ({
      plan,
      limits: { links_per_month: limit },
      usage: { links_created_this_month: created },
    }) as Parameters<typeof listPlanWarnings>[0];
  const subjects = (...parameters: Parameters<typeof listPlanWarnings>) =>
    listPlanWarnings(...parameters).map(({ subject }) => subject);

  test("report nothing, or too few links this month", async () => {
    const { rows } = await plan(ROWS.slice(0, 1));
    expect(subjects(usage("business", 9, 10), rows)).toEqual([]);
    expect(listPlanWarnings(usage("business", 10, 10), rows)).toEqual([
      { subject: "month", text: expect.stringContaining("allows 0 more links this month") },
    ]);
    expect(listPlanWarnings(usage("business", 11, 10), rows)[0]?.text).toContain("allows 0 more");
  });

  test("do not suggest commands for many links, whatever is left this month", async () => {
    const { rows } = await plan(ROWS.slice(0, 1));
    expect(subjects(usage("free", 25, 25), rows)).toEqual(["bulk"]);
  });

  test("report rules and controls that the plan does not include", async () => {
    const rules = [{ when: { country: ["DE"] }, destination: "https://example.com/de" }];
    const split = [{ split: [{ destination: "https://example.com/b", percent: 50 }] }];
    const { rows } = await plan([
      row(2, { url: "https://example.com/1", routing_rules: rules as never }),
      row(3, { url: "https://example.com/2", routing_rules: split as never, password: null }),
      row(4, { url: "https://example.com/3", max_scans: 5 }),
    ]);
    expect(listPlanWarnings(usage("free", 0, 25), rows)).toMatchObject([
      { subject: "bulk" },
      { subject: "rules", text: expect.stringMatching(/^1 link will fail/) },
      { subject: "controls", text: expect.stringMatching(/^1 link will fail/) },
    ]);
    expect(subjects(usage("pro", 0, 25), rows)).toEqual(["rules"]);
    expect(subjects(usage("business", 0, 25), rows)).toEqual([]);
  });
});

describe("the text shown at the end of an import", () => {
  const totals = { create: 0, created: 0, exists: 0, duplicate: 0, conflict: 0, faulty: 0, failed: 0 };
  const refuse = (status: number, code: string, message: string) =>
    describeSummary(
      { ...totals, created: 2, create: 1 },
      { stop: { kind: "refused", error: new TargetError(status, code, message) } },
    );

  test.each([
    [{ created: 1 }, "1 link imported", "good"],
    [{ created: 1_200 }, "1,200 links imported", "good"],
    [{ exists: 4 }, "Nothing left to import", "good"],
    [{ created: 3, failed: 2 }, "3 links imported, 2 failed", "warn"],
  ] as const)("%j: %s", (counts, title, tone) => {
    expect(describeSummary({ ...totals, ...counts }, { stop: null })).toMatchObject({ title, tone });
  });

  test("stopped imports show how many rows are left, and that resuming creates nothing twice", () => {
    const words = describeSummary({ ...totals, created: 2, create: 3 }, { stop: { kind: "aborted" } });
    expect(words.title).toBe("Import stopped: 2 links imported");
    expect(words.text).toMatch(/^3 rows left\. .*No link is imported twice/);
    expect(describeSummary(totals, { stop: { kind: "conflicts" } }).title).toBe("Nothing was imported");
  });

  test.each([
    [0, "", "the service cannot be reached", /^You.re offline\./],
    [401, "UNAUTHORIZED", "no session", /^Your session has ended\. Sign in again in another tab/],
    [
      403,
      "PLAN_LIMIT_EXCEEDED",
      "the plan allows 25 links",
      /^The plan allows 25 links\. Import the same file again next month/,
    ],
    [403, "INSUFFICIENT_SCOPE", "You may not do that.", /^You may not do that\.$/],
  ])("a rejection with %i %s explains what to do", (status, code, message, text) => {
    expect(refuse(status, code, message)).toEqual({
      title: "Import stopped early: 2 links imported",
      text: expect.stringMatching(text),
      tone: "danger",
    });
  });
});

describe("columns of a file", () => {
  const map: ColumnMap = { url: "Address", title: "Name" };
  const columns = {
    header: ["Address", "Name", "", "Other"],
    samples: [
      ["", "x".repeat(61)],
      ["https://example.com", "second"],
    ],
    map,
  };

  test("show the first text as a sample, shortened if it is long", () => {
    expect(findSample(columns, "url")).toBe("https://example.com");
    expect(findSample(columns, "title")).toBe(`${"x".repeat(59)}…`);
    expect(findSample(columns, "labels")).toBeUndefined();
    const exact = { ...columns, samples: [["x".repeat(60)]] };
    expect(findSample(exact, "url")).toBe("x".repeat(60));
  });

  test("contain each field once: the last choice is used", () => {
    expect(mapField(map, "note", "Name")).toEqual({ url: "Address", note: "Name" });
    expect(mapField(map, "title", "Other")).toEqual({ url: "Address", title: "Other" });
    expect(mapField(map, "title", "")).toEqual({ url: "Address" });
  });

  test("unused columns are named", () => {
    expect(listUnusedColumns(columns)).toEqual(["Other"]);
  });

  test("the URL is always offered, rare fields only if the file has them", () => {
    expect(isMainField("url")).toBe(true);
    expect(isMainField("android_url")).toBe(false);
  });
});

describe("lines of an export that arrives in chunks", () => {
  test.each([
    [["a,b\r\n", "1,2\r\n"], 2],
    [["a\r", "\nb"], 1],
    [["a\nb\n"], 2],
    [['"one\ntwo",', 'x\r\n"th', 'ree\r\n"\r\n'], 2],
    [['"a ""quoted""\n"\r\n'], 1],
    [[], 0],
  ])("%j has %i", (parts, count) => {
    const lines = new LineCounter();
    for (const part of parts) lines.add(new TextEncoder().encode(part));
    expect(lines.count).toBe(count);
  });
});
