import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Idempotency keys with the response to the first request. A key belongs to a workspace, an operation and its
 * path parameters.
 */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    workspaceId: text("workspace_id").notNull(),
    /**
     * Request path, prefixed with the member if a person sent the request. The same key on another path
     * belongs to another request.
     */
    route: text().notNull(),
    key: text().notNull(),
    /** Keyed hash (HMAC-SHA256) of the request body. */
    requestHash: text("request_hash").notNull(),
    /** Id of the request that holds the key and whose response is stored. */
    requestId: text("request_id").notNull(),
    /** Id of the first request with the key. Retries derive the ids of new resources from it. */
    firstRequestId: text("first_request_id").notNull().default(""),
    /**
     * Time until which the request holds the key without a response. After this time, the next request runs
     * as a retry.
     */
    heldUntil: integer("held_until").notNull().default(0),
    /** Status of the response. Null while the request is running. */
    status: integer(),
    /** Sealed body of the response. Null while the request is running. */
    body: text(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.route, table.key] }),
    index("idempotency_keys_created").on(table.createdAt),
  ],
);
