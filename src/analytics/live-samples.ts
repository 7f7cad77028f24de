import { type SQL, sql } from "drizzle-orm";
import { selectItems } from "./month-rows.ts";
import type { SeriesSet } from "./series.ts";
import { VisitorSample } from "./visitor-sample.ts";

/**
 * Returns the rest of a SELECT of samples (`day`, `item` and `visitors` of `scan_days`) of the last two days of
 * series with counts by day. Only these days can have facts that are still in the log.
 */
export function fromLiveSamples(series: SeriesSet): SQL {
  const { owner } = series;
  return sql`FROM (${selectItems(series)}) AS key
    CROSS JOIN scan_days ON owner = unhex(${owner}) AND scan_days.item = key.item
                        AND day >= (SELECT max(last.day) FROM scan_days AS last
                                     WHERE last.owner = unhex(${owner}) AND last.item = key.item) - 1
   WHERE octet_length(visitors) > 0`;
}

/** Samples of visitors by series and day. */
export class LiveSamples {
  readonly #samples = new Map<string, VisitorSample>();

  /** Adds a sample as it is stored. */
  async add(item: string, day: number, packed: string): Promise<void> {
    this.#samples.set(`${item} ${day}`, await VisitorSample.unpack(packed));
  }

  /** Returns the sample of a day, which is empty if none was added. */
  get(item: string, day: number): VisitorSample {
    return this.#samples.get(`${item} ${day}`) ?? new VisitorSample();
  }
}
