import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { PlanName } from "./plans.ts";

/** Workspaces of the deployment, with the shard that stores their data. */
export const workspaces = sqliteTable(
  "workspaces",
  {
    /**
     * Number of the workspace, never reused. Lane numbers and search terms on its shard start with this
     * number.
     */
    number: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique("workspaces_id"),
    /**
     * Workspaces that are being created or erased have a slug that no other workspace can have, see
     * `deleted-name.ts`.
     */
    slug: text().notNull(),
    name: text().notNull(),
    description: text().notNull().default(""),
    plan: text().$type<PlanName>().notNull(),
    /** Number of the shard's binding, `SHARD_{n}`. */
    shard: integer().notNull(),
    createdAt: integer("created_at").notNull(),
    /**
     * Number of the primary domain, used in `short_url`. If null or not one of the workspace's hosts, the
     * first host is used.
     */
    primaryDomain: integer("primary_domain"),
    /** Time since which an administrator has suspended the workspace. */
    suspendedAt: integer("suspended_at"),
  },
  (table) => [
    uniqueIndex("workspaces_slug").on(table.slug),
    index("workspaces_shard").on(table.shard),
    index("workspaces_suspended").on(table.id).where(sql`${table.suspendedAt} is not null`),
  ],
);

/**
 * Short hosts of workspaces. Each host belongs to one workspace. Host settings and unverified hosts are in
 * `domain_claims`, to which a trigger adds all hosts. Every shard has a copy of the names in `own_hosts`.
 */
export const domains = sqliteTable(
  "domains",
  {
    /** Order in which hosts were added. Shards copy hosts in this order. */
    number: integer().primaryKey({ autoIncrement: true }),
    hostname: text().notNull().unique("domains_hostname"),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("domains_workspace").on(table.workspaceId, table.number)],
);

/**
 * Hosts whose copies on the shards may differ from `domains`, because the host is being added or was removed.
 * A sweep settles hosts of deleted workspaces and hosts left over from crashes.
 */
export const unsettledHosts = sqliteTable("unsettled_hosts", {
  hostname: text().primaryKey(),
  /** Number of the removed host. A copy with a higher number belongs to a host that was added since. */
  number: integer(),
  unsettledAt: integer("unsettled_at").notNull(),
});
