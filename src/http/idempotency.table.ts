import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The first answer to each Idempotency-Key of a workspace and route. */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    workspaceId: text("workspace_id").notNull(),
    /** Path of the request: the same key on another path is another request. */
    route: text().notNull(),
    key: text().notNull(),
    /** SHA-256 of the request's body. */
    requestHash: text("request_hash").notNull(),
    /** Identifier of the request that holds the key. */
    requestId: text("request_id").notNull(),
    /** Null while the first request is still being answered. */
    status: integer(),
    /** Sealed. */
    body: text(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.route, table.key] }),
    index("idempotency_keys_created").on(table.createdAt),
  ],
);
