import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { RoutingRule } from "../routing/rules.ts";
import { tenants } from "../tenant/tenant.table.ts";

/** Texts and image that fetchers of link previews get. */
export interface LinkPreview {
  title: string | null;
  description: string | null;
  image_url: string | null;
}

export const links = sqliteTable(
  "links",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => tenants.id),
    shortCode: text("short_code").notNull(),
    /** Short code in lower case: unique in a workspace, and the key of every look-up. */
    codeKey: text("code_key").notNull(),
    /** True for a custom slug, which is found regardless of case. A generated code is found only as it is written. */
    isCustom: integer("is_custom", { mode: "boolean" }).notNull(),
    destination: text().notNull(),
    /** Host of the destination. The trigger `links_own_host_insert` and its siblings compare it with own hosts. */
    destinationHost: text("destination_host").notNull(),
    /** Hosts of the rules' destinations, compared in the same way. */
    ruleHosts: text("rule_hosts", { mode: "json" }).$type<string[]>().notNull(),
    enabled: integer({ mode: "boolean" }).notNull().default(true),
    labels: text({ mode: "json" }).$type<string[]>().notNull(),
    routingRules: text("routing_rules", { mode: "json" }).$type<RoutingRule[]>().notNull(),
    expiresAt: integer("expires_at"),
    scanCount: integer("scan_count").notNull().default(0),
    lastScanAt: integer("last_scan_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** Time of the first rendering of the QR code, which counts the link against the plan's `dynamic_qr`. */
    qrRenderedAt: integer("qr_rendered_at"),
    title: text(),
    note: text(),
    archived: integer({ mode: "boolean" }).notNull().default(false),
    startsAt: integer("starts_at"),
    earlyUrl: text("early_url"),
    /** Host of `early_url`, compared with own hosts as that of the destination. */
    earlyHost: text("early_host"),
    expiredUrl: text("expired_url"),
    /** Host of `expired_url`, compared in the same way. */
    expiredHost: text("expired_host"),
    maxScans: integer("max_scans"),
    passwordHash: text("password_hash"),
    forwardQuery: integer("forward_query", { mode: "boolean" }).notNull().default(false),
    preview: text({ mode: "json" }).$type<LinkPreview>(),
    importedScans: integer("imported_scans").notNull().default(0),
    /**
     * Number of scans by which lists are sorted, 0 without scans. Triggers follow `scan_count` in steps of a quarter,
     * because an index on the count itself would be written with each scan.
     */
    rankedScanCount: integer("ranked_scan_count").notNull().default(0),
    /** Time by which lists are sorted, null without scans. Triggers follow `last_scan_at` on the first scan of a day. */
    rankedScanAt: integer("ranked_scan_at"),
    /**
     * Row of the link in the search index: the number of its workspace in the upper bits, then a number that increases
     * with each link of the workspace ({@link POSITION_BITS} bits). A link without a position is not found by a search.
     */
    position: integer(),
  },
  (table) => [
    uniqueIndex("links_code").on(table.workspaceId, table.codeKey),
    index("links_newest").on(table.workspaceId, table.id),
    uniqueIndex("links_position").on(table.position),
    // The index has no entry for an enabled link, so creations and scans do not pay for it.
    index("links_disabled").on(table.workspaceId, table.id).where(sql`${table.enabled} = 0`),
    // Lists leave archived links out, and there can be any number of these in a row.
    index("links_listed").on(table.workspaceId, table.id).where(sql`${table.archived} = 0`),
    index("links_archived").on(table.workspaceId, table.id).where(sql`${table.archived} = 1`),
    index("links_most_scanned")
      .on(table.workspaceId, table.rankedScanCount, table.id)
      .where(sql`${table.rankedScanCount} > 0`),
    index("links_last_scanned")
      .on(table.workspaceId, table.rankedScanAt, table.id)
      .where(sql`${table.rankedScanAt} is not null`),
    // The objects that count the scans of these links are closed before the links of a workspace are erased.
    index("links_limited").on(table.workspaceId, table.id).where(sql`${table.maxScans} is not null`),
  ],
);

/** Bits of a position that number the links of one workspace. 53 bits have room for 2^25 workspaces. */
export const POSITION_BITS = 28;

/** Stored link. */
export type Link = typeof links.$inferSelect;

/**
 * Labels of links, each with its links in the order of their ids, so that a page of a label's links is read from
 * neighbouring rows. Triggers on `links` maintain it. The table is WITHOUT ROWID, which stores a row once, in the order
 * of its key; drizzle-kit cannot express that, so the migration was edited by hand.
 */
export const linkLabels = sqliteTable(
  "link_labels",
  {
    workspaceId: text("workspace_id").notNull(),
    label: text().notNull(),
    linkId: text("link_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.label, table.linkId] })],
);
