import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Changes of links that redirects must see, in the order of their commits. Triggers on `links` write them: each deletion,
 * and each update of a column that redirects use. Triggers on `own_hosts` write a change with an empty workspace and the
 * host in place of the code. The last row stays, because its number tells how current a copy of the database is.
 */
export const targetChanges = sqliteTable("target_changes", {
  seq: integer().primaryKey({ autoIncrement: true }),
  workspaceId: text("workspace_id").notNull(),
  codeKey: text("code_key").notNull(),
  changedAt: integer("changed_at").notNull(),
});
