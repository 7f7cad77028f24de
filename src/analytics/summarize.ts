import { formatBatches } from "../db/json-batches.ts";
import { MONTH_COLUMNS, type MonthRow, sumMonths } from "./month-sums.ts";
import { sumRowsWritten } from "./scan-costs.ts";

/** Maximum number of months that are summed after a batch. The next batches sum the others. */
const SUMMARIES_MAX = 5;

/** Month of a series. `month` is the number of the month. */
interface SeriesMonth {
  owner: string;
  item: string;
  month: number;
}

/**
 * Sums the counts of finished months of busy series (with counts by day), unless an up-to-date sum exists. If
 * a scan is counted later, the month's total no longer matches the total stored with the sum. The sum is then
 * ignored until the next call replaces it. Returns the number of rows that D1 wrote.
 */
export async function summarizeMonths(d1: D1Database, months: readonly SeriesMonth[]): Promise<number> {
  if (months.length === 0) return 0;
  const keys = JSON.stringify(months.map(({ owner, item, month }) => [owner, item, month]));
  const { results } = await d1.prepare(SELECT_UNSUMMED).bind(keys).all<MonthRow>();
  if (results.length === 0) return 0;
  const sums = await sumMonths(d1, results);
  const rows = results.map(({ owner, item, month, human, bot, preview, prefetch, scanner }, index) => [
    ...[owner, item, month, human + bot + preview + prefetch + scanner],
    sums[index]?.counts,
  ]);
  const statements = formatBatches(rows).map((batch) => d1.prepare(ADD_SUMMARIES).bind(batch));
  return sumRowsWritten(await d1.batch(statements));
}

const SELECT_UNSUMMED = `
  SELECT ${MONTH_COLUMNS}
    FROM json_each(?1) AS key
   CROSS JOIN scan_months ON month = key.value ->> 2 AND owner = unhex(key.value ->> 0) AND item = unhex(key.value ->> 1)
   WHERE NOT EXISTS (SELECT 1 FROM scan_history_counts AS summary
                      WHERE summary.owner = scan_months.owner AND summary.month = scan_months.month
                        AND summary.item = scan_months.item AND summary.total = human + bot + preview + prefetch + scanner)
   LIMIT ${SUMMARIES_MAX}`;

// The join skips a series that was deleted since its month was read.
const ADD_SUMMARIES = `
  INSERT INTO scan_history_counts (owner, item, month, total, counts)
  SELECT owner, item, month, row.value ->> 3, unhex(row.value ->> 4)
    FROM json_each(?1) AS row
   CROSS JOIN scan_months ON month = row.value ->> 2 AND owner = unhex(row.value ->> 0) AND item = unhex(row.value ->> 1)
   WHERE true
  ON CONFLICT (owner, month, item) DO UPDATE SET total = excluded.total, counts = excluded.counts`;
