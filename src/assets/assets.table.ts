import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { tenants } from "../tenant/tenant.table.ts";
import { ASSET_STATUSES } from "./status.ts";

export const assets = sqliteTable(
  "assets",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => tenants.id),
    filename: text().notNull(),
    mimeType: text("mime_type").notNull(),
    /** Size in bytes as declared by the client. The upload must have exactly this size. */
    fileSize: integer("file_size").notNull(),
    status: text({ enum: ASSET_STATUSES }).notNull(),
    isPublic: integer("is_public", { mode: "boolean" }).notNull(),
    tags: text({ mode: "json" }).$type<string[]>().notNull(),
    /** R2 ETag of the confirmed file. Only this version can be published. Null while the asset is pending. */
    confirmedEtag: text("confirmed_etag"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    index("assets_newest").on(table.workspaceId, table.id),
    index("assets_pending").on(table.createdAt).where(sql`${table.status} = 'pending'`),
  ],
);

/**
 * Deleted assets whose files still have to be removed. The batch that deletes an asset adds a row here, so no
 * files are left behind if the Worker crashes before it removes them.
 */
export const deletedAssets = sqliteTable(
  "deleted_assets",
  {
    assetId: text("asset_id").primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    filename: text().notNull(),
    deletedAt: integer("deleted_at").notNull(),
    /** Time of the next attempt to remove the files. */
    dueAt: integer("due_at").notNull(),
  },
  (table) => [index("deleted_assets_due").on(table.dueAt)],
);
