import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { workspaces } from "../tenant/workspaces.directory.table.ts";

/** API keys. The secret of a key is not stored, only its SHA-256. */
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
    /** Time from which the key is refused. It lies ahead while a rotated key still works beside the new one. */
    revokedAt: integer("revoked_at"),
    createdAt: integer("created_at").notNull(),
    /** Day of the last use, as the number of days since 1970. A key's first call of a day writes it. */
    lastUsedDay: integer("last_used_day"),
    /** Id of the key that a rotation made. */
    replacedBy: text("replaced_by"),
  },
  (table) => [
    uniqueIndex("api_keys_prefix").on(table.prefix),
    index("api_keys_newest").on(table.workspaceId, table.id),
  ],
);
