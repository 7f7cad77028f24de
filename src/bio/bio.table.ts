import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { tenants } from "../tenant/tenant.table.ts";
import type { PageData } from "./bio.schema.ts";

export const bioPages = sqliteTable(
  "bio_pages",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => tenants.id),
    /**
     * Path on the bio host. Never changes. The directory's table `bio_slugs` keeps slugs unique across
     * workspaces.
     */
    slug: text().notNull(),
    title: text().notNull(),
    description: text().notNull(),
    pageData: text("page_data", { mode: "json" }).$type<PageData>().notNull(),
    /**
     * Hosts that the page links to. Triggers reject blocked hosts. Null for pages that weren't changed since this
     * column was added.
     */
    linkHosts: text("link_hosts", { mode: "json" }).$type<string[]>(),
    isPublished: integer("is_published", { mode: "boolean" }).notNull().default(false),
    /** Time of the latest publication. Kept when the page is unpublished. */
    publishedAt: integer("published_at"),
    viewCount: integer("view_count").notNull().default(0),
    clickCount: integer("click_count").notNull().default(0),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [index("bio_pages_newest").on(table.workspaceId, table.id)],
);
