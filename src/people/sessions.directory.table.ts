import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { workspaces } from "../tenant/workspaces.directory.table.ts";

/**
 * Sessions of people who are signed in. A session belongs to an e-mail address and not to a workspace: each call finds
 * the membership anew. The token is not stored, only its SHA-256.
 */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text().primaryKey(),
    tokenHash: text("token_hash").notNull().unique("sessions_token"),
    email: text().notNull(),
    name: text().notNull(),
    /** Issuer and subject of the identity provider that vouched for the address. Null after a sign-in link. */
    issuer: text(),
    subject: text(),
    /** Browser and operating system, such as "Firefox on Linux". */
    userAgent: text("user_agent").notNull(),
    createdAt: integer("created_at").notNull(),
    /** Time of the last call, written once a day. */
    lastSeenAt: integer("last_seen_at").notNull(),
    /** Time from which the session is refused: 14 days after it was last seen, 30 days after it began at most. */
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    index("sessions_person").on(table.email, table.id),
    index("sessions_expired").on(table.expiresAt),
  ],
);

/** Addresses that sign a member in once. The token is not stored, only its SHA-256. */
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
