import { type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { DIMENSIONS, type Dimension } from "../scans/dimensions.ts";
import { TRAFFIC_CLASSES } from "../scans/traffic.ts";
import { QUARTER_MS, QUARTERS_PER_DAY } from "./buckets.ts";
import type { ScanFilter } from "./counts.ts";
import { getClassIndex, isLeftOut, OTHER, parseValueCounts, type ValueCounts } from "./day-counts.ts";
import { parseFacts } from "./fact-log.ts";
import { inRecentMonths, isInSet, listMonthBounds } from "./month-rows.ts";
import { unpackText } from "./packed-text.ts";
import { type ReadSize, ROWS_MAX, requireSmallRead } from "./read-limits.ts";
import { FACT_DIMENSIONS, type Fact, type SeriesSet, WORKSPACE_SCANS } from "./series.ts";

/** Query for the facts that a filter selects. */
export interface FactQuery {
  series: SeriesSet;
  filter: ScanFilter;
  /** Dimensions whose values the caller uses. */
  dimensions: readonly Dimension[];
  /** Query parameter that the error names if there are too many facts. */
  field: string;
  /** Called with each fact and the item (the link) of the fact's series. */
  take(fact: Fact & { item: string }): void;
}

/**
 * Reads the facts that a filter selects. For a workspace or a label, reads the facts of each link. Values that
 * the counts of a day combine as `other` are `other` here too, so that filtered and unfiltered results match.
 * Throws `VALIDATION_ERROR` if there are too many facts to read.
 */
export async function readFacts(db: Database, query: FactQuery): Promise<void> {
  await requireFewFacts(db, query);
  const rows = await db.all<{ kind: "facts" | "log"; item: string; text: string }>(
    selectFacts(query, sql`hex(facts)`, sql`log`),
  );
  const known = await readKnownValues(db, query);
  const texts = await Promise.all(rows.map(({ kind, text }) => (kind === "log" ? text : unpackText(text))));
  rows.forEach(({ item }, index) => {
    for (const fact of parseFacts(texts[index] as string)) {
      const capped = capValues(fact, known, query.series.label === undefined ? query.series.item : item);
      if (isSelected(capped, query.filter)) query.take({ ...capped, item });
    }
  });
}

async function requireFewFacts(db: Database, query: FactQuery): Promise<void> {
  const sizes = selectFacts(query, sql`octet_length(facts)`, sql`octet_length(log)`);
  // Only the links of a label have many days.
  const days = sql` UNION ALL SELECT 'day', item, text FROM (${selectDays(query, sql`octet_length(counts)`)})`;
  const read = query.series.label === undefined ? sizes : sql`${sizes}${days}`;
  const [size] = await db.all<ReadSize>(
    sql`SELECT coalesce(sum(text), 0) AS bytes, count(*) AS count FROM (${read} LIMIT ${ROWS_MAX + 1})`,
  );
  if (size !== undefined) requireSmallRead(query.field, size);
}

/** Selects the stored facts of all whole days and months that overlap the range. */
function selectFacts({ series, filter }: FactQuery, facts: SQL, log: SQL): SQL {
  const { owner, item, label } = series;
  const [fromMonth, toMonth] = listMonthBounds(filter);
  const days = JSON.stringify(listDays(filter));
  const isOfAny = item === WORKSPACE_SCANS && label === undefined;
  const isItem = isOfAny ? sql`item <> unhex(${WORKSPACE_SCANS})` : isInSet(series);
  return sql`SELECT 'facts' AS kind, hex(item) AS item, ${facts} AS text
      FROM json_each(${days}) AS days CROSS JOIN scan_facts ON day = days.value AND owner = unhex(${owner}) AND ${isItem}
     UNION ALL
    SELECT 'facts', hex(item), ${facts} FROM scan_parts
     WHERE owner = unhex(${owner}) AND ${inRecentMonths(fromMonth, toMonth)} AND ${isItem}
     UNION ALL
    SELECT 'log', hex(item), ${log} FROM scan_months
     WHERE ${inRecentMonths(fromMonth, toMonth)} AND owner = unhex(${owner}) AND ${isItem} AND log <> ''`;
}

function listDays({ fromMs, toMs }: ScanFilter): number[] {
  const firstDay = Math.floor(fromMs / DAY_MS);
  return Array.from({ length: Math.ceil(toMs / DAY_MS) - firstDay }, (_, index) => firstDay + index);
}

/** Selects the stored counts of the days of a query's series. */
function selectDays({ series, filter }: FactQuery, counts: SQL): SQL {
  const [fromDay, toDay] = [Math.floor(filter.fromMs / DAY_MS), Math.ceil(filter.toMs / DAY_MS)];
  return sql`SELECT hex(item) || ' ' || day AS item, ${counts} AS text FROM scan_days
     WHERE owner = unhex(${series.owner}) AND ${isInSet(series)} AND day >= ${fromDay} AND day < ${toDay}`;
}

/**
 * For each day of a series that has values counted as {@link OTHER}: the values that the day counts by name, by
 * index of the dimension in a fact. The key consists of the series' item and the day.
 */
type KnownValues = Map<string, Map<number, ValueCounts>>;

async function readKnownValues(db: Database, query: FactQuery): Promise<KnownValues> {
  const rows = await db.all<{ item: string; text: string }>(selectDays(query, sql`hex(counts)`));
  const known: KnownValues = new Map();
  for (const { item: key, text } of rows) {
    const counts = await unpackText(text);
    for (const dimension of query.dimensions) {
      const values = parseValueCounts(counts, DIMENSIONS[dimension]);
      if (!values.has(OTHER)) continue;
      const dayValues = known.get(key) ?? new Map();
      known.set(key, dayValues.set(FACT_DIMENSIONS.indexOf(dimension), values));
    }
  }
  return known;
}

function capValues(fact: Fact, known: KnownValues, item: string): Fact {
  const day = Math.floor(fact.quarter / QUARTERS_PER_DAY);
  const dayValues = known.size === 0 ? undefined : known.get(`${item.toUpperCase()} ${day}`);
  if (dayValues === undefined) return fact;
  const values = [...fact.values];
  for (const [index, counts] of dayValues) {
    const value = values[index] ?? "";
    if (!counts.has(value) && !isLeftOut(FACT_DIMENSIONS[index] as Dimension, value)) values[index] = OTHER;
  }
  return { ...fact, values };
}

function isSelected(fact: Fact, { fromMs, toMs, traffic, values }: ScanFilter): boolean {
  const timeMs = fact.quarter * QUARTER_MS;
  if (timeMs < fromMs || timeMs >= toMs) return false;
  if (traffic !== null && TRAFFIC_CLASSES[getClassIndex(fact)] !== traffic) return false;
  for (const [dimension, value] of values) {
    if ((fact.values[FACT_DIMENSIONS.indexOf(dimension)] ?? "") !== value) return false;
  }
  return true;
}
