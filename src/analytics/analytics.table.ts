import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { tenants } from "../tenant/tenant.table.ts";

// D1 bills written rows, so a scan is written to few of them: one of its link and one of its workspace, each of which
// collects what a month brings. The key of a series is (owner, item), both as bytes: see `series.ts`. Tables with long
// rows have a rowid, because a table without one keeps only a quarter of a page of a row and spills the rest to pages of
// its own (https://www.sqlite.org/withoutrowid.html). Their second row, in the index of the key, is written only when a
// row is inserted.

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

/** Series in the months that are still kept by day. Ordered by time, so that a sweep finds the oldest first. */
export const scanMonths = sqliteTable(
  "scan_months",
  {
    month,
    owner,
    item,
    ...totals,
    /** Number of times that the log was moved out. It guards a move against another one. */
    moves: integer().notNull(),
    /** Facts that were appended since the last move: see `fact-log.ts`. */
    log: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.month, table.owner, table.item] })],
);

/** Counts of busy series by day and by the values of each dimension. */
export const scanDays = sqliteTable(
  "scan_days",
  {
    owner,
    item,
    day,
    /** See `day-counts.ts`, compressed: see `packed-text.ts`. */
    counts: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.owner, table.item, table.day] })],
);

/** Facts that are counted in {@link scanDays}, kept for filters only. Ordered by time, so that a sweep finds the oldest first. */
export const scanFacts = sqliteTable(
  "scan_facts",
  {
    day,
    owner,
    item,
    /** `moves` of the month's row when the facts were moved. */
    part: integer().notNull(),
    /** Compressed: see `packed-text.ts`. */
    facts: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.owner, table.item, table.part] })],
);

/** Facts of quiet series, which are counted when they are read. */
export const scanParts = sqliteTable(
  "scan_parts",
  {
    owner,
    month,
    item,
    /** `moves` of the month's row when the facts were moved. */
    part: integer().notNull(),
    facts: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.owner, table.month, table.item, table.part] })],
);

/** Totals of series in the months before those of {@link scanMonths}, kept for ever. WITHOUT ROWID, by hand. */
export const scanHistory = sqliteTable("scan_history", { owner, month, item, ...totals }, (table) => [
  primaryKey({ columns: [table.owner, table.month, table.item] }),
]);

/**
 * Counts of months by the values of each dimension: of those in {@link scanHistory}, and of busy series in a month that
 * is over, so that a year is not read from a row for each day.
 */
export const scanHistoryCounts = sqliteTable(
  "scan_history_counts",
  {
    owner,
    month,
    item,
    /** Scans that are counted. If {@link scanMonths} has more of the month, the days are read instead. */
    total: integer().notNull(),
    /** See `day-counts.ts`, compressed. */
    counts: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.owner, table.month, table.item] })],
);

/** Deleted bio pages whose series are still there, for the sweep. WITHOUT ROWID, by hand. */
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

/** Rows that D1 wrote for the scans of a day, as it reports and bills them: see `scan-costs.ts`. */
export const scanCosts = sqliteTable("scan_costs", {
  day: integer().primaryKey(),
  scans: integer().notNull(),
  /** Rows of links, roll-ups and windows, and of logs that were moved. */
  counted: integer().notNull(),
  /** Rows that sweeps deleted, folded and summed. */
  swept: integer().notNull(),
  /** Rows of `link.scanned` events. */
  events: integer().notNull(),
});
