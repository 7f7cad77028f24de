/** D1 binding that counts the rows it reads and writes, as D1 reports and bills them. */
export interface Meter {
  d1: D1Database;
  rowsWritten: number;
  rowsRead: number;
  statements: number;
  trips: number;
  /** Number of committed batches. */
  transactions: number;
  /** Rows written by kind of statement and table, such as `INSERT links`. */
  writtenByChange: Record<string, number>;
}

const CHANGE = /(INSERT|UPDATE|DELETE)(?: INTO| FROM)?\s+(\w+)/i;

/** Returns a D1 binding that counts its rows, statements and round trips. */
export function meterD1(d1: D1Database): Meter {
  const changes = new WeakMap<object, string>();
  const originals = new WeakMap<object, D1PreparedStatement>();
  const meter: Meter = {
    ...{ d1, rowsWritten: 0, rowsRead: 0, statements: 0, trips: 0, transactions: 0 },
    writtenByChange: {},
  };
  const add = (change: string, { meta }: D1Result) => {
    meter.rowsWritten += meta.rows_written;
    meter.rowsRead += meta.rows_read;
    meter.statements += 1;
    if (meta.rows_written > 0)
      meter.writtenByChange[change] = (meter.writtenByChange[change] ?? 0) + meta.rows_written;
  };
  const wrap = (statement: D1PreparedStatement, change: string): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values), change),
      all: () => run(() => statement.all()),
      first: async () => (await run(() => statement.all())).results[0] ?? null,
      run: () => run(() => statement.run()),
      // `raw` doesn't return row counts.
      raw: async () => (await run(() => statement.all())).results.map((row) => Object.values(row as object)),
    };
    const run = async (execute: () => Promise<D1Result>) => {
      meter.trips += 1;
      const result = await execute();
      add(change, result);
      return result;
    };
    changes.set(wrapped, change);
    originals.set(wrapped, statement);
    return wrapped as unknown as D1PreparedStatement;
  };
  meter.d1 = {
    prepare: (text: string) => wrap(d1.prepare(text), CHANGE.exec(text)?.slice(1).join(" ") ?? ""),
    batch: async (statements: D1PreparedStatement[]) => {
      meter.trips += 1;
      const results = await d1.batch(statements.map((statement) => originals.get(statement) ?? statement));
      meter.transactions += 1;
      results.forEach((result, index) => {
        add(changes.get(statements[index] as object) ?? "", result);
      });
      return results;
    },
  } as unknown as D1Database;
  return meter;
}
