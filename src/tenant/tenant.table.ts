import { sql } from "drizzle-orm";
import { check, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Number of low bits of a lane number. They count the lanes (one per webhook endpoint) of one workspace. */
export const LANE_BITS = 20;

/**
 * Workspaces on this shard. Rows of other tables reference them, so nothing can be written for a workspace on
 * another shard.
 */
export const tenants = sqliteTable(
  "tenants",
  {
    /** Id of the workspace. */
    id: text().primaryKey(),
    /**
     * Number of the workspace in the directory. Lane numbers, search terms and search index rows start with
     * it.
     */
    number: integer().notNull().unique("tenants_number"),
    /**
     * Number of links, maintained by triggers on `links`. Counting 100,000 rows would take longer than
     * reading a page.
     */
    linkCount: integer("link_count").notNull().default(0),
    /** Number of archived links, maintained by the same triggers. */
    archivedCount: integer("archived_count").notNull().default(0),
    /** Numbers of items in the trash by kind, maintained by triggers on `trash`. */
    trashedLinks: integer("trashed_links").notNull().default(0),
    trashedPages: integer("trashed_pages").notNull().default(0),
    trashedTemplates: integer("trashed_templates").notNull().default(0),
    /** Number of webhook lanes ever created. */
    laneCount: integer("lane_count").notNull().default(0),
  },
  (table) => [check("lane_count", sql`${table.laneCount} < 1048576`)],
);

/**
 * Copy of the host names in the directory's `domains`, on every shard. Triggers on `links` reject links to
 * these hosts. The table is WITHOUT ROWID; the migration was edited by hand.
 */
export const ownHosts = sqliteTable("own_hosts", {
  hostname: text().primaryKey(),
  /** Number in the directory. Null until the cron has copied it, because a new host is written here first. */
  number: integer().unique("own_hosts_number"),
});

/**
 * State of a shard in a workspace move. On the source: `leaving` while rows are copied, `pausing` while
 * running webhook turns end, `fenced` once no row may change, `left` once all rows are deleted. On the
 * target: `arriving` until it serves the workspace, then `settled`.
 */
export type TransitState = "leaving" | "pausing" | "fenced" | "left" | "arriving" | "settled";

/** Workspaces that are moving from or to this shard, or recently did. */
export const transits = sqliteTable("transits", {
  workspaceId: text("workspace_id").primaryKey().notNull(),
  /** Increases with each run of a mover. Writes of runs with a lower number are rejected. */
  epoch: integer().notNull(),
  state: text().$type<TransitState>().notNull(),
  /** Progress of the copy as JSON. Only on the target. */
  position: text(),
});

/** Resources limited by a plan. */
export type CountedResource =
  | "links"
  | "dynamic_qr"
  | "bio_pages"
  | "qr_templates"
  | "storage_bytes"
  | "webhooks";

/**
 * Usage of each limited resource. Each increment also writes the plan's current limit to `cap`, so that the
 * constraint `plan_cap` rejects excess usage, not an earlier check.
 */
export const usageCounters = sqliteTable(
  "usage_counters",
  {
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => tenants.id),
    resource: text().$type<CountedResource>().notNull(),
    /** Billing cycle (`YYYY-MM`, UTC) of a monthly limit. Empty for other limits. */
    cycle: text().notNull(),
    used: integer().notNull(),
    cap: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.resource, table.cycle] }),
    check("plan_cap", sql`${table.used} <= ${table.cap}`),
  ],
);
