import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addCounts,
  addFact,
  type Counts,
  formatCounts,
  OTHER,
  parseCounts,
  parseRepeats,
  parseValueCounts,
  QUARTERS,
} from "../../src/analytics/day-counts.ts";
import { formatDayKey, parseDayKey } from "../../src/analytics/day-totals.ts";
import { formatFact, formatValues, parseFacts } from "../../src/analytics/fact-log.ts";
import { packText, unpackText } from "../../src/analytics/packed-text.ts";
import { FACT_DIMENSIONS, type Fact, toHexId, toUuid } from "../../src/analytics/series.ts";
import { formatBatches } from "../../src/db/json-batches.ts";
import { DIMENSIONS } from "../../src/scans/dimensions.ts";

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("", "|", "\\", "\n", "\\p|\\n", "-", "__proto__"),
);
const values = fc.array(text, { minLength: FACT_DIMENSIONS.length, maxLength: FACT_DIMENSIONS.length });

/** Returns values without the empty ones at the end. */
const trimEnd = (all: readonly string[]) => all.slice(0, all.findLastIndex((value) => value !== "") + 1);

describe("facts as text", () => {
  test("are read as they were written, whatever the values", () => {
    const fact = fc.record({ quarter: fc.nat(), count: fc.integer({ min: 1, max: 1e6 }), values });
    fc.assert(
      fc.property(fc.array(fact), (facts) => {
        // A region that begins with a hyphen belongs to the country before it, as real regions do.
        const real = facts.map((one) => ({
          ...one,
          values: one.values.map((value, index) => (index === 2 ? `${one.values[1]}-${value}` : value)),
        }));
        const log = real.map((one) => formatFact(one.quarter, formatValues(one.values), one.count)).join("");
        expect(parseFacts(log).map((one) => ({ ...one, values: trimEnd(one.values) }))).toEqual(
          real.map((one) => ({ ...one, values: trimEnd(one.values) })),
        );
      }),
    );
  });

  test("are short", () => {
    const fact = ["", "CA", "CA-QC", "mobile", "ios", "safari", "news.example", "fr-CA", "", ""];
    expect(formatFact(1_994_000, formatValues(fact), 1)).toBe(
      "16qkw||" + "|CA|-QC|mobile|ios|safari|news.example|fr-CA\n",
    );
    expect(formatFact(1_994_000, formatValues([]), 40)).toBe("16qkw|14|\n");
    const source = FACT_DIMENSIONS.map((name) => (name === "source" ? "qr" : ""));
    expect(formatFact(1_994_000, formatValues(source), 1)).toBe("16qkw||||||||||||qr\n");
  });
});

const buildFact = (
  quarter: number,
  fields: Partial<Record<(typeof FACT_DIMENSIONS)[number], string>>,
): Fact => ({
  quarter,
  count: 1,
  values: FACT_DIMENSIONS.map((dimension) => fields[dimension] ?? ""),
});

describe("counts of a day", () => {
  test("are stored by quarter, value and class, and are read as they were written", () => {
    const counts: Counts = new Map();
    addFact(counts, buildFact(96 * 100 + 5, { country: "DE", traffic: "" }));
    addFact(counts, buildFact(96 * 100 + 5, { country: "DE", traffic: "bot" }));
    addFact(counts, buildFact(96 * 100 + 95, { country: "__proto__", link: "https://example.com/" }));
    expect(counts.get(QUARTERS)).toEqual(
      new Map([
        ["5", [1, 1, 0, 0, 0]],
        ["95", [1, 0, 0, 0, 0]],
      ]),
    );
    expect(counts.get(DIMENSIONS.country)).toEqual(
      new Map([
        ["DE", [1, 1, 0, 0, 0]],
        ["__proto__", [1, 0, 0, 0, 0]],
      ]),
    );
    expect(counts.get(DIMENSIONS.link)).toEqual(new Map([["https://example.com/", [1, 0, 0, 0, 0]]]));
    expect(counts.has(DIMENSIONS.traffic)).toBe(false);
    expect(parseCounts(formatCounts(counts))).toEqual(counts);
    // Stored rows have this format, so the quarters must keep their numbers.
    expect(JSON.parse(formatCounts(counts))["0"]).toEqual(["5", [1, 1], "95", 1]);
    expect(parseValueCounts(formatCounts(counts), DIMENSIONS.country)).toEqual(
      counts.get(DIMENSIONS.country),
    );
    expect(parseValueCounts('{"2":["DE",[1,1,0,0]]}', 2)).toEqual(new Map([["DE", [1, 1, 0, 0, 0]]]));
    expect(parseValueCounts("{}", DIMENSIONS.country)).toEqual(new Map());
  });

  test("store repeats by the position of their value, and are read like rows that name the values", () => {
    const counted = ["IT", 4, "DE", 3, "FR", [1, 2], "US", 1];
    const older = JSON.stringify({ 2: counted, 102: ["FR", 1, "other", 2] });
    const newer = JSON.stringify({ 2: counted, 102: [0, 0, 1, "other", 2] });
    expect(formatCounts(parseCounts(older))).toBe(newer);
    for (const stored of [older, newer])
      expect(parseRepeats(stored, 2)).toEqual(new Map(Object.entries({ FR: 1, other: 2 })));
    expect(parseRepeats(JSON.stringify({ 2: counted, 102: [0, -1] }), 2)).toEqual(new Map([["DE", -1]]));
  });

  test("leave out missing sources and UTM values, which follow from the total, also of rows stored before", () => {
    const counts = parseCounts(JSON.stringify({ [DIMENSIONS.country]: ["DE", 3, "", [1, 2, 0, 0]] }));
    const read = () => parseValueCounts(formatCounts(counts), DIMENSIONS.source);
    expect(read()).toEqual(new Map([["", [4, 2, 0, 0, 0]]]));
    addFact(counts, buildFact(0, { country: "DE", source: "qr" }));
    addFact(counts, buildFact(0, { country: "DE" }));
    expect(counts.get(DIMENSIONS.source)).toEqual(new Map([["qr", [1, 0, 0, 0, 0]]]));
    expect(read()).toEqual(
      new Map([
        ["qr", [1, 0, 0, 0, 0]],
        ["", [5, 2, 0, 0, 0]],
      ]),
    );
    expect(counts.has(DIMENSIONS.utm_source)).toBe(false);
    expect(parseValueCounts(formatCounts(new Map()), DIMENSIONS.source)).toEqual(new Map());
  });

  test("have at most 200 values of a dimension, the first ones, and `other`", () => {
    const counts: Counts = new Map();
    for (let index = 0; index < 300; index++)
      addFact(counts, buildFact(index, { referrer: `${index}.example` }));
    addFact(counts, buildFact(0, { referrer: "0.example" }));
    const referrers = counts.get(DIMENSIONS.referrer);
    expect(referrers?.size).toBe(201);
    expect(referrers?.get(OTHER)?.[0]).toBe(100);
    expect(referrers?.get("0.example")?.[0]).toBe(2);
    expect(referrers?.get("199.example")?.[0]).toBe(1);
    expect(counts.get(QUARTERS)?.size).toBe(96);
  });

  test("are added to the counts of a month, which has at most 1,000 values", () => {
    const month: Counts = new Map();
    for (let day = 0; day < 31; day++) {
      const counts: Counts = new Map();
      for (let index = 0; index < 150; index++)
        addFact(counts, buildFact(0, { referrer: `${day}-${index % 100}` }));
      addCounts(month, counts);
    }
    const referrers = month.get(DIMENSIONS.referrer);
    // One more value contains the others.
    expect(referrers?.size).toBe(1_001);
    expect([...(referrers?.values() ?? [])].reduce((sum, [count = 0]) => sum + count, 0)).toBe(31 * 150);
    expect(month.has(QUARTERS)).toBe(false);
  });
});

test.each([
  ["2026-11-01", 0, "1"],
  ["2026-11-21", 0, "21"],
  ["2026-11-30", 1, "b30"],
  ["2024-02-29", 2, "p29"],
  ["2024-12-31", 3, "f31"],
])("the total of %s in class %d has the key %s", (date, classIndex, key) => {
  const day = Date.parse(date) / 86_400_000;
  expect(formatDayKey(day, classIndex)).toBe(key);
  const [year, month] = date.split("-").map(Number) as [number, number];
  expect(parseDayKey(key, year * 12 + month - 1)).toEqual({ day, classIndex });
});

test("texts are compressed and restored", async () => {
  await fc.assert(
    fc.asyncProperty(text, async (original) => {
      expect(await unpackText(await packText(original))).toBe(original);
    }),
    { numRuns: 20 },
  );
});

test("rows are split into statements of bounded size and number of rows", () => {
  expect(formatBatches([])).toEqual([]);
  expect(formatBatches([1, 2])).toEqual(["[1,2]"]);
  const steps = formatBatches(Array.from({ length: 2_500 }, (_, index) => index));
  expect(steps.map((step) => JSON.parse(step).length)).toEqual([1_000, 1_000, 500]);
  const large = formatBatches(Array.from({ length: 12 }, () => "x".repeat(100_000)));
  expect(large).toHaveLength(3);
  expect(Math.max(...large.map((step) => step.length))).toBeLessThan(600_000);
  expect(formatBatches(["x".repeat(900_000), "y"])).toHaveLength(2);
});

test("ids are converted to 16 bytes and back", () => {
  const id = "019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f";
  expect(toHexId(id)).toBe("019aa5a85d2c7c3b9f6e2b8f3c1d4e5f");
  expect(toUuid(toHexId(id).toUpperCase())).toBe(id);
});
