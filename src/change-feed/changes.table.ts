import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Log of link changes that redirects must see, in commit order. Triggers on `links` add a row for each
 * deletion and for each update of a column that redirects use. Triggers on `own_hosts` add a row with an
 * empty workspace and the host instead of the code. The last row is never deleted, because its number shows
 * how current a copy of the database is.
 */
export const targetChanges = sqliteTable("target_changes", {
  seq: integer().primaryKey({ autoIncrement: true }),
  workspaceId: text("workspace_id").notNull(),
  codeKey: text("code_key").notNull(),
  changedAt: integer("changed_at").notNull(),
});
