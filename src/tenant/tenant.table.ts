import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { PlanName } from "./plans.ts";

export const workspaces = sqliteTable(
  "workspaces",
  {
    id: text().primaryKey(),
    /** A deleted workspace that is being erased has a slug that no other can have: see `deleted-workspaces.ts`. */
    slug: text().notNull(),
    name: text().notNull(),
    description: text().notNull().default(""),
    plan: text().$type<PlanName>().notNull(),
    createdAt: integer("created_at").notNull(),
    /** Number of links. Triggers on `links` maintain it, since counting 100,000 rows takes longer than reading a page. */
    linkCount: integer("link_count").notNull().default(0),
    /** Number of the workspace in its database. A trigger sets it. Terms and rows of the search index begin with it. */
    number: integer(),
  },
  (table) => [
    uniqueIndex("workspaces_slug").on(table.slug),
    uniqueIndex("workspaces_number").on(table.number),
  ],
);

/** Short hosts of workspaces. `short_url` uses the host that was added first. */
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

/** Resources that a plan limits. */
export type CountedResource =
  | "links"
  | "dynamic_qr"
  | "bio_pages"
  | "qr_templates"
  | "storage_bytes"
  | "webhooks";

/**
 * Usage of each limited resource. Every increment also writes the plan's current cap, so that the constraint
 * `plan_cap`, and not an earlier check, rejects what exceeds it.
 */
export const usageCounters = sqliteTable(
  "usage_counters",
  {
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    resource: text().$type<CountedResource>().notNull(),
    /** Billing cycle (`YYYY-MM`, UTC) of a monthly limit; empty for a limit without cycles. */
    cycle: text().notNull(),
    used: integer().notNull(),
    cap: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.resource, table.cycle] }),
    check("plan_cap", sql`${table.used} <= ${table.cap}`),
  ],
);
