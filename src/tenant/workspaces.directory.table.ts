import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { PlanName } from "./plans.ts";

/** Workspaces of the deployment, each with the shard that holds everything else of it. */
export const workspaces = sqliteTable(
  "workspaces",
  {
    /** Number of the workspace, never used again. Rows of its shard that need a short key begin with it. */
    number: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique("workspaces_id"),
    /** A workspace that is being created or erased has a slug that no other can have: see `deleted-name.ts`. */
    slug: text().notNull(),
    name: text().notNull(),
    description: text().notNull().default(""),
    plan: text().$type<PlanName>().notNull(),
    /** Number of the shard: of the binding `SHARD_{n}`. */
    shard: integer().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [uniqueIndex("workspaces_slug").on(table.slug), index("workspaces_shard").on(table.shard)],
);

/**
 * Short hosts of workspaces. `short_url` uses the host that was added first. Every shard has a copy of the names, in
 * `own_hosts`.
 */
export const domains = sqliteTable(
  "domains",
  {
    /** Order in which hosts were added. Shards copy the hosts in this order. */
    number: integer().primaryKey({ autoIncrement: true }),
    /** Name of the host. That of a deleted workspace has a name that no host can have: see `deleted-name.ts`. */
    hostname: text().notNull().unique("domains_hostname"),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("domains_workspace").on(table.workspaceId, table.number)],
);
