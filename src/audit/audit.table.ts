import { sqliteTable } from "drizzle-orm/sqlite-core";
import { entryColumns, entryKeys } from "./entry-columns.ts";

/** Audit log of changes to data on a workspace's shard. */
export const auditLog = sqliteTable("audit_log", entryColumns(), entryKeys);
