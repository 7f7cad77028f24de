import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { workspaces } from "../tenant/workspaces.directory.table.ts";

/** API keys. Only the SHA-256 of a key's secret is stored. */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text().primaryKey(),
    /** The 8 characters after `svc_pk_`, by which a key is found and shown to its owner. */
    prefix: text().notNull(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    name: text().notNull(),
    secretHash: text("secret_hash").notNull(),
    /** JSON array of scopes; `*` includes every scope. */
    scopes: text({ mode: "json" }).$type<string[]>().notNull(),
    expiresAt: integer("expires_at"),
    /**
     * Time from which the key is rejected. The time is in the future for a rotated key that still works
     * beside the new key.
     */
    revokedAt: integer("revoked_at"),
    createdAt: integer("created_at").notNull(),
    /** Day of the last use, in days since 1970. Written by the key's first call of a day. */
    lastUsedDay: integer("last_used_day"),
    /** Id of the key that replaced this one in a rotation. */
    replacedBy: text("replaced_by"),
    /**
     * Id of the member who created the key, and their name at that time. Null if the administrator's command
     * created it.
     */
    createdBy: text("created_by"),
    createdByName: text("created_by_name"),
  },
  (table) => [
    uniqueIndex("api_keys_prefix").on(table.prefix),
    index("api_keys_newest").on(table.workspaceId, table.id),
  ],
);
