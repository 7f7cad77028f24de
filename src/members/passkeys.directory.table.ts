import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * Passkeys of people (WebAuthn Level 3, https://www.w3.org/TR/webauthn-3/). A passkey belongs to an account and
 * works for all its workspaces. Triggers delete it when the account has no membership left.
 */
export const passkeys = sqliteTable(
  "passkeys",
  {
    id: text().primaryKey(),
    /** Account, as in `members`. */
    person: text().notNull(),
    /** Email address and name that a session started by the passkey shows. */
    email: text().notNull(),
    personName: text("person_name").notNull(),
    /** Name that the person has given to the passkey. */
    name: text().notNull(),
    /** Credential id in base64url. */
    credentialId: text("credential_id").notNull(),
    /** Public key in COSE format (RFC 9052), in base64url. */
    publicKey: text("public_key").notNull(),
    /** Signature counter of the authenticator, or 0 if it has none. A counter that doesn't grow reveals a clone. */
    counter: integer().notNull(),
    /** Ways to reach the authenticator, such as `["internal", "hybrid"]`. */
    transports: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
  },
  (table) => [
    uniqueIndex("passkeys_credential").on(table.credentialId),
    index("passkeys_account").on(table.person, table.id),
  ],
);
