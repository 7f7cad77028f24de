import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Times of the sweeps, one row for the directory and one for each shard. */
export const sweepRuns = sqliteTable("sweep_runs", {
  /** `directory`, or `shard` and its number. */
  scope: text().primaryKey(),
  /** Time at which the last run started. */
  ranAt: integer("ran_at").notNull(),
  /** Time of the last run of each sweep that ended without an error, by name. */
  succeeded: text({ mode: "json" }).$type<Record<string, number>>().notNull(),
});

/** Numbers of requests that isolates reported, by the period in which they did. */
export const requestCounts = sqliteTable(
  "request_counts",
  {
    /** Start of the period. */
    startsAt: integer("starts_at").notNull(),
    /** Surface that was requested, such as `api` or `short`. */
    surface: text().notNull(),
    requests: integer().notNull(),
    /** Requests among them whose response had a status of 500 or above. */
    failures: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.startsAt, table.surface] })],
);
