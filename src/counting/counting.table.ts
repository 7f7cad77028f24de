import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Ids of counted parts of windows, so that a redelivered window counts once. A row holds the parts of all windows that were made within four
 * seconds, because a row for each would be most of what a small batch writes. WITHOUT ROWID.
 */
export const countedBuckets = sqliteTable("counted_buckets", {
  /** First 36 bits of the parts' UUIDs in hexadecimal: their time in units of 4,096 ms. */
  bucket: text().primaryKey(),
  /** For each part 15 hexadecimal digits of its id (12 of its time, 48 random bits) and a space. */
  ids: text().notNull(),
});
