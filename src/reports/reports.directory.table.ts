import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { workspaces } from "../tenant/workspaces.directory.table.ts";

/**
 * Shared reports. They are in the directory, because the URL of a report doesn't name its workspace, so that
 * nothing has to be moved with a workspace. Only the SHA-256 of a report's token is stored.
 */
export const reports = sqliteTable(
  "reports",
  {
    id: text().primaryKey(),
    tokenHash: text("token_hash").notNull().unique("reports_token"),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    title: text().notNull(),
    /** Ids of the links. Null for a report on a label. */
    linkIds: text("link_ids", { mode: "json" }).$type<string[]>(),
    /** Label of the links. Null for a report on chosen links. */
    label: text(),
    /** Number of days up to the present day. Null for fixed dates. */
    days: integer(),
    /** First and last day (`YYYY-MM-DD`, UTC), or null for days up to the present day. */
    fromDate: text("from_date"),
    toDate: text("to_date"),
    expiresAt: integer("expires_at"),
    passwordHash: text("password_hash"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("reports_newest").on(table.workspaceId, table.id)],
);

/** Report as stored. */
export type Report = typeof reports.$inferSelect;
