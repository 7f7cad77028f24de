import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { workspaces } from "../tenant/workspaces.directory.table.ts";

/**
 * Slugs of bio pages. A slug is unique across workspaces, because all pages share one host. The pages are on
 * the shards.
 */
export const bioSlugs = sqliteTable(
  "bio_slugs",
  {
    slug: text().primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    pageId: text("page_id").notNull(),
    /**
     * Time at which creating or deleting the page began, or null while the page exists. A claim that stays
     * unsettled was left by a crash. The sweep (a cron job) then looks for the page on the shard.
     */
    unsettledAt: integer("unsettled_at"),
  },
  (table) => [
    index("bio_slugs_workspace").on(table.workspaceId),
    index("bio_slugs_unsettled").on(table.unsettledAt).where(sql`${table.unsettledAt} is not null`),
  ],
);
