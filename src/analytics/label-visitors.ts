import { type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { QUARTERS_PER_DAY, type Range } from "./buckets.ts";
import { noCounts } from "./day-counts.ts";
import { parseFacts } from "./fact-log.ts";
import { inRecentMonths, isInSet, listMonthBounds } from "./month-rows.ts";
import { unpackText } from "./packed-text.ts";
import { isSmallRead, type ReadSize, ROWS_MAX } from "./read-limits.ts";
import type { SeriesSet } from "./series.ts";
import type { DaySum } from "./totals-reader.ts";
import { limitVisitors } from "./visitor-count.ts";
import { VisitorSample } from "./visitor-sample.ts";

/**
 * Adds up the totals of links by UTC day, and unites their visitors, so that a visitor of several links counts
 * once. Visitors of days that are only kept as totals, or that are too many to read, are added up instead.
 */
export async function uniteDays(
  db: Database,
  series: SeriesSet,
  range: Range,
  totals: ReadonlyMap<string, ReadonlyMap<number, DaySum>>,
): Promise<Map<number, DaySum>> {
  const samples = await readSamples(db, series, range);
  const united = new Map<number, { sum: DaySum; sample: VisitorSample; added: number; links: number }>();
  for (const [item, days] of totals) {
    for (const [day, { scans, repeats }] of days) {
      const found = united.get(day) ?? {
        sum: { scans: noCounts(), repeats: 0 },
        sample: new VisitorSample(),
        added: 0,
        links: 0,
      };
      united.set(day, found);
      scans.forEach((count, index) => {
        found.sum.scans[index] = (found.sum.scans[index] ?? 0) + count;
      });
      const sample = samples.get(`${item} ${day}`) ?? new VisitorSample();
      const visitors = limitVisitors(scans[0] ?? 0, repeats);
      found.added += Math.max(0, visitors - sample.count());
      found.links += Math.sign(visitors);
      found.sample.unite(sample);
    }
  }
  return new Map(
    [...united].map(([day, { sum, sample, added, links }]) => {
      const visitors = sample.count() + added;
      const isEstimated = added > 0 && links > 1;
      return [day, { ...sum, repeats: (sum.scans[0] ?? 0) - visitors, isEstimated }];
    }),
  );
}

/** Reads the visitors of each link and day. Returns none if they are too many. */
async function readSamples(
  db: Database,
  series: SeriesSet,
  range: Range,
): Promise<Map<string, VisitorSample>> {
  const sizes = selectVisitors(series, range, (column) => sql.raw(`octet_length(${column})`));
  const [size] = await db.all<ReadSize>(
    sql`SELECT coalesce(sum(text), 0) AS bytes, count(*) AS count FROM (${sizes} LIMIT ${ROWS_MAX + 1})`,
  );
  const samples = new Map<string, VisitorSample>();
  if (size === undefined || !isSmallRead(size)) return samples;
  const rows = await db.all<{ kind: "day" | "part" | "log"; item: string; day: number; text: string }>(
    selectVisitors(series, range, (column) => sql.raw(column === "log" ? column : `hex(${column})`)),
  );
  const open = (item: string, day: number) => {
    const sample = samples.get(`${item} ${day}`) ?? new VisitorSample();
    samples.set(`${item} ${day}`, sample);
    return sample;
  };
  for (const { kind, item, day, text } of rows) {
    if (kind === "day") {
      open(item, day).unite(await VisitorSample.unpack(text));
      continue;
    }
    for (const fact of parseFacts(kind === "log" ? text : await unpackText(text)))
      open(item, Math.floor(fact.quarter / QUARTERS_PER_DAY)).add(fact);
  }
  return samples;
}

/** Selects what is stored of visitors. `pick` returns the expression for a column's text. */
function selectVisitors(
  series: SeriesSet,
  range: Range,
  pick: (column: "visitors" | "facts" | "log") => SQL,
): SQL {
  const [fromMonth, toMonth] = listMonthBounds(range);
  const isOwn = sql`owner = unhex(${series.owner}) AND ${isInSet(series)}`;
  const isRecent = inRecentMonths(fromMonth, toMonth);
  return sql`SELECT 'day' AS kind, hex(item) AS item, day, ${pick("visitors")} AS text FROM scan_days
       WHERE ${isOwn} AND day >= ${Math.floor(range.fromMs / DAY_MS)} AND day < ${Math.ceil(range.toMs / DAY_MS)}
         AND octet_length(visitors) > 0
       UNION ALL
      SELECT 'part', hex(item), 0, ${pick("facts")} FROM scan_parts WHERE ${isOwn} AND ${isRecent}
       UNION ALL
      SELECT 'log', hex(item), 0, ${pick("log")} FROM scan_months WHERE ${isOwn} AND ${isRecent} AND log <> ''`;
}
