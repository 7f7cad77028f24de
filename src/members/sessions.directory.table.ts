import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { workspaces } from "../tenant/workspaces.directory.table.ts";

/**
 * Sessions of signed-in people. A session belongs to an account, not to a workspace: each call reads the
 * membership again. Only the SHA-256 of the token is stored.
 */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text().primaryKey(),
    tokenHash: text("token_hash").notNull().unique("sessions_token"),
    email: text().notNull(),
    name: text().notNull(),
    /**
     * Issuer and subject at the identity provider that authenticated the person. Null after a sign-in link.
     */
    issuer: text(),
    subject: text(),
    /** Browser and operating system, such as "Firefox on Linux". */
    userAgent: text("user_agent").notNull(),
    createdAt: integer("created_at").notNull(),
    /** Time of the last call, updated once a day. */
    lastSeenAt: integer("last_seen_at").notNull(),
    /** Expiry: 14 days after the session was last seen, at most 30 days after it started. */
    expiresAt: integer("expires_at").notNull(),
    /** Account of the person, as in `members`. A trigger sets it to `email` for a row without one. */
    person: text().notNull().default(""),
  },
  (table) => [
    index("sessions_account").on(table.person, table.id),
    index("sessions_expired").on(table.expiresAt),
  ],
);

/** Links that sign a member in once. Only the SHA-256 of the token is stored. */
export const signInLinks = sqliteTable(
  "sign_in_links",
  {
    tokenHash: text("token_hash").primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    email: text().notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    index("sign_in_links_expired").on(table.expiresAt),
    index("sign_in_links_workspace").on(table.workspaceId),
  ],
);
