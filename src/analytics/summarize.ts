import { formatSteps } from "./json-steps.ts";
import { MONTH_COLUMNS, type MonthRow, sumMonths } from "./month-sums.ts";

/** Maximum number of months that are summed after a batch. The others are summed after a later one. */
const SUMMARIES_MAX = 5;

/** Series and the number of a month. */
interface SeriesMonth {
  owner: string;
  item: string;
  month: number;
}

/**
 * Sums the counts of months that are over, for busy series, unless that is done. A scan that is counted later makes the
 * total differ from that of the month, so that the sum is not used; the next call replaces it.
 */
export async function summarizeMonths(d1: D1Database, months: readonly SeriesMonth[]): Promise<void> {
  if (months.length === 0) return;
  const keys = JSON.stringify(months.map(({ owner, item, month }) => [owner, item, month]));
  const { results } = await d1.prepare(SELECT_UNSUMMED).bind(keys).all<MonthRow>();
  if (results.length === 0) return;
  const sums = await sumMonths(d1, results);
  const rows = results.map(({ owner, item, month, human, bot, preview, prefetch }, index) => [
    ...[owner, item, month, human + bot + preview + prefetch],
    sums[index]?.counts,
  ]);
  await d1.batch(formatSteps(rows).map((step) => d1.prepare(ADD_SUMMARIES).bind(step)));
}

const SELECT_UNSUMMED = `
  SELECT ${MONTH_COLUMNS}
    FROM json_each(?1) AS key
   CROSS JOIN scan_months ON month = key.value ->> 2 AND owner = unhex(key.value ->> 0) AND item = unhex(key.value ->> 1)
   WHERE NOT EXISTS (SELECT 1 FROM scan_history_counts AS summary
                      WHERE summary.owner = scan_months.owner AND summary.month = scan_months.month
                        AND summary.item = scan_months.item AND summary.total = human + bot + preview + prefetch)
   LIMIT ${SUMMARIES_MAX}`;

const ADD_SUMMARIES = `
  INSERT INTO scan_history_counts (owner, item, month, total, counts)
  SELECT unhex(value ->> 0), unhex(value ->> 1), value ->> 2, value ->> 3, unhex(value ->> 4)
    FROM json_each(?1) WHERE true
  ON CONFLICT (owner, month, item) DO UPDATE SET total = excluded.total, counts = excluded.counts`;
