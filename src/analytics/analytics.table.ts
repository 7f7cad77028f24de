import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * Series of scans: those of a workspace (empty `linkId`) or of one of its links. Roll-ups refer to the small id, since
 * two UUIDs would take most of each row. A series outlives its link, because its scans stay counted.
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

// The tables below are WITHOUT ROWID, so that a row is stored once, in the order of its key, and a range of time is read
// from neighbouring pages. drizzle-kit cannot express that, so the migration was edited by hand.

/** Scans of a series by hour. */
export const scanHours = sqliteTable(
  "scan_hours",
  {
    seriesId: integer("series_id").notNull(),
    /** Hours since 1970-01-01 00:00 UTC. */
    hour: integer().notNull(),
    scans: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.seriesId, table.hour] })],
);

/** Scans of a series by day and by the values of each dimension. Only series of workspaces have the dimension `link`. */
export const scanValues = sqliteTable(
  "scan_values",
  {
    seriesId: integer("series_id").notNull(),
    /** Number of the dimension in `DIMENSIONS`. */
    dimension: integer().notNull(),
    /** Days since 1970-01-01, UTC. */
    day: integer().notNull(),
    /** Empty if unknown. */
    value: text().notNull(),
    scans: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.seriesId, table.dimension, table.day, table.value] })],
);

/**
 * Scans of workspaces by calendar month and by the values of each dimension. Without it, a year of a workspace with a
 * thousand links would be read from a thousand rows a day.
 */
export const scanMonthValues = sqliteTable(
  "scan_month_values",
  {
    seriesId: integer("series_id").notNull(),
    dimension: integer().notNull(),
    /** Months since year 0, UTC. */
    month: integer().notNull(),
    value: text().notNull(),
    scans: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.seriesId, table.dimension, table.month, table.value] })],
);
