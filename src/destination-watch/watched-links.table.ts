import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Links whose destinations are checked, with the time of the next check. Redirects don't read the table. Triggers on
 * `links` add a link at its first scan of a day, make a changed destination due, and remove a deleted link. Moves
 * don't copy it. The table is WITHOUT ROWID; the migration was edited by hand.
 */
export const watchedLinks = sqliteTable(
  "watched_links",
  {
    linkId: text("link_id").primaryKey().notNull(),
    workspaceId: text("workspace_id").notNull(),
    /** Time of the next check in Unix milliseconds. */
    dueAt: integer("due_at").notNull().default(0),
    /** Number of failed checks in a row. */
    failures: integer().notNull().default(0),
  },
  (table) => [index("watched_links_due").on(table.dueAt)],
);
