import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Ids of counted slices of windows, so that redelivered windows (queue messages) count only once. A row
 * contains the slices of all windows created within about four seconds: with a row per slice, most of the
 * rows that a small batch writes would be ids. The table is WITHOUT ROWID.
 */
export const countedBuckets = sqliteTable("counted_buckets", {
  /** First 36 bits of the slices' UUIDs in hexadecimal: their time in units of 4,096 ms. */
  bucket: text().primaryKey(),
  /** 15 hexadecimal digits of the id (12 bits of its time, 48 random bits) and a space, for each slice. */
  ids: text().notNull(),
});
