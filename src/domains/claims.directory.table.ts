import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { workspaces } from "../tenant/workspaces.directory.table.ts";

/**
 * Domains of workspaces, with their settings. Several workspaces may claim the same host; it is active for
 * the workspace that has it in `domains`. The large columns come last, so that SQLite can read the others
 * without them.
 */
export const domainClaims = sqliteTable(
  "domain_claims",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    hostname: text().notNull(),
    createdAt: integer("created_at").notNull(),
    /**
     * True if the claim counts against the plan. The first host and hosts added by an administrator don't.
     */
    isCounted: integer("is_counted", { mode: "boolean" }).notNull(),
    /** Time of the next lookup of the proof, or null while the host is active. */
    checkAt: integer("check_at"),
    /** Number of lookups by the cron. */
    checks: integer().notNull().default(0),
    /**
     * URLs, each with its host. If the host becomes a short host, visitors are no longer redirected to the
     * URL.
     */
    rootUrl: text("root_url"),
    rootHost: text("root_host"),
    notFoundUrl: text("not_found_url"),
    notFoundHost: text("not_found_host"),
    expiredUrl: text("expired_url"),
    expiredHost: text("expired_host"),
    /** Incremented with each change of a document. */
    documentVersion: integer("document_version").notNull().default(0),
    /** Documents served at the well-known paths, as JSON. */
    appleAppSiteAssociation: text("apple_app_site_association"),
    assetlinks: text(),
  },
  (table) => [
    uniqueIndex("domain_claims_hostname").on(table.workspaceId, table.hostname),
    index("domain_claims_newest").on(table.workspaceId, table.id),
    index("domain_claims_due").on(table.checkAt).where(sql`${table.checkAt} is not null`),
    index("domain_claims_oldest").on(table.createdAt).where(sql`${table.checkAt} is not null`),
  ],
);
