import { sqliteTable } from "drizzle-orm/sqlite-core";
import { entryColumns, entryKeys } from "./entry-columns.ts";

/** Audit log of changes to data in the directory: domains, keys, members, and workspaces themselves. */
export const directoryAuditLog = sqliteTable("audit_log", entryColumns(), entryKeys);
