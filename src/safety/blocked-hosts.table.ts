import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Copy of the directory's table, on every shard. Triggers on `links` and `bio_pages` reject these hosts and hosts
 * below them. The table is WITHOUT ROWID; the migration was edited by hand.
 */
export const blockedHosts = sqliteTable("blocked_hosts", {
  hostname: text().primaryKey(),
  /** Number in the directory. Null until the cron has copied it, because the administrator's command doesn't write it. */
  number: integer().unique("blocked_hosts_number"),
  isBlocked: integer("is_blocked", { mode: "boolean" }).notNull(),
});
