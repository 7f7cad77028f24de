import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Idempotency keys of a workspace, an operation and its path parameters, each with the response to its first request. */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    workspaceId: text("workspace_id").notNull(),
    /** Path of the request, after the member if a person sent it. The same key on another path belongs to another request. */
    route: text().notNull(),
    key: text().notNull(),
    /** SHA-256 of the request body. */
    requestHash: text("request_hash").notNull(),
    /** Id of the request that holds the key. Its response is stored. */
    requestId: text("request_id").notNull(),
    /** Id of the first request with the key. A retry derives the ids of new resources from it. */
    firstRequestId: text("first_request_id").notNull().default(""),
    /** Time until which the request holds the key without a response. Afterwards the next request retries it. */
    heldUntil: integer("held_until").notNull().default(0),
    /** Status of the response. Null until the request is finished. */
    status: integer(),
    /** Body of the response, sealed. Null until the request is finished. */
    body: text(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.route, table.key] }),
    index("idempotency_keys_created").on(table.createdAt),
  ],
);
