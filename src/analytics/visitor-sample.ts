// Pure: no I/O, clock or randomness.
import { DIMENSIONS } from "../scans/dimensions.ts";
import { listMarks, MARK_BITS, parseMark } from "../scans/visitor-mark.ts";
import { QUARTERS_PER_DAY } from "./buckets.ts";
import { isCountedByValue, QUARTERS } from "./day-counts.ts";
import { formatValues } from "./fact-log.ts";
import { packMarks, unpackMarks } from "./packed-marks.ts";
import { packText, unpackText } from "./packed-text.ts";
import { FACT_DIMENSIONS, type Fact, type FactValues } from "./series.ts";
import { SAMPLE_MAX } from "./visitor-count.ts";

/** Number of possible marks. */
const MARKS = 2 ** MARK_BITS;

/** Visitor in a sample. */
interface SampledVisitor {
  /** Quarter of the day (0 to 95) of the first scan. */
  quarter: number;
  /** Different values of the visitor's scans. */
  values: Set<string>;
}

/** Sample stored with values: limit, distinct values, then mark, quarter and indexes of the values of each visitor. */
type StoredSample = [limit: number, values: FactValues[], visitors: number[][]];

/** Number of visitors by value of each dimension, and by quarter of an hour of the first scan. */
export type VisitorCounts = Map<number, Map<string, number>>;

/**
 * Sketch of the visitors of one UTC day: those with the smallest marks, with the values of their scans. Marks
 * are uniformly distributed, so the share of marks below the limit gives the number of all visitors
 * (a KMV or theta sketch, https://datasketches.apache.org/docs/Theta/ThetaSketchFramework.html). Adding a
 * visitor again changes nothing, and samples can be united.
 */
export class VisitorSample {
  /** Marks from this number on are not in the sample. */
  #limit = MARKS;
  readonly #visitors = new Map<number, SampledVisitor>();
  readonly #values = new Map<string, FactValues>();

  get isEmpty(): boolean {
    return this.#visitors.size === 0;
  }

  /** False if the values of the visitors were left out. */
  get hasValues(): boolean {
    return this.#values.size > 0;
  }

  /** Adds the visitors of a fact. */
  add({ quarter, values, visitors = "" }: Fact): void {
    const marks = listMarks(visitors)
      .map(parseMark)
      .filter((mark) => mark < this.#limit);
    if (marks.length === 0) return;
    const text = formatValues(values);
    if (!this.#values.has(text)) this.#values.set(text, values);
    for (const mark of marks) this.#addVisitor(mark, quarter % QUARTERS_PER_DAY, [text]);
  }

  /** Adds the visitors of another sample. */
  unite(other: VisitorSample): void {
    this.#limit = Math.min(this.#limit, other.#limit);
    for (const [text, values] of other.#values) this.#values.set(text, values);
    for (const [mark, { quarter, values }] of other.#visitors) this.#addVisitor(mark, quarter, values);
  }

  #addVisitor(mark: number, quarter: number, values: Iterable<string>): void {
    if (mark >= this.#limit) return;
    const known = this.#visitors.get(mark);
    if (known !== undefined) {
      known.quarter = Math.min(known.quarter, quarter);
      for (const text of values) known.values.add(text);
      return;
    }
    this.#visitors.set(mark, { quarter, values: new Set(values) });
    // Sorts rarely: after each doubling.
    if (this.#visitors.size === 2 * SAMPLE_MAX) this.#trim();
  }

  /** Removes visitors beyond the maximum, and those at or above the limit. */
  #trim(): void {
    if (this.#limit === MARKS && this.#visitors.size <= SAMPLE_MAX) return;
    const marks = [...this.#visitors.keys()].sort((one, other) => one - other);
    this.#limit = Math.min(this.#limit, marks[SAMPLE_MAX] ?? MARKS);
    for (const mark of marks) if (mark >= this.#limit) this.#visitors.delete(mark);
  }

  /** Returns the number of visitors: exact up to {@link SAMPLE_MAX}, otherwise estimated. */
  count(): number {
    this.#trim();
    return Math.round(this.#visitors.size * this.#getScale());
  }

  /** Returns how many visitors each sampled visitor represents. */
  #getScale(): number {
    const size = this.#visitors.size;
    if (this.#limit === MARKS || size === 0) return 1;
    // Two of many visitors may have the same mark.
    const share = size / this.#limit;
    return (-MARKS * Math.log1p(-share)) / size;
  }

  /** True if the sample has every visitor, also after adding some more. */
  hasRoomFor(visitors: number): boolean {
    return this.#limit === MARKS && this.#visitors.size + visitors <= SAMPLE_MAX;
  }

  /**
   * Returns the number of visitors by value of each dimension, and by quarter of an hour. If `marks` is given, only
   * of visitors with these marks.
   */
  countByValue(marks?: ReadonlySet<number>): VisitorCounts {
    this.#trim();
    const counts: VisitorCounts = new Map();
    const add = (number: number, value: string) => {
      const values = counts.get(number) ?? new Map<string, number>();
      counts.set(number, values.set(value, (values.get(value) ?? 0) + 1));
    };
    const counted =
      marks === undefined
        ? this.#visitors.values()
        : [...marks].flatMap((mark) => this.#visitors.get(mark) ?? []);
    for (const { quarter, values } of counted) {
      add(QUARTERS, String(quarter));
      const scans = [...values].map((text) => this.#values.get(text) as FactValues);
      FACT_DIMENSIONS.forEach((dimension, index) => {
        for (const value of new Set(scans.map((scan) => scan[index] ?? "")))
          if (isCountedByValue(dimension, value)) add(DIMENSIONS[dimension], value);
      });
    }
    const scale = this.#getScale();
    if (scale !== 1)
      for (const values of counts.values())
        for (const [value, count] of values) values.set(value, Math.round(count * scale));
    return counts;
  }

  /**
   * Packs the sample for the database, as hexadecimal digits; none if it is empty. Without `withValues`, leaves out
   * the values, so that the result only counts visitors.
   */
  async pack(withValues: boolean): Promise<string> {
    this.#trim();
    if (this.isEmpty) return "";
    const marks = [...this.#visitors.keys()].sort((one, other) => one - other);
    return withValues ? packText(this.#format(marks)) : packMarks({ limit: this.#limit, marks });
  }

  #format(marks: readonly number[]): string {
    const texts = [...new Set([...this.#visitors.values()].flatMap(({ values }) => [...values]))];
    const indexes = new Map(texts.map((text, index) => [text, index]));
    let last = 0;
    const visitors = marks.map((mark) => {
      const { quarter, values } = this.#visitors.get(mark) as SampledVisitor;
      // Differences compress better than marks.
      const difference = mark - last;
      last = mark;
      return [difference, quarter, ...[...values].map((text) => indexes.get(text) as number)];
    });
    const stored: StoredSample = [
      this.#limit,
      texts.map((text) => this.#values.get(text) as FactValues),
      visitors,
    ];
    return JSON.stringify(stored);
  }

  /** Unpacks the result of {@link pack}. Also reads rows stored earlier, which never have packed marks. */
  static async unpack(packed: string): Promise<VisitorSample> {
    const sample = new VisitorSample();
    if (packed === "") return sample;
    const found = unpackMarks(packed);
    if (found === null) {
      sample.#parse(await unpackText(packed));
      return sample;
    }
    sample.#limit = found.limit;
    for (const mark of found.marks) sample.#visitors.set(mark, { quarter: 0, values: new Set() });
    return sample;
  }

  #parse(text: string): void {
    const [limit, values, visitors] = JSON.parse(text) as StoredSample;
    this.#limit = limit;
    const texts = values.map((scan) => {
      const key = formatValues(scan);
      this.#values.set(key, scan);
      return key;
    });
    let mark = 0;
    for (const [difference = 0, quarter = 0, ...indexes] of visitors) {
      mark += difference;
      this.#visitors.set(mark, {
        quarter,
        values: new Set(indexes.map((index) => texts[index] as string)),
      });
    }
  }
}
