import { index, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ResourceType } from "../audit/resource-type.ts";
import { tenants } from "../tenant/tenant.table.ts";

/** Kinds of items that deletions move to the trash. */
export type TrashKind = Extract<ResourceType, "link" | "bio_page" | "qr_template">;

/** Row of a deleted item by column name, with the values as the database stores them. */
export type TrashedRow = Readonly<Record<string, string | number | null>>;

/**
 * Deleted items that can be restored. They are removed from the tables of their kind, so that no other
 * statement has to leave them out. Triggers count the items in `tenants`, and mark the counts of erased bio
 * pages for deletion.
 */
export const trash = sqliteTable(
  "trash",
  {
    /** UUIDv7 with the time of the deletion, so that ids are in the order of deletions. */
    deletionId: text("deletion_id").notNull(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => tenants.id),
    kind: text().$type<TrashKind>().notNull(),
    /** Id that the item had, and has again after it is restored. */
    itemId: text("item_id").notNull(),
    item: text({ mode: "json" }).$type<TrashedRow>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.kind, table.deletionId] }),
    uniqueIndex("trash_item").on(table.itemId, table.kind),
    index("trash_oldest").on(table.deletionId),
  ],
);
