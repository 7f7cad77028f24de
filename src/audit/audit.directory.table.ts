import { sqliteTable } from "drizzle-orm/sqlite-core";
import { entryColumns, entryKeys } from "./entry-columns.ts";

/** Changes of what the directory has of a workspace: domains, keys, members, and the workspace itself. */
export const directoryAuditLog = sqliteTable("audit_log", entryColumns(), entryKeys);
