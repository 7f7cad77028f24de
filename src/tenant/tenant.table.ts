import { sql } from "drizzle-orm";
import { check, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Bits of a lane's number that number the lanes of one workspace. */
export const LANE_BITS = 20;

/**
 * Workspaces of this shard. Rows of its other tables refer to them, so nothing can be written for a workspace that is
 * elsewhere.
 */
export const tenants = sqliteTable(
  "tenants",
  {
    /** Id of the workspace. */
    id: text().primaryKey(),
    /** Number of the workspace in the directory. Terms and rows of the search index, and lanes, begin with it. */
    number: integer().notNull().unique("tenants_number"),
    /** Number of links. Triggers on `links` maintain it, since counting 100,000 rows takes longer than reading a page. */
    linkCount: integer("link_count").notNull().default(0),
    /** Number of archived links among them, maintained in the same way. */
    archivedCount: integer("archived_count").notNull().default(0),
    /** Number of lanes of webhook endpoints that were ever made. */
    laneCount: integer("lane_count").notNull().default(0),
  },
  (table) => [check("lane_count", sql`${table.laneCount} < 1048576`)],
);

/**
 * Short hosts of all workspaces of the deployment, on every shard: a copy of the names in the directory's `domains`.
 * Triggers on `links` refuse a link that leads to one. WITHOUT ROWID, by hand.
 */
export const ownHosts = sqliteTable("own_hosts", {
  hostname: text().primaryKey(),
  /** Number in the directory. Null until the cron has copied the host: it is written here before it is added there. */
  number: integer().unique("own_hosts_number"),
});

/**
 * Part of a shard in the move of a workspace. On the source, `leaving` while its rows are copied, `pausing` while the
 * turns of its webhooks end, `fenced` once no row may change, `left` when it has none any more. On the target, `arriving`
 * until it serves the workspace, then `settled`.
 */
export type TransitState = "leaving" | "pausing" | "fenced" | "left" | "arriving" | "settled";

/** Workspaces that move from or to this shard, or did lately. */
export const transits = sqliteTable("transits", {
  workspaceId: text("workspace_id").primaryKey().notNull(),
  /** Grows with each run of a mover. What a run with a lower number still writes is refused. */
  epoch: integer().notNull(),
  state: text().$type<TransitState>().notNull(),
  /** Position of the copy, as JSON, on the target. */
  position: text(),
});

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
      .references(() => tenants.id),
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
