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
    /** Identifier of the request that holds the key, and whose answer is kept. */
    requestId: text("request_id").notNull(),
    /** Identifier of the first: what any request with the key makes has its ids from this one. */
    firstRequestId: text("first_request_id").notNull().default(""),
    /** Until when a request that has not been answered may take; then the next one repeats it. */
    heldUntil: integer("held_until").notNull().default(0),
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
