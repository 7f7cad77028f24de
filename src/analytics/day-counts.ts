// Pure: no I/O, clock or randomness.
import { DIMENSIONS, type Dimension } from "../scans/dimensions.ts";
import { TRAFFIC_CLASSES } from "../scans/traffic.ts";
import { QUARTERS_PER_DAY } from "./buckets.ts";
import { FACT_DIMENSIONS, type Fact, TRAFFIC_INDEX } from "./series.ts";

/**
 * Maximum number of distinct values of a dimension that a series counts per day. Further values count as
 * {@link OTHER}.
 */
export const DAY_VALUES_MAX = 200;
/** Maximum number of distinct values of a dimension that a series counts per month. */
export const MONTH_VALUES_MAX = 1_000;
/** Value that combines all values beyond the maximum. */
export const OTHER = "other";

/** Key in {@link Counts} of the counts by quarter of an hour. */
export const QUARTERS = 0;
/**
 * Added to the key of a dimension or of the quarters, gives the key of its repeats: see `visitor-repeats.ts`.
 * Must be higher than the number of any dimension.
 */
export const REPEATS = 100;

/** Counts by traffic class, indexed in the order of the classes. */
export type ClassCounts = number[];

/** Counts by value, in the order in which the values were first counted. */
export type ValueCounts = Map<string, ClassCounts>;

/**
 * Counts of a series in a day or a month, by number of the dimension, then by value. For a day,
 * {@link QUARTERS} has the counts of its quarters of an hour (0 to 95).
 */
export type Counts = Map<number, ValueCounts>;

/** Returns counts of zero. */
export function noCounts(): ClassCounts {
  return TRAFFIC_CLASSES.map(() => 0);
}

/** Returns the index of a fact's traffic class in {@link ClassCounts}. */
export function getClassIndex({ values }: Pick<Fact, "values">): number {
  return Math.max(0, TRAFFIC_CLASSES.indexOf((values[TRAFFIC_INDEX] || "human") as "human"));
}

/** Adds a fact to the counts of its day. */
export function addFact(counts: Counts, fact: Fact): void {
  const classIndex = getClassIndex(fact);
  addCount(openValues(counts, QUARTERS), String(fact.quarter % QUARTERS_PER_DAY), classIndex, fact.count);
  FACT_DIMENSIONS.forEach((dimension, index) => {
    const value = fact.values[index] ?? "";
    if (!isCountedByValue(dimension, value) || isLeftOut(dimension, value)) return;
    const values = openValues(counts, DIMENSIONS[dimension]);
    addCount(values, capValue(values, value, DAY_VALUES_MAX), classIndex, fact.count);
  });
}

/**
 * Dimensions whose missing values are not stored. They follow from the total, because counts that were stored
 * before the dimension existed have no values of it either.
 */
const SPARSE: ReadonlySet<Dimension> = new Set(["source", "utm_source", "utm_medium", "utm_campaign"]);
const SPARSE_NUMBERS: ReadonlySet<number> = new Set([...SPARSE].map((name) => DIMENSIONS[name]));

/** Returns true for values that are neither stored in counts nor combined as {@link OTHER}. */
export function isLeftOut(dimension: Dimension, value: string): boolean {
  return value === "" && SPARSE.has(dimension);
}

/**
 * Returns false for values that are counted elsewhere: traffic classes, which the totals count, and the empty
 * `link` of a scan, because each short link has its own series.
 */
export function isCountedByValue(dimension: Dimension, value: string): boolean {
  return dimension !== "traffic" && (dimension !== "link" || value !== "");
}

/** Returns the value, or {@link OTHER} if the value is new and the maximum is reached. */
export function capValue(values: ReadonlyMap<string, unknown>, value: string, valuesMax: number): string {
  if (values.has(value)) return value;
  return values.size - (values.has(OTHER) ? 1 : 0) < valuesMax ? value : OTHER;
}

/** Replaces values that the counts of their day don't include by {@link OTHER}. */
export function capFacts(facts: readonly Fact[], counts: Counts): Fact[] {
  return facts.map((fact) => {
    const values = fact.values.map((value, index) => {
      const dimension = FACT_DIMENSIONS[index];
      const dayValues = dimension && counts.get(DIMENSIONS[dimension]);
      const isKept = dayValues === undefined || isLeftOut(dimension as Dimension, value);
      return isKept ? value : capValue(dayValues, value, DAY_VALUES_MAX);
    });
    return { ...fact, values };
  });
}

/** Adds the counts of a day to the counts of its month. Quarters of an hour are left out. */
export function addCounts(sum: Counts, added: Counts): void {
  // Keys are in ascending order, so the scans of a dimension come before its repeats.
  for (const [number, addedValues] of added) {
    if (number % REPEATS === QUARTERS) continue;
    const values = openValues(sum, number);
    const known = number < REPEATS ? values : openValues(sum, number - REPEATS);
    for (const [value, classCounts] of addedValues) {
      const capped = capValue(known, value, MONTH_VALUES_MAX);
      classCounts.forEach((count, classIndex) => {
        if (count !== 0) addCount(values, capped, classIndex, count);
      });
    }
  }
}

/** Returns the counts of a dimension, or of the quarters of an hour. Creates them if they are missing. */
export function openValues(counts: Counts, number: number): ValueCounts {
  let values = counts.get(number);
  if (values === undefined) {
    values = new Map();
    counts.set(number, values);
  }
  return values;
}

/** Adds a number to a value's count. */
export function addCount(values: ValueCounts, value: string, classIndex: number, count: number): void {
  const classCounts = values.get(value);
  if (classCounts !== undefined) {
    classCounts[classIndex] = (classCounts[classIndex] ?? 0) + count;
    return;
  }
  const added = noCounts();
  added[classIndex] = count;
  values.set(value, added);
}

/**
 * Stored counts of a dimension: value, counts, value, counts, and so on. A single number is a count of the
 * class `human`. Zeros at the end of the counts are left out.
 *
 * Repeats begin with a number for each value that the dimension counts, in the same order, up to the last that isn't
 * zero. Values that the dimension doesn't count follow as pairs. Rows stored earlier have pairs only.
 */
type StoredValues = (string | number | ClassCounts)[];

/** Stored counts by number of the dimension, as in {@link Counts}. */
type StoredCounts = Record<number, StoredValues>;

/** Formats counts for the database. */
export function formatCounts(counts: Counts): string {
  const sorted = new Map([...counts].map(([number, values]) => [number, sortByCount(values)]));
  const stored = [...sorted].map(([number, values]) => {
    if (number < REPEATS) return [number, formatValueCounts(values)] as const;
    return [number, formatRepeats(values, sorted.get(number - REPEATS) ?? new Map())] as const;
  });
  return JSON.stringify(Object.fromEntries(stored.filter(([, values]) => values.length > 0)));
}

/** Returns the values in descending order of their counts, because equal numbers compress better side by side. */
function sortByCount(values: ValueCounts): ValueCounts {
  const sum = (counts: ClassCounts) => counts.reduce((total, count) => total + count, 0);
  return new Map([...values].sort(([, one], [, other]) => sum(other) - sum(one)));
}

function formatRepeats(repeats: ValueCounts, counted: ValueCounts): StoredValues {
  const countOf = (value: string) => repeats.get(value)?.[0] ?? 0;
  const numbers = [...counted.keys()].map(countOf);
  const others = [...repeats.keys()].filter((value) => !counted.has(value) && countOf(value) !== 0);
  return [
    ...numbers.slice(0, numbers.findLastIndex((count) => count !== 0) + 1),
    ...others.flatMap((value) => [value, countOf(value)]),
  ];
}

function formatValueCounts(values: ValueCounts): StoredValues {
  return [...values].flatMap(([value, counts]) => {
    const isHuman = counts.every((count, classIndex) => classIndex === 0 || count === 0);
    return [value, isHuman ? (counts[0] as number) : trimZeros(counts)];
  });
}

function trimZeros(counts: ClassCounts): ClassCounts {
  return counts.slice(0, counts.findLastIndex((count) => count > 0) + 1);
}

/** Parses the result of {@link formatCounts}. */
export function parseCounts(text: string): Counts {
  const stored = JSON.parse(text) as StoredCounts;
  return new Map(Object.keys(stored).map((number) => [Number(number), readValues(stored, Number(number))]));
}

/**
 * Parses the counts of one dimension from the result of {@link formatCounts}. Includes missing values that are
 * not stored.
 */
export function parseValueCounts(text: string, number: number): ValueCounts {
  const stored = JSON.parse(text) as StoredCounts;
  const values = readValues(stored, number);
  if (!SPARSE_NUMBERS.has(number)) return values;
  // Every scan is counted by country.
  const totals = sumClasses(readValues(stored, DIMENSIONS.country));
  const missing = sumClasses(values).map((count, classIndex) => (totals[classIndex] ?? 0) - count);
  return missing.some((count) => count > 0) ? values.set("", missing) : values;
}

function sumClasses(values: ValueCounts): ClassCounts {
  return [...values.values()].reduce(
    (sums, counts) => sums.map((sum, classIndex) => sum + (counts[classIndex] ?? 0)),
    TRAFFIC_CLASSES.map(() => 0),
  );
}

/** Parses the repeats of one dimension from the result of {@link formatCounts}. */
export function parseRepeats(text: string, number: number): Map<string, number> {
  const values = readValues(JSON.parse(text) as StoredCounts, REPEATS + number);
  return new Map([...values].map(([value, [repeats = 0]]) => [value, repeats]));
}

function readValues(stored: StoredCounts, number: number): ValueCounts {
  const listed = stored[number] ?? [];
  const counted = stored[number - REPEATS] ?? [];
  const firstPair = listed.findIndex((entry) => typeof entry === "string");
  const repeats = firstPair === -1 ? listed : listed.slice(0, firstPair);
  const values: ValueCounts = new Map();
  const add = (value: unknown, counts: number | ClassCounts) => {
    const known = typeof counts === "number" ? [counts] : counts;
    values.set(
      String(value),
      noCounts().map((_, index) => known[index] ?? 0),
    );
  };
  repeats.forEach((count, index) => {
    if (count !== 0) add(counted[2 * index], count as number);
  });
  for (let i = repeats.length; i < listed.length; i += 2)
    add(listed[i], listed[i + 1] as number | ClassCounts);
  return values;
}
