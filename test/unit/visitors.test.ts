import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addFact,
  type Counts,
  formatCounts,
  parseRepeats,
  QUARTERS,
} from "../../src/analytics/day-counts.ts";
import { formatFact, formatValues, parseFacts } from "../../src/analytics/fact-log.ts";
import { FactVisitors } from "../../src/analytics/fact-visitors.ts";
import { packMarks, unpackMarks } from "../../src/analytics/packed-marks.ts";
import { packText } from "../../src/analytics/packed-text.ts";
import type { Fact } from "../../src/analytics/series.ts";
import { SAMPLE_MAX } from "../../src/analytics/visitor-count.ts";
import { addRepeats, countRepeats } from "../../src/analytics/visitor-repeats.ts";
import { VisitorSample } from "../../src/analytics/visitor-sample.ts";
import { DIMENSIONS } from "../../src/scans/dimensions.ts";
import { formatMark, isMark, listMarks, parseMark } from "../../src/scans/visitor-mark.ts";
import { chooseRuns } from "../support/runs.ts";

/** Visitors of a link: their marks, and samples of them. */

/** Returns the mark of a synthetic visitor, as the redirect computes it. */
function markOf(visitor: number, salt = "salt"): string {
  return formatMark(createHmac("sha256", salt).update(`198.51.100.1\n${visitor}`).digest());
}

function buildFact(visitors: string, values: string[] = ["", "DE"], quarter = 0): Fact {
  return { quarter, values, count: Math.max(1, visitors.length / 5), visitors };
}

/** Returns a sample of the visitors `from` to `to` (exclusive). */
function sample(from: number, to: number, salt?: string): VisitorSample {
  const result = new VisitorSample();
  for (let visitor = from; visitor < to; visitor++) result.add(buildFact(markOf(visitor, salt)));
  return result;
}

test("a mark is five characters, and is parsed as it was formatted", () => {
  const marks = [new Uint8Array(4), new Uint8Array(4).fill(255), Uint8Array.of(1, 2, 3, 4)].map(formatMark);
  expect(marks).toEqual(["AAAAA", "_____", "AQIDB"]);
  expect(marks.map(parseMark)).toEqual([0, 2 ** 30 - 1, (1 << 22) | (2 << 14) | (3 << 6) | 1]);
  expect(marks.every(isMark)).toBe(true);
  expect(["", "AAAA", "AAAAAA", "AA|AA", "AAAA\n", null].some(isMark)).toBe(false);
  expect(listMarks(marks.join(""))).toEqual(marks);
});

test.each([0, 1, 2, 50, 199, 200, SAMPLE_MAX])(
  "%i visitors are counted exactly, also when added again",
  (count) => {
    const visitors = sample(0, count);
    for (let visitor = 0; visitor < count; visitor += 3)
      visitors.add(buildFact(markOf(visitor), ["", "FR"], 5));
    expect(visitors.count()).toBe(count);
  },
);

test("many visitors are estimated to 2 %, as are several samples of fewer", () => {
  let state = 1;
  // Marks are uniformly distributed, so a fast generator replaces the HMAC.
  const drawMark = () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    bits ^= bits >>> 14;
    return formatMark(Uint8Array.of(bits >>> 24, bits >>> 16, bits >>> 8, bits));
  };
  const measureError = (count: number) => {
    const visitors = new VisitorSample();
    for (let visitor = 0; visitor < count; visitor++) visitors.add(buildFact(drawMark()));
    return visitors.count() / count - 1;
  };
  expect(Math.abs(measureError(chooseRuns(200_000, 1_000_000)))).toBeLessThan(0.02);
  const errors = Array.from({ length: chooseRuns(8, 20) }, () => measureError(30_000));
  expect(Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length)).toBeLessThan(0.02);
});

test("samples are united like one sample of all their visitors, also after they were stored", async () => {
  const [one, other] = await Promise.all(
    [sample(0, 12_000), sample(8_000, 20_000)].map(async (part) =>
      VisitorSample.unpack(await part.pack(false)),
    ),
  );
  one?.unite(other as VisitorSample);
  expect(one?.count()).toBe(sample(0, 20_000).count());
  const [few, more] = [sample(0, 100), sample(50, 150)];
  few.unite(more);
  expect(few.count()).toBe(150);
});

test("a stored sample counts later scans of its visitors as repeats", async () => {
  const visitors = await VisitorSample.unpack(await sample(0, 300).pack(true));
  const later = [buildFact(markOf(0) + markOf(299)), buildFact(markOf(300), ["", "FR"], 3)];
  const counts: Counts = new Map();
  for (const fact of later) addFact(counts, fact);
  expect(addRepeats(counts, visitors, later)).toBe(2);
  expect(visitors.count()).toBe(301);
  const stored = formatCounts(counts);
  expect(parseRepeats(stored, DIMENSIONS.country)).toEqual(new Map([["DE", 2]]));
  expect(parseRepeats(stored, QUARTERS)).toEqual(new Map([["0", 2]]));
});

test("marks are unpacked as they were packed, in at most four bytes and a header", () => {
  const marks = fc.uniqueArray(fc.nat(2 ** 30 - 1), { minLength: 1, maxLength: 500 });
  fc.assert(
    fc.property(marks, fc.integer({ min: 1, max: 2 ** 30 }), (drawn, limit) => {
      const sorted = drawn.map((mark) => mark % limit).sort((one, other) => one - other);
      const sampled = { limit, marks: [...new Set(sorted)] };
      const packed = packMarks(sampled);
      expect(unpackMarks(packed)).toEqual(sampled);
      expect(unpackMarks(packed.toUpperCase())).toEqual(sampled);
      expect(packed.length / 2).toBeLessThanOrEqual(6 + 4 * sampled.marks.length);
    }),
  );
  // 8,192 of 20,000 visitors.
  const large = sample(0, 20_000).pack(false);
  return expect(large.then((packed) => packed.length / 2)).resolves.toBeLessThan(2.4 * SAMPLE_MAX);
});

test("samples that were stored as text are read", async () => {
  const stored = async (text: string) => VisitorSample.unpack(await packText(text));
  const marks = [1, 5].map((mark) => [mark]);
  expect((await stored(JSON.stringify([2 ** 30, [], marks]))).count()).toBe(2);
  const visitors = await stored(JSON.stringify([2 ** 30, [["", "DE"]], [[7, 3, 0]]]));
  expect(visitors.countByValue().get(DIMENSIONS.country)).toEqual(new Map([["DE", 1]]));
});

test("the estimates of values add up to the estimate of all", () => {
  const visitors = new VisitorSample();
  for (let visitor = 0; visitor < 40_000; visitor++)
    visitors.add(buildFact(markOf(visitor), ["", visitor % 4 === 0 ? "DE" : "FR"]));
  const countries = visitors.countByValue().get(DIMENSIONS.country);
  const [german = 0, french = 0] = [countries?.get("DE"), countries?.get("FR")];
  expect(Math.abs(german + french - visitors.count())).toBeLessThanOrEqual(1);
  expect(Math.abs(german / 10_000 - 1)).toBeLessThan(0.05);
});

test("scans without a mark count as visitors of their own", () => {
  const unknown: Fact = { quarter: 0, values: ["", "DE"], count: 3 };
  expect(countRepeats([unknown, buildFact(markOf(1)), buildFact(markOf(1))])).toBe(1);
  const visitors = new FactVisitors<string>();
  for (const fact of [unknown, buildFact(markOf(1)), buildFact(markOf(1))]) visitors.add("DE", fact);
  expect([visitors.count(), visitors.countByKey().get("DE")]).toEqual([4, 4]);
});

test("marks are stored with the count of their fact", () => {
  const line = formatFact(7, formatValues(["", "DE"]), 2, markOf(1) + markOf(2));
  expect(line).toBe(`7|2~${markOf(1)}${markOf(2)}||DE\n`);
  expect(parseFacts(line)).toEqual([
    { quarter: 7, values: ["", "DE"], count: 2, visitors: markOf(1) + markOf(2) },
  ]);
});
