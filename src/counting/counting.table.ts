import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Ids of counted windows, so that a redelivered window counts once. */
export const countedWindows = sqliteTable(
  "counted_windows",
  {
    id: text().primaryKey(),
    countedAt: integer("counted_at").notNull(),
  },
  (table) => [index("counted_windows_counted").on(table.countedAt)],
);
