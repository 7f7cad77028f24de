import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Hosts that an administrator has blocked as destinations, or has blocked and unblocked again. Every shard has a
 * copy. Triggers report changes to redirects.
 */
export const blockedHosts = sqliteTable("blocked_hosts", {
  /** Number of the last change. Each change gives the host a new number, in whose order shards copy changes. */
  number: integer().primaryKey({ autoIncrement: true }),
  hostname: text().notNull().unique("blocked_hosts_hostname"),
  isBlocked: integer("is_blocked", { mode: "boolean" }).notNull(),
  changedAt: integer("changed_at").notNull(),
});
