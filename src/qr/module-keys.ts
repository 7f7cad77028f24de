// Pure: no I/O, clock or randomness.

/** Number of columns with a key, and how far they are from the end of the row. */
interface KeyCount {
  key: number;
  count: number;
  /** Sum, over these columns, of the number of columns that follow. */
  columnsAfter: number;
}

/** Row of modules. A key identifies what is drawn in a column. There are few distinct keys. */
export class ModuleKeys {
  readonly columns: Uint8Array;
  readonly distinct: readonly number[];
  readonly #counts = new Map<number, readonly KeyCount[]>();

  constructor(columns: Uint8Array) {
    this.columns = columns;
    this.distinct = [...new Set(columns)];
  }

  /**
   * Counts the keys in the columns from `from` to before `to`. Caches the result, because a row of modules
   * has many rows of pixels.
   */
  countColumns(from: number, to: number): readonly KeyCount[] {
    const known = this.#counts.get(from * this.columns.length + to);
    if (known !== undefined) return known;
    const counts = new Map(this.distinct.map((key) => [key, { key, count: 0, columnsAfter: 0 }]));
    for (let x = from; x < to; x++) {
      const entry = counts.get(this.columns[x] as number) as KeyCount;
      entry.count += 1;
      entry.columnsAfter += to - 1 - x;
    }
    const found = [...counts.values()].filter(({ count }) => count > 0);
    this.#counts.set(from * this.columns.length + to, found);
    return found;
  }
}
