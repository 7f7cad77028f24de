import { type SQL, sql } from "drizzle-orm";
import { createValidationError } from "../core/error.ts";
import { DAY_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { DIMENSIONS, type Dimension } from "../scans/dimensions.ts";
import { TRAFFIC_CLASSES } from "../scans/traffic.ts";
import { QUARTER_MS, QUARTERS_PER_DAY } from "./buckets.ts";
import type { ScanFilter } from "./counts.ts";
import { getClassIndex, isLeftOut, OTHER, parseValueCounts, type ValueCounts } from "./day-counts.ts";
import { parseFacts } from "./fact-log.ts";
import { inRecentMonths, listMonthBounds } from "./month-rows.ts";
import { unpackText } from "./packed-text.ts";
import { FACT_DIMENSIONS, type Fact, type Series, WORKSPACE_SCANS } from "./series.ts";

/** Limits of one query: total size of the stored facts in bytes, and number of rows. */
const BYTES_MAX = 4_000_000;
const ROWS_MAX = 20_000;

/** Query for the facts that a filter selects. */
export interface FactQuery {
  series: Series;
  filter: ScanFilter;
  /** Dimensions whose values the caller uses. */
  dimensions: readonly Dimension[];
  /** Query parameter that the error names if there are too many facts. */
  field: string;
  /** Called with each fact and the item (the link) of the fact's series. */
  take(fact: Fact & { item: string }): void;
}

/**
 * Reads the facts that a filter selects. For a whole workspace, reads the facts of all its links, because
 * busy workspaces have no stored facts of their own. Values that the counts of a day combine as `other` are
 * `other` here too, so that filtered and unfiltered results match. Throws `VALIDATION_ERROR` if there are too
 * many facts to read.
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
      const capped = capValues(fact, known);
      if (isSelected(capped, query.filter)) query.take({ ...capped, item });
    }
  });
}

async function requireFewFacts(db: Database, query: FactQuery): Promise<void> {
  const sizes = selectFacts(query, sql`octet_length(facts)`, sql`octet_length(log)`);
  const [sum] = await db.all<{ bytes: number; count: number }>(
    sql`SELECT coalesce(sum(text), 0) AS bytes, count(*) AS count FROM (${sizes} LIMIT ${ROWS_MAX + 1})`,
  );
  if (sum === undefined || (sum.bytes <= BYTES_MAX && sum.count <= ROWS_MAX)) return;
  throw createValidationError({
    field: query.field,
    message: "matches too many scans in this range; use a shorter range or set link_id",
  });
}

/** Selects the stored facts of all whole days and months that overlap the range. */
function selectFacts({ series: { owner, item }, filter }: FactQuery, facts: SQL, log: SQL): SQL {
  const [fromMonth, toMonth] = listMonthBounds(filter);
  const days = JSON.stringify(listDays(filter));
  const isItem =
    item === WORKSPACE_SCANS ? sql`item <> unhex(${WORKSPACE_SCANS})` : sql`item = unhex(${item})`;
  return sql`SELECT 'facts' AS kind, hex(item) AS item, ${facts} AS text
      FROM json_each(${days}) AS days CROSS JOIN scan_facts ON day = days.value AND owner = unhex(${owner}) AND ${isItem}
     UNION ALL
    SELECT 'facts', hex(item), ${facts} FROM scan_parts
     WHERE owner = unhex(${owner}) AND month BETWEEN ${fromMonth} AND ${toMonth} AND ${isItem}
     UNION ALL
    SELECT 'log', hex(item), ${log} FROM scan_months
     WHERE ${inRecentMonths(fromMonth, toMonth)} AND owner = unhex(${owner}) AND ${isItem} AND log <> ''`;
}

function listDays({ fromMs, toMs }: ScanFilter): number[] {
  const firstDay = Math.floor(fromMs / DAY_MS);
  return Array.from({ length: Math.ceil(toMs / DAY_MS) - firstDay }, (_, index) => firstDay + index);
}

/**
 * For each day that has values counted as {@link OTHER}: the values that the day counts by name, by index of
 * the dimension in a fact.
 */
type KnownValues = Map<number, Map<number, ValueCounts>>;

async function readKnownValues(
  db: Database,
  { series, filter, dimensions }: FactQuery,
): Promise<KnownValues> {
  const [fromDay, toDay] = [Math.floor(filter.fromMs / DAY_MS), Math.ceil(filter.toMs / DAY_MS)];
  const rows = await db.all<{ day: number; text: string }>(
    sql`SELECT day, hex(counts) AS text FROM scan_days
         WHERE owner = unhex(${series.owner}) AND item = unhex(${series.item})
           AND day >= ${fromDay} AND day < ${toDay}`,
  );
  const known: KnownValues = new Map();
  for (const { day, text } of rows) {
    const counts = await unpackText(text);
    for (const dimension of dimensions) {
      const values = parseValueCounts(counts, DIMENSIONS[dimension]);
      if (!values.has(OTHER)) continue;
      const dayValues = known.get(day) ?? new Map();
      known.set(day, dayValues.set(FACT_DIMENSIONS.indexOf(dimension), values));
    }
  }
  return known;
}

function capValues(fact: Fact, known: KnownValues): Fact {
  const dayValues = known.size === 0 ? undefined : known.get(Math.floor(fact.quarter / QUARTERS_PER_DAY));
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
