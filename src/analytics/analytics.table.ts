import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * What scans are counted for: a workspace as a whole (empty `linkId`) or one of its links. Its small number stands in
 * the roll-ups where two UUIDs would take most of each row. It stays when the link is deleted, as its scans do.
 */
export const scanSeries = sqliteTable(
  "scan_series",
  {
    id: integer().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    linkId: text("link_id").notNull(),
  },
  (table) => [uniqueIndex("scan_series_of").on(table.workspaceId, table.linkId)],
);

// The tables below are WITHOUT ROWID (written into the migration by hand: drizzle-kit has no word for it), so that
// a row is stored once, in the order of its key, and a range of time is read from neighbouring pages.

/** Scans of a series in each hour. */
export const scanHours = sqliteTable(
  "scan_hours",
  {
    seriesId: integer("series_id").notNull(),
    /** Hours since 1970, UTC. */
    hour: integer().notNull(),
    scans: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.seriesId, table.hour] })],
);

/** Scans of a series on each day, by the values of each dimension. The dimension `link` is that of workspaces only. */
export const scanValues = sqliteTable(
  "scan_values",
  {
    seriesId: integer("series_id").notNull(),
    /** As numbered in `DIMENSIONS`. */
    dimension: integer().notNull(),
    /** Days since 1970, UTC. */
    day: integer().notNull(),
    /** Empty where it is not known. */
    value: text().notNull(),
    scans: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.seriesId, table.dimension, table.day, table.value] })],
);

/**
 * The same for calendar months, of workspaces only: a year of a workspace with a thousand links or regions would else be
 * read from as many rows a day.
 */
export const scanMonthValues = sqliteTable(
  "scan_month_values",
  {
    seriesId: integer("series_id").notNull(),
    dimension: integer().notNull(),
    /** Months since the year 0, UTC. */
    month: integer().notNull(),
    value: text().notNull(),
    scans: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.seriesId, table.dimension, table.month, table.value] })],
);
