// Pure: no I/O, clock or randomness.
import { listMarks } from "../scans/visitor-mark.ts";
import { QUARTERS_PER_DAY } from "./buckets.ts";
import type { Fact } from "./series.ts";

/** Counts the visitors of facts exactly, each once per UTC day: in total and by a key, such as a value. */
export class FactVisitors<Key extends string | number> {
  /** Keys of each visitor, by day and mark. */
  readonly #keys = new Map<string, Set<Key>>();
  /** Number of scans by key whose visitor is unknown. Each counts as a visitor of its own. */
  readonly #unknown = new Map<Key, number>();

  add(key: Key, { quarter, count, visitors }: Fact): void {
    if (visitors === undefined) this.#unknown.set(key, (this.#unknown.get(key) ?? 0) + count);
    const day = Math.floor(quarter / QUARTERS_PER_DAY);
    for (const mark of listMarks(visitors ?? "")) {
      const id = `${day} ${mark}`;
      this.#keys.set(id, (this.#keys.get(id) ?? new Set()).add(key));
    }
  }

  /** Returns the number of visitors. */
  count(): number {
    return [...this.#unknown.values()].reduce((sum, count) => sum + count, this.#keys.size);
  }

  /** Returns the number of visitors by key. */
  countByKey(): Map<Key, number> {
    return this.#count((keys) => keys);
  }

  /** Returns the number of visitors by their lowest key, such as the time of their first scan. */
  countFirst(): Map<Key, number> {
    return this.#count((keys) => [...keys].sort((one, other) => (one < other ? -1 : 1)).slice(0, 1));
  }

  #count(pick: (keys: Set<Key>) => Iterable<Key>): Map<Key, number> {
    const counts = new Map(this.#unknown);
    for (const keys of this.#keys.values())
      for (const key of pick(keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  }
}
