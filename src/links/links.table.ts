import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { RoutingRule } from "../routing/rules.ts";
import { workspaces } from "../tenant/tenant.table.ts";

export const links = sqliteTable(
  "links",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    shortCode: text("short_code").notNull(),
    /** The short code in lower case: what is unique, and what a redirect looks for. */
    codeKey: text("code_key").notNull(),
    /** A custom slug is found without regard to case, a generated code only as it is written. */
    isCustom: integer("is_custom", { mode: "boolean" }).notNull(),
    destination: text().notNull(),
    /** Host of the destination, and below those of the rules: what the trigger `links_own_host` compares with ours. */
    destinationHost: text("destination_host").notNull(),
    ruleHosts: text("rule_hosts", { mode: "json" }).$type<string[]>().notNull(),
    enabled: integer({ mode: "boolean" }).notNull().default(true),
    labels: text({ mode: "json" }).$type<string[]>().notNull(),
    routingRules: text("routing_rules", { mode: "json" }).$type<RoutingRule[]>().notNull(),
    expiresAt: integer("expires_at"),
    scanCount: integer("scan_count").notNull().default(0),
    lastScanAt: integer("last_scan_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** When its QR code was first rendered: from then on the link counts against the plan's `dynamic_qr`. */
    qrRenderedAt: integer("qr_rendered_at"),
  },
  (table) => [
    uniqueIndex("links_code").on(table.workspaceId, table.codeKey),
    index("links_newest").on(table.workspaceId, table.id),
  ],
);

/**
 * The labels of links once more, each with its links in the order of their ids, so that a page of a label's links is read
 * from neighbouring rows. Triggers on `links` keep it. WITHOUT ROWID (written into the migration by hand: drizzle-kit has
 * no word for it), which stores a row once, in the order of its key.
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
