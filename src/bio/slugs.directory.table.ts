import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { workspaces } from "../tenant/workspaces.directory.table.ts";

/** Slugs of bio pages, unique across workspaces, because they share a host. The pages are on the shards. */
export const bioSlugs = sqliteTable(
  "bio_slugs",
  {
    slug: text().primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    pageId: text("page_id").notNull(),
    /**
     * Time at which the page began to be created or deleted; null while it exists. A claim that stays unsettled was left
     * by a crash, and the sweep asks the shard.
     */
    unsettledAt: integer("unsettled_at"),
  },
  (table) => [
    index("bio_slugs_workspace").on(table.workspaceId),
    index("bio_slugs_unsettled").on(table.unsettledAt).where(sql`${table.unsettledAt} is not null`),
  ],
);
