import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutBatches } from "../../src/client/import/cut-batches.ts";
import { getOldCode } from "../../src/client/import/fit-code.ts";
import { assignCodes, type CodedRow } from "../../src/client/import/generated-codes.ts";
import type { OnConflict } from "../../src/client/import/plan-import.ts";
import { prepareImport } from "../../src/client/import/prepare-import.ts";
import { formatVerdict, judgeCodes } from "../../src/client/import/printed-codes.ts";
import { runImport } from "../../src/client/import/run-import.ts";
import { CODE_ALPHABET } from "../../src/routing/short-code.ts";
import { buildImportFile, buildImportRow, openFakeTarget } from "../support/import-target.ts";

const A = "https://a.example/";
const B = "https://b.example/";

/** Plans a file for a workspace. Returns each row's state, code, and reason or notes. */
async function plan(
  rows: Parameters<typeof buildImportFile>[0],
  onConflict: OnConflict = "skip",
  links: Record<string, string> = {},
) {
  const { rows: planned, counts } = await prepareImport(openFakeTarget(links), buildImportFile(rows), {
    onConflict,
  });
  const shown = planned.map((row) => [
    row.state,
    "code" in row ? row.code : null,
    "reason" in row ? row.reason : "notes" in row ? row.notes.join("; ") : "",
  ]);
  return { shown, counts };
}

describe("a row", () => {
  test("with a free code is created with it", async () => {
    const { shown, counts } = await plan([buildImportRow(2, A, "Promo")]);
    expect(shown).toEqual([["create", "Promo", ""]]);
    expect(counts).toEqual({ create: 1, exists: 0, duplicate: 0, conflict: 0, faulty: 0 });
  });

  test.each([A, "https://a.example", "HTTPS://A.example/"])(
    "whose link exists (%s) needs no change",
    async (destination) => {
      expect((await plan([buildImportRow(2, destination, "promo")], "skip", { Promo: A })).shown).toEqual([
        ["exists", "promo", ""],
      ]);
    },
  );

  test("that repeats an earlier row in any case is a duplicate", async () => {
    const rows = [
      buildImportRow(2, A, "promo"),
      buildImportRow(3, A, "PROMO"),
      buildImportRow(4, A, "promo"),
    ];
    expect((await plan(rows)).shown).toEqual([
      ["create", "promo", ""],
      ["duplicate", "PROMO", "same link as line 2"],
      ["duplicate", "promo", "same link as line 2"],
    ]);
  });

  test("with the code of an earlier row and another destination is a conflict", async () => {
    expect((await plan([buildImportRow(2, A, "a_b"), buildImportRow(3, B, "a_b")])).shown).toEqual([
      ["create", "a_b", ""],
      ["conflict", "a_b", "a_b is already used by line 2 with a different destination"],
    ]);
  });

  test("whose code has another destination is a conflict or gets a suffix", async () => {
    const rows = [buildImportRow(2, A, "promo"), buildImportRow(3, B, "promo")];
    const links = { promo: "https://c.example/", "promo-2": "https://d.example/" };
    for (const way of ["skip", "fail"] as const) {
      const { shown } = await plan(rows, way, links);
      expect(shown[0]).toEqual([
        "conflict",
        "promo",
        "promo already redirects to https://c.example/ in this workspace",
      ]);
      expect(shown[1]?.[0]).toBe("conflict");
    }
    expect((await plan(rows, "suffix", links)).shown).toEqual([
      [
        "create",
        "promo-3",
        "promo already redirects to https://c.example/ in this workspace, so the short code is promo-3",
      ],
      [
        "create",
        "promo-4",
        "promo already redirects to https://c.example/ in this workspace, so the short code is promo-4",
      ],
    ]);
  });

  test("that got a suffix earlier already exists, and a suffix uses no code of another row", async () => {
    const rows = [
      buildImportRow(2, A, "promo"),
      buildImportRow(3, B, "promo"),
      buildImportRow(4, A, "promo-2"),
    ];
    const first = (await plan(rows, "suffix")).shown.map(([state, code]) => [state, code]);
    expect(first).toEqual([
      ["create", "promo"],
      ["create", "promo-3"],
      ["create", "promo-2"],
    ]);
    const links = { promo: A, "promo-3": B, "promo-2": A };
    expect((await plan(rows, "suffix", links)).counts).toMatchObject({ exists: 3, create: 0 });
  });

  test("with a code of 64 characters keeps its length with a suffix", async () => {
    const code = "a".repeat(64);
    expect((await plan([buildImportRow(2, A, code)], "suffix", { [code]: B })).shown[0]?.[1]).toBe(
      `${"a".repeat(62)}-2`,
    );
  });

  test("is a conflict after 98 suffixes", async () => {
    const links = Object.fromEntries([
      ["promo", B],
      ...Array.from({ length: 98 }, (_, index) => [`promo-${index + 2}`, B]),
    ]);
    expect((await plan([buildImportRow(2, A, "promo")], "suffix", links)).shown[0]?.[0]).toBe("conflict");
    delete links["promo-99"];
    expect((await plan([buildImportRow(2, A, "promo")], "suffix", links)).shown[0]?.[1]).toBe("promo-99");
  });

  test("that is invalid has its error", async () => {
    expect((await plan([{ line: 7, formerUrl: null, problem: "has no URL" }])).shown).toEqual([
      ["faulty", null, "has no URL"],
    ]);
  });
});

describe("a generated code", () => {
  const read = async () => "workspace";

  test("is the same in each run, and differs between rows and workspaces", async () => {
    const rows = [
      buildImportRow(2, A),
      buildImportRow(3, A),
      buildImportRow(4, A, undefined, { title: "x" }),
    ];
    const codes = async (seed: string) =>
      (await assignCodes(rows, async () => seed)).map((row) => "codes" in row && row.codes);
    const [first] = [await codes("one")];
    expect(await codes("one")).toEqual(first);
    const all = [...first, ...(await codes("two"))].flat();
    expect(new Set(all).size).toBe(18);
    for (const code of all) expect(code).toMatch(new RegExp(`^[${CODE_ALPHABET}]{7}$`));
  });

  test("does not depend on the expiry, which can be the time of the run", async () => {
    const [one] = await assignCodes(
      [buildImportRow(2, A, undefined, { expires_at: "2026-01-01T00:00:00Z" })],
      read,
    );
    const [other] = await assignCodes([buildImportRow(9, A)], read);
    expect(one).toHaveProperty("codes", (other as CodedRow).codes);
  });

  test("with another destination is replaced by the next one, whatever the conflict setting", async () => {
    const [row] = await assignCodes([buildImportRow(2, A)], async () => openFakeTarget().readWorkspaceId());
    const codes = row !== undefined && "codes" in row ? row.codes : [];
    const { shown } = await plan([buildImportRow(2, A)], "fail", { [codes[0] ?? ""]: B });
    expect(shown).toEqual([["create", codes[1], ""]]);
    const repeated = await plan([buildImportRow(2, A)], "fail", { [codes[0] ?? ""]: B, [codes[1] ?? ""]: A });
    expect(repeated.shown).toEqual([["exists", codes[1], ""]]);
    const taken = Object.fromEntries(codes.map((code) => [code, B]));
    expect((await plan([buildImportRow(2, A)], "suffix", taken)).shown[0]?.slice(0, 2)).toEqual([
      "conflict",
      codes[0],
    ]);
  });

  test("only reads the workspace if a row needs one", async () => {
    const seed = () => Promise.reject(new Error("no scope"));
    await expect(assignCodes([buildImportRow(2, A, "promo")], seed)).resolves.toHaveLength(1);
    await expect(assignCodes([buildImportRow(2, A)], seed)).rejects.toThrow("no scope");
  });
});

describe("printed codes", () => {
  test("that are short or have other characters become aliases", async () => {
    const rows = ["x", "a_b", "menu.html", "summer/menu", "日本"].map((code, index) =>
      buildImportRow(index + 2, A, code),
    );
    const { rows: planned } = await prepareImport(openFakeTarget(), buildImportFile(rows), {
      onConflict: "skip",
    });
    expect(planned.map((row) => row.state === "create" && row.link)).toEqual(
      ["x", "a_b", "menu.html", "summer/menu", "日本"].map((code) => ({ url: A, aliases: [code] })),
    );
  });

  test("that are paths of the API are lost if the workspace's domain also serves the API", async () => {
    const codes = ["docs", "v1/promo", "promo"];
    const judge = async (isOnApiHost: boolean, onConflict: OnConflict) => {
      const target = Object.assign(openFakeTarget(), { isOnApiHost });
      const rows = codes.map((code, index) => buildImportRow(index + 2, A, code));
      return judgeCodes((await prepareImport(target, buildImportFile(rows), { onConflict })).rows);
    };
    expect(await judge(false, "skip")).toEqual({ total: 3, lost: [] });
    for (const onConflict of ["skip", "suffix", "fail"] as const) {
      const reason = "is a path of the API on your domain";
      expect(await judge(true, onConflict)).toEqual({
        total: 3,
        lost: [
          { line: 2, reason: `the short code "docs" ${reason}` },
          { line: 3, reason: `the short code "v1/promo" ${reason}` },
        ],
      });
    }
  });

  test("that differ only in case all become aliases if their destinations differ", async () => {
    const rows = [buildImportRow(2, A, "Ab1"), buildImportRow(3, B, "aB1"), buildImportRow(4, A, "other")];
    const { rows: planned } = await prepareImport(openFakeTarget(), buildImportFile(rows), {
      onConflict: "skip",
    });
    expect(planned.map((row) => row.state === "create" && row.link)).toEqual([
      { url: A, aliases: ["Ab1"] },
      { url: B, aliases: ["aB1"] },
      { url: A, custom_slug: "other" },
    ]);
  });

  test("that differ only in case from a short code of the workspace become aliases, unless the short code owns them", async () => {
    const links = { "Ab-c": B };
    const shown = async (code: string) => (await plan([buildImportRow(2, A, code)], "skip", links)).shown[0];
    expect(await shown("aB-c")).toEqual([
      "create",
      "aB-c",
      `Ab-c (aB-c in a different case) already redirects to ${B} in this workspace, so it is an alias, which matches exactly`,
    ]);
    for (const owned of ["Ab-c", "ab-c", "AB-C"]) expect((await shown(owned))?.[0]).toBe("conflict");
  });

  test.each([
    [[], null],
    [[buildImportRow(2, A)], null],
    [[buildImportRow(2, A, "one")], "The printed code will keep working"],
    [[buildImportRow(2, A, "one"), buildImportRow(3, A, "one")], "All 2 printed codes will keep working"],
    [[buildImportRow(2, B, "abc")], "The printed code would stop working"],
    [
      [buildImportRow(2, A, "abc"), buildImportRow(3, B, "abc"), buildImportRow(4, B)],
      "1 of 2 printed codes would stop working",
    ],
    [
      [
        buildImportRow(2, A, "one"),
        { line: 3, formerUrl: null, code: "two", problem: "has no destination" },
        { line: 4, formerUrl: null, code: null, problem: "is deleted there" },
        { line: 5, formerUrl: null, problem: "has 3 cells" },
      ],
      "2 of 3 printed codes would stop working",
    ],
  ])("of %o are judged: %s", async (rows, verdict) => {
    const planned = await prepareImport(openFakeTarget({ abc: A }), buildImportFile(rows), {
      onConflict: "skip",
    });
    expect(formatVerdict(judgeCodes(planned.rows))).toBe(verdict);
  });
});

const row = fc.record({
  code: fc.option(fc.constantFrom("abc", "ABC", "Abc", "abc-2", "xyz", "Xyz", "a_b", "A_b"), {
    nil: undefined,
  }),
  url: fc.constantFrom(A, B),
});
/** Links of the workspace. A code with an underscore is the alias of a link. */
const workspaceLinks = fc.dictionary(
  fc.constantFrom("abc", "a_b", "A_B", "abc-2", "abc-3", "xyz"),
  fc.constantFrom(A, B),
);

test("each row has one state, and its code leads to its destination unless the verdict says otherwise", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 12 }),
      workspaceLinks,
      fc.constantFrom<OnConflict>("skip", "suffix", "fail"),
      async (items, links, onConflict) => {
        const rows = items.map(({ code, url }, index) => buildImportRow(index + 2, url, code));
        const planned = await prepareImport(openFakeTarget(links), buildImportFile(rows), { onConflict });
        expect(planned.rows.map((each) => each.row.line)).toEqual(rows.map(({ line }) => line));
        const counted = Object.values(planned.counts).reduce((sum, count) => sum + count, 0);
        expect(counted).toBe(rows.length);
        const made = planned.rows.flatMap((each) => (each.state === "create" ? [each.code] : []));
        expect(new Set(made).size).toBe(made.length);
        expect(made.filter((code) => code in links)).toEqual([]);
        const target = openFakeTarget(links);
        await runImport(target, await prepareImport(target, buildImportFile(rows), { onConflict }));
        const lost = new Set(judgeCodes(planned.rows).lost.map(({ line }) => line));
        const isStopped = onConflict === "fail" && planned.counts.conflict > 0;
        for (const { line, link } of isStopped ? [] : rows) {
          const code = getOldCode(link);
          if (code !== null) expect(target.visit(code) === link.url).toBe(!lost.has(line));
        }
        for (const [code, destination] of Object.entries(links)) expect(target.visit(code)).toBe(destination);
      },
    ),
    { numRuns: 300 },
  );
});

test("looking up 250 codes takes three calls and reports progress", async () => {
  const target = openFakeTarget();
  const rows = Array.from({ length: 250 }, (_, index) => buildImportRow(index + 2, A, `code-${index}`));
  const told: number[] = [];
  await prepareImport(target, buildImportFile(rows), {
    onConflict: "skip",
    onProgress: ({ done }) => told.push(done),
  });
  expect(target.calls).toBe(3);
  expect(told.at(-1)).toBe(250);
  const gone = AbortSignal.abort(new Error("enough"));
  await expect(
    prepareImport(target, buildImportFile(rows), { onConflict: "skip", signal: gone }),
  ).rejects.toThrow("enough");
});

test("long codes are looked up in several calls", async () => {
  const target = openFakeTarget();
  const rows = Array.from({ length: 20 }, (_, index) =>
    buildImportRow(index + 2, A, `${"ü".repeat(200)}${index}`),
  );
  await prepareImport(target, buildImportFile(rows), { onConflict: "skip" });
  // Each code takes 1,204 of 8,000 bytes.
  expect(target.calls).toBe(4);
});

test("batches have at most 100 links and 900,000 bytes", () => {
  const rows = (count: number, url: string) => Array.from({ length: count }, () => ({ link: { url } }));
  const sizes = (items: { link: { url: string } }[]) => [...cutBatches(items)].map(({ length }) => length);
  expect(sizes(rows(201, A))).toEqual([100, 100, 1]);
  expect(sizes(rows(100, A))).toEqual([100]);
  expect(sizes([])).toEqual([]);
  // Each item has 10 bytes of JSON, 2 quotes and a comma besides its URL: 300,000 bytes.
  const long = `x${"ü".repeat((300_000 - 12) / 2)}`;
  expect(sizes(rows(4, `${long}`))).toEqual([3, 1]);
  expect(sizes(rows(2, "x".repeat(1_000_000)))).toEqual([1, 1]);
});
