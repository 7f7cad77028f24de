import { sqliteTable } from "drizzle-orm/sqlite-core";
import { entryColumns, entryKeys } from "./entry-columns.ts";

/** Changes of what is on the shard of a workspace. */
export const auditLog = sqliteTable("audit_log", entryColumns(), entryKeys);
