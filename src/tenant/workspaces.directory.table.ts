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
    /** Number of the host in `short_url`. While it is null, or names no host of the workspace, that is the first host. */
    primaryDomain: integer("primary_domain"),
  },
  (table) => [uniqueIndex("workspaces_slug").on(table.slug), index("workspaces_shard").on(table.shard)],
);

/**
 * Short hosts of workspaces: each belongs to one. What a workspace may set of a host, and hosts that it has not proved to
 * be its own yet, are in `domain_claims`, to which a trigger adds each host. Every shard has a copy of the names, in
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

/**
 * Hosts whose copies on the shards may differ from `domains`, because a host is being added or was removed. The sweep
 * settles those that a crash left.
 */
export const unsettledHosts = sqliteTable("unsettled_hosts", {
  hostname: text().primaryKey(),
  /** Number of the removed host. A copy with a later number is that of a host that was added since. */
  number: integer(),
  unsettledAt: integer("unsettled_at").notNull(),
});
