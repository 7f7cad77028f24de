import { sql } from "drizzle-orm";
import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { tenants } from "../tenant/tenant.table.ts";

// D1 bills written rows, so counting a scan writes few of them: one row of its link and one of its workspace,
// each of which collects a whole month. The key of a series is (owner, item), both stored as bytes: see
// `series.ts`.
//
// Tables with long rows have a rowid. A WITHOUT ROWID table keeps only a quarter of a page per row and moves
// the rest to overflow pages (https://www.sqlite.org/withoutrowid.html). The rowid costs a second written
// row, the entry in the primary key's index, but only when a row is inserted.

const owner = blob({ mode: "buffer" }).notNull();
const item = blob({ mode: "buffer" }).notNull();
/** Months since year 0, UTC. */
const month = integer().notNull();
/** Days since 1970-01-01, UTC. */
const day = integer().notNull();

/** Totals of a month by traffic class. */
const totals = {
  human: integer().notNull(),
  bot: integer().notNull(),
  preview: integer().notNull(),
  prefetch: integer().notNull(),
  /** Totals by day of the month and class, as a JSON object: see `day-totals.ts`. */
  days: text().notNull(),
};

/** Totals of traffic classes that were added later. */
const laterTotals = { scanner: integer().notNull().default(0) };

/**
 * Months of a series that are still kept by day. The key begins with the month, so a sweep finds the oldest
 * rows first.
 */
export const scanMonths = sqliteTable(
  "scan_months",
  {
    month,
    owner,
    item,
    ...totals,
    /**
     * Number of times the log has been moved to other tables. A move is written only if this number hasn't
     * changed, so that two moves can't move the same log.
     */
    moves: integer().notNull(),
    /**
     * Facts appended since the last move: see `fact-log.ts`. After the other columns, so that reading these doesn't
     * read the log.
     */
    log: text().notNull(),
    ...laterTotals,
  },
  (table) => [primaryKey({ columns: [table.month, table.owner, table.item] })],
);

/** Counts of busy series per day and per value of each dimension. */
export const scanDays = sqliteTable(
  "scan_days",
  {
    owner,
    item,
    day,
    /** Counts as formatted by `day-counts.ts`, compressed by `packed-text.ts`. */
    counts: blob({ mode: "buffer" }).notNull(),
    /** Visitors of the day as formatted by `visitor-sample.ts`, compressed. Empty if there are none. */
    visitors: blob({ mode: "buffer" }).notNull().default(sql`x''`),
  },
  (table) => [primaryKey({ columns: [table.owner, table.item, table.day] })],
);

/**
 * Facts already counted in {@link scanDays}, kept only for filters. The key begins with the day, so a sweep
 * finds the oldest rows first.
 */
export const scanFacts = sqliteTable(
  "scan_facts",
  {
    day,
    owner,
    item,
    /** Value of `moves` in the month's row when the facts were moved. */
    part: integer().notNull(),
    /** Fact log, compressed by `packed-text.ts`. */
    facts: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.owner, table.item, table.part] })],
);

/** Facts of quiet series. They are counted when they are read. */
export const scanParts = sqliteTable(
  "scan_parts",
  {
    owner,
    month,
    item,
    /** Value of `moves` in the month's row when its first facts were moved. */
    part: integer().notNull(),
    facts: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.owner, table.month, table.item, table.part] })],
);

/**
 * Totals of series in months that {@link scanMonths} no longer has. Kept forever. The migration was edited by
 * hand to make the table WITHOUT ROWID.
 */
export const scanHistory = sqliteTable(
  "scan_history",
  { owner, month, item, ...totals, ...laterTotals },
  (table) => [primaryKey({ columns: [table.owner, table.month, table.item] })],
);

/**
 * Counts of whole months per value of each dimension: for every month in {@link scanHistory}, and for
 * finished months of busy series, so that reading a year doesn't read a row per day.
 */
export const scanHistoryCounts = sqliteTable(
  "scan_history_counts",
  {
    owner,
    month,
    item,
    /**
     * Number of scans in these counts. If {@link scanMonths} has a larger total for the month, the counts are
     * out of date and the days are read instead.
     */
    total: integer().notNull(),
    /** Counts as formatted by `day-counts.ts`, compressed by `packed-text.ts`. */
    counts: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.owner, table.month, table.item] })],
);

/**
 * Deleted bio pages whose series the sweep still has to delete. The migration was edited by hand to make the
 * table WITHOUT ROWID.
 */
export const deletedSeries = sqliteTable(
  "deleted_series",
  {
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => tenants.id),
    owner,
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.owner] })],
);

/** Rows that D1 wrote for each day's scans, as D1 reports and bills them: see `scan-costs.ts`. */
export const scanCosts = sqliteTable("scan_costs", {
  day: integer().primaryKey(),
  scans: integer().notNull(),
  /** Rows of links, roll-ups, counted windows and moved logs. */
  counted: integer().notNull(),
  /** Rows that sweeps deleted, folded and summed. */
  swept: integer().notNull(),
  /** Rows of `link.scanned` events. */
  events: integer().notNull(),
});
