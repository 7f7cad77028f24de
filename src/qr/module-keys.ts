/** Number of columns with one key, and their places. */
interface KeyCount {
  key: number;
  count: number;
  /** Sum of the numbers of columns that follow each of them. */
  columnsAfter: number;
}

/** Row of modules. A key stands for what is drawn in a column, and few keys differ. */
export class ModuleKeys {
  /** Key of each column. */
  readonly columns: Uint8Array;
  readonly distinct: readonly number[];
  readonly #counts = new Map<number, readonly KeyCount[]>();

  constructor(columns: Uint8Array) {
    this.columns = columns;
    this.distinct = [...new Set(columns)];
  }

  /** Counts the keys of the columns up to `to`. The result is kept, because a row of modules has many rows of pixels. */
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
