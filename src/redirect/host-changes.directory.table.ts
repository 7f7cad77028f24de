import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Changes of hosts that redirects must see, in the order of their commits. Triggers on `domains` and `workspaces` write
 * them. The last row stays, because its number tells how current a copy of the directory is.
 */
export const hostChanges = sqliteTable("host_changes", {
  seq: integer().primaryKey({ autoIncrement: true }),
  hostname: text().notNull(),
  changedAt: integer("changed_at").notNull(),
});
