import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Rows of leaving workspaces that changed during the copy. Written by the triggers in `move-triggers.ts`. */
export const movedRows = sqliteTable("moved_rows", {
  /** Order of the changes. */
  seq: integer().primaryKey({ autoIncrement: true }),
  workspaceId: text("workspace_id").notNull(),
  tableName: text("table_name").notNull(),
  /** Primary key as a JSON array, with bytes as hexadecimal digits. */
  key: text().notNull(),
});
