import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { addFact, type Counts, parseRepeats, formatCounts, QUARTERS } from "../../src/analytics/day-counts.ts";
import { FactVisitors } from "../../src/analytics/fact-visitors.ts";
import { formatFact, formatValues, parseFacts } from "../../src/analytics/fact-log.ts";
import type { Fact } from "../../src/analytics/series.ts";
import { addRepeats, countRepeats } from "../../src/analytics/visitor-repeats.ts";
import { SAMPLE_MAX, VisitorSample } from "../../src/analytics/visitor-sample.ts";
import { DIMENSIONS } from "../../src/scans/dimensions.ts";
import { formatMark, isMark, listMarks, parseMark } from "../../src/scans/visitor-mark.ts";

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

test.each([0, 1, 2, 50, 199, 200, SAMPLE_MAX])("%i visitors are counted exactly, also when added again", (count) => {
  const visitors = sample(0, count);
  for (let visitor = 0; visitor < count; visitor += 3) visitors.add(buildFact(markOf(visitor), ["", "FR"], 5));
  expect(visitors.count()).toBe(count);
});

test("a million visitors are estimated to 2 %, and on average over ten salts to 1.2 %", () => {
  const errors = Array.from({ length: 10 }, (_, salt) => {
    const visitors = new VisitorSample();
    // Marks are uniformly distributed, so this takes them from a fast generator, and one salt from the HMAC.
    let state = 0x9e3779b9 ^ (salt * 0x85ebca6b);
    for (let visitor = 0; visitor < 1_000_000; visitor++) {
      state = (state + 0x6d2b79f5) | 0;
      let bits = Math.imul(state ^ (state >>> 15), 1 | state);
      bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
      bits ^= bits >>> 14;
      visitors.add(buildFact(formatMark(Uint8Array.of(bits >>> 24, bits >>> 16, bits >>> 8, bits))));
    }
    return visitors.count() / 1_000_000 - 1;
  });
  const deviation = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length);
  expect(Math.abs(errors[0] as number)).toBeLessThan(0.02);
  expect(deviation).toBeLessThan(0.02);
});
