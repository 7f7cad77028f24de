import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Role } from "../permissions/roles.ts";
import { workspaces } from "../tenant/workspaces.directory.table.ts";

/**
 * Members of workspaces. A person may be a member of several workspaces. Triggers reject addresses with capital
 * letters, so that the unique index ignores case. When a membership ends, triggers delete what gave access: the
 * person's sessions and passkeys if they have no other workspace, and the links for this member.
 */
export const members = sqliteTable(
  "members",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    /** Email address in lower case, see `normalizeEmail`. */
    email: text().notNull(),
    name: text().notNull(),
    createdAt: integer("created_at").notNull(),
    role: text().$type<Role>().notNull().default("viewer"),
    /** False if the identity provider has deactivated the member. Their next call is rejected. */
    isActive: integer("is_active", { mode: "boolean" }).notNull().default(true),
    /** `externalId` of the identity provider (RFC 7643 section 3.1). */
    externalId: text("external_id"),
    /** `userName` of the identity provider (RFC 7643 section 4.1.1), in its original case. */
    userName: text("user_name"),
    givenName: text("given_name"),
    familyName: text("family_name"),
    updatedAt: integer("updated_at").notNull().default(0),
    /**
     * Role apart from groups of the identity provider. Triggers set `role` to the highest role of the groups,
     * or to this role if no group has one.
     */
    ownRole: text("own_role").$type<Role>(),
    /** Normalized `userName` for comparison, see `foldName`. Null without `userName`; the email is used then. */
    userNameKey: text("user_name_key"),
    /** `name.formatted` of the identity provider, if it differs from the given and family names. */
    formattedName: text("formatted_name"),
    /** All `emails` of the identity provider as JSON. Null if there is only `email`. */
    emails: text(),
    /**
     * False until the person accepts a membership made by an identity provider whose workspace hasn't proved
     * the domain of the address. Until then, the membership gives nothing.
     */
    isAccepted: integer("is_accepted", { mode: "boolean" }).notNull().default(true),
    /**
     * Account that the membership belongs to: an email address that was proved, or an id that an invitation or a
     * recovery created (see `generateAccount`). Triggers set it to `email` for a new row without an account, and
     * after each change of `email`.
     */
    person: text().notNull().default(""),
  },
  (table) => [
    uniqueIndex("members_email").on(table.workspaceId, table.email),
    uniqueIndex("members_user_name_key").on(
      table.workspaceId,
      sql`coalesce(${table.userNameKey}, ${table.email})`,
    ),
    index("members_joined").on(table.workspaceId, table.id),
    index("members_account").on(table.person, table.id),
    index("members_external_id").on(table.workspaceId, table.externalId),
  ],
);
