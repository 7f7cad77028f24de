// Pure: no I/O, clock or randomness.
import { DIMENSIONS } from "../scans/dimensions.ts";
import { listMarks, parseMark } from "../scans/visitor-mark.ts";
import { QUARTERS_PER_DAY } from "./buckets.ts";
import { addCount, type Counts, isCountedByValue, openValues, QUARTERS, REPEATS } from "./day-counts.ts";
import { FACT_DIMENSIONS, type Fact } from "./series.ts";
import { type VisitorCounts, VisitorSample } from "./visitor-sample.ts";

/**
 * Repeats are the scans by people that are not a visitor's first of the day. Visitors are scans minus repeats.
 * Most visitors scan once, so repeats take little space. A scan without a visitor mark is not a repeat.
 */

/**
 * Adds facts of one day to the sample of the day, and the resulting repeats to the counts of the day. Values
 * that the counts combine must be combined in the facts too. Returns the number of repeats, which can be
 * negative once visitors are estimated.
 */
export function addRepeats(counts: Counts, sample: VisitorSample, facts: readonly Fact[]): number {
  const marked = facts.filter(({ visitors }) => visitors !== undefined);
  if (marked.length === 0) return 0;
  const marks = new Set(marked.flatMap(({ visitors = "" }) => listMarks(visitors).map(parseMark)));
  // Other visitors stay the same, unless their number is estimated.
  const changed = sample.hasRoomFor(marks.size) ? marks : undefined;
  const [before, visitorsBefore] = [sample.countByValue(changed), sample.count()];
  for (const fact of marked) sample.add(fact);
  const [after, visitorsAfter] = [sample.countByValue(changed), sample.count()];
  let scans = 0;
  for (const { quarter, values, count } of marked) {
    scans += count;
    addTo(counts, QUARTERS, String(quarter % QUARTERS_PER_DAY), count);
    FACT_DIMENSIONS.forEach((dimension, index) => {
      const value = values[index] ?? "";
      if (isCountedByValue(dimension, value)) addTo(counts, DIMENSIONS[dimension], value, count);
    });
  }
  subtract(counts, after, 1);
  subtract(counts, before, -1);
  return scans - (visitorsAfter - visitorsBefore);
}

/** Returns the number of repeats among facts of one day. Adds the facts to the sample of the day. */
export function countRepeats(facts: readonly Fact[], sample = new VisitorSample()): number {
  const marked = facts.filter(({ visitors }) => visitors !== undefined);
  const before = sample.count();
  for (const fact of marked) sample.add(fact);
  return marked.reduce((sum, { count }) => sum + count, 0) - (sample.count() - before);
}

function addTo(counts: Counts, number: number, value: string, count: number): void {
  addCount(openValues(counts, REPEATS + number), value, 0, count);
}

function subtract(counts: Counts, visitors: VisitorCounts, factor: 1 | -1): void {
  for (const [number, values] of visitors)
    for (const [value, count] of values) addTo(counts, number, value, -factor * count);
}
