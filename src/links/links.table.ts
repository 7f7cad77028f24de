import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { RoutingRule } from "../routing/rules.ts";
import { tenants } from "../tenant/tenant.table.ts";

/** Texts and image served to link preview fetchers. */
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
    /** Short code in lower case. Unique within a workspace; used for all look-ups. */
    codeKey: text("code_key").notNull(),
    /** True for custom slugs, which match in any case. Generated codes match only as written. */
    isCustom: integer("is_custom", { mode: "boolean" }).notNull(),
    destination: text().notNull(),
    /**
     * Host of the destination. Triggers such as `links_own_host_insert` reject a host that a workspace added.
     */
    destinationHost: text("destination_host").notNull(),
    /** Hosts of the rules' destinations, checked by the same triggers. */
    ruleHosts: text("rule_hosts", { mode: "json" }).$type<string[]>().notNull(),
    enabled: integer({ mode: "boolean" }).notNull().default(true),
    labels: text({ mode: "json" }).$type<string[]>().notNull(),
    routingRules: text("routing_rules", { mode: "json" }).$type<RoutingRule[]>().notNull(),
    expiresAt: integer("expires_at"),
    scanCount: integer("scan_count").notNull().default(0),
    lastScanAt: integer("last_scan_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** Time of the QR code's first rendering, which counts the link against the plan's `dynamic_qr`. */
    qrRenderedAt: integer("qr_rendered_at"),
    title: text(),
    note: text(),
    archived: integer({ mode: "boolean" }).notNull().default(false),
    startsAt: integer("starts_at"),
    earlyUrl: text("early_url"),
    /** Host of `early_url`, checked by the same triggers. */
    earlyHost: text("early_host"),
    expiredUrl: text("expired_url"),
    /** Host of `expired_url`, checked by the same triggers. */
    expiredHost: text("expired_host"),
    maxScans: integer("max_scans"),
    passwordHash: text("password_hash"),
    forwardQuery: integer("forward_query", { mode: "boolean" }).notNull().default(false),
    preview: text({ mode: "json" }).$type<LinkPreview>(),
    importedScans: integer("imported_scans").notNull().default(0),
    /**
     * Scan count by which lists are sorted; 0 without scans. Triggers update it only when `scan_count` has
     * grown by a quarter, because an index on the exact count would be written with each scan.
     */
    rankedScanCount: integer("ranked_scan_count").notNull().default(0),
    /**
     * Last scan by which lists are sorted; null without scans. Triggers update it on the first scan of a day.
     */
    rankedScanAt: integer("ranked_scan_at"),
    /**
     * Rowid of the link in the search index: the workspace's number in the upper bits, then a number that
     * increases with each link of the workspace ({@link POSITION_BITS} bits). Links without a position aren't
     * found by searches.
     */
    position: integer(),
    /** Further paths of the link, as shown. Triggers copy them to `link_aliases`. */
    aliases: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    /** Aliases that are former short codes. These match in any case. */
    formerCodes: text("former_codes", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** Id of the link in the caller's system. */
    externalId: text("external_id"),
    /** Template of the link's QR code. It may have been deleted since, so it is no reference. */
    qrTemplateId: text("qr_template_id"),
    /**
     * Time since which an administrator has banned the link. Triggers reject its deletion, and updates that set
     * `updated_at`.
     */
    bannedAt: integer("banned_at"),
    /** True if visitors have to press a button before they are redirected. */
    confirm: integer({ mode: "boolean" }).notNull().default(false),
    /** Result of the last checks of the destination; null before the first one, or if it isn't checked. */
    destinationStatus: text("destination_status").$type<"ok" | "broken">(),
  },
  (table) => [
    uniqueIndex("links_external")
      .on(table.workspaceId, table.externalId)
      .where(sql`${table.externalId} is not null`),
    uniqueIndex("links_code").on(table.workspaceId, table.codeKey),
    index("links_newest").on(table.workspaceId, table.id),
    uniqueIndex("links_position").on(table.position),
    // Contains only disabled links, so that creations and scans don't write to it.
    index("links_disabled").on(table.workspaceId, table.id).where(sql`${table.enabled} = 0`),
    // Lists leave out archived links by default. Without this index, they might read many adjacent archived
    // links.
    index("links_listed").on(table.workspaceId, table.id).where(sql`${table.archived} = 0`),
    index("links_archived").on(table.workspaceId, table.id).where(sql`${table.archived} = 1`),
    index("links_most_scanned")
      .on(table.workspaceId, table.rankedScanCount, table.id)
      .where(sql`${table.rankedScanCount} > 0`),
    index("links_last_scanned")
      .on(table.workspaceId, table.rankedScanAt, table.id)
      .where(sql`${table.rankedScanAt} is not null`),
    // Used by `npm run admin`, and to lift bans before a workspace's links are erased.
    index("links_banned").on(table.workspaceId, table.id).where(sql`${table.bannedAt} is not null`),
    // Used to list the links whose destination is broken.
    index("links_broken").on(table.workspaceId, table.id).where(sql`${table.destinationStatus} = 'broken'`),
    // Used to close the gates that count the scans of limited links before a workspace's links are erased.
    index("links_limited").on(table.workspaceId, table.id).where(sql`${table.maxScans} is not null`),
  ],
);

/**
 * Bits of a position that number the links of one workspace. With 53 bits in total, 2^25 workspaces are
 * possible.
 */
export const POSITION_BITS = 28;

export type Link = typeof links.$inferSelect;

/**
 * Links by label, in the order of their ids, so that a page of a label's links is read from adjacent rows.
 * Triggers on `links` maintain this table. The table is WITHOUT ROWID, which stores each row once, in key
 * order. drizzle-kit can't express this, so the migration was edited by hand.
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

/**
 * Aliases of links. Triggers on `links` maintain this table, and reject an alias or a short code that another
 * link has. The view `link_addresses` shows short codes and aliases together. The table is WITHOUT ROWID.
 * drizzle-kit can't express these, so the migration was edited by hand.
 */
export const linkAliases = sqliteTable(
  "link_aliases",
  {
    workspaceId: text("workspace_id").notNull(),
    /** Path with A to Z in lower case, as in the column of `links`. */
    codeKey: text("code_key").notNull(),
    path: text().notNull(),
    /** True for former short codes, which match in any case. */
    isFormerCode: integer("is_former_code", { mode: "boolean" }).notNull(),
    linkId: text("link_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.codeKey, table.path] })],
);
