import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Reason why a name is in the table:
 * - `used`: a workspace used it until recently. Only this workspace may have it again.
 * - `reserved`: an administrator keeps it from all workspaces.
 * - `allowed`: an administrator released it, although `reserved-names.ts` contains it.
 */
export type HoldRule = "used" | "reserved" | "allowed";

/**
 * Short hosts, custom domains and slugs of bio pages that not every workspace can have. Printed codes with a
 * deleted name must not lead to another workspace's pages.
 */
export const heldNames = sqliteTable(
  "held_names",
  {
    /** Host name, or a slash and the slug of a bio page. */
    name: text().primaryKey(),
    rule: text().$type<HoldRule>().notNull(),
    /** Workspace that used the name last. It may be deleted. Null if an administrator decided. */
    workspaceId: text("workspace_id"),
    /** Null if an administrator decided. The sweep deletes the row after this time. */
    heldUntil: integer("held_until"),
  },
  (table) => [
    index("held_names_workspace").on(table.workspaceId, table.heldUntil),
    index("held_names_until").on(table.heldUntil),
  ],
);
