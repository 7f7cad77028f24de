import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Log of host changes that redirects must see, in commit order. Triggers on `domains` and `workspaces` add
 * rows. The last row is never deleted, because its number shows how current a copy of the directory is.
 */
export const hostChanges = sqliteTable("host_changes", {
  seq: integer().primaryKey({ autoIncrement: true }),
  hostname: text().notNull(),
  changedAt: integer("changed_at").notNull(),
});
