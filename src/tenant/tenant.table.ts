import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { PlanName } from "./plans.ts";

export const workspaces = sqliteTable(
  "workspaces",
  {
    id: text().primaryKey(),
    slug: text().notNull(),
    name: text().notNull(),
    description: text().notNull().default(""),
    plan: text().$type<PlanName>().notNull(),
    createdAt: integer("created_at").notNull(),
    /** How many links it has. Kept by triggers on `links`: to count 100,000 takes longer than to read a page of them. */
    linkCount: integer("link_count").notNull().default(0),
  },
  (table) => [uniqueIndex("workspaces_slug").on(table.slug)],
);

/** Which workspace a short host belongs to. The host added first is the one in `short_url`. */
export const domains = sqliteTable(
  "domains",
  {
    hostname: text().primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("domains_workspace").on(table.workspaceId, table.createdAt)],
);

export const members = sqliteTable(
  "members",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    email: text().notNull(),
    name: text().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [uniqueIndex("members_email").on(table.workspaceId, table.email)],
);

/** What a plan bounds. */
export type CountedResource =
  | "links"
  | "dynamic_qr"
  | "bio_pages"
  | "qr_templates"
  | "storage_bytes"
  | "webhooks";

/**
 * What a workspace uses of what its plan bounds. `cap` is the plan's at the last take: written with each count, so
 * that the constraint, not a check before, refuses what goes past it.
 */
export const usageCounters = sqliteTable(
  "usage_counters",
  {
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    resource: text().$type<CountedResource>().notNull(),
    /** UTC month (`YYYY-MM`) of what is bounded per billing cycle; empty for what is bounded for good. */
    cycle: text().notNull(),
    used: integer().notNull(),
    cap: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.resource, table.cycle] }),
    check("plan_cap", sql`${table.used} <= ${table.cap}`),
  ],
);
