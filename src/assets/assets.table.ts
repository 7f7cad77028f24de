import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { workspaces } from "../tenant/tenant.table.ts";
import { ASSET_STATUSES } from "./status.ts";

export const assets = sqliteTable(
  "assets",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    filename: text().notNull(),
    mimeType: text("mime_type").notNull(),
    /** As declared; the upload has exactly this many bytes. */
    fileSize: integer("file_size").notNull(),
    status: text({ enum: ASSET_STATUSES }).notNull(),
    isPublic: integer("is_public", { mode: "boolean" }).notNull(),
    tags: text({ mode: "json" }).$type<string[]>().notNull(),
    /** R2's ETag of the bytes that were confirmed: no others are published. Null while pending. */
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
 * Assets whose row is gone and whose bytes have to go: written in the batch that deletes the row, so that no crash
 * between the database and the buckets leaves bytes behind.
 */
export const deletedAssets = sqliteTable(
  "deleted_assets",
  {
    assetId: text("asset_id").primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    filename: text().notNull(),
    deletedAt: integer("deleted_at").notNull(),
    /** When the bytes are to be removed, the next time. */
    dueAt: integer("due_at").notNull(),
  },
  (table) => [index("deleted_assets_due").on(table.dueAt)],
);
