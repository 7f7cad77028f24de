import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { workspaces } from "../tenant/workspaces.directory.table.ts";
import type { Role } from "./roles.ts";

/**
 * Members of workspaces. A person is known by the e-mail address, and may be a member of several workspaces. Triggers
 * refuse an address with capital letters, so that the unique index compares addresses without their case.
 */
export const members = sqliteTable(
  "members",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    /** Address in lower case: see `normalizeEmail`. */
    email: text().notNull(),
    name: text().notNull(),
    createdAt: integer("created_at").notNull(),
    role: text().$type<Role>().notNull().default("viewer"),
    /** False for a member whom the identity provider has deactivated: their next call is refused. */
    isActive: integer("is_active", { mode: "boolean" }).notNull().default(true),
    /** `externalId` of the identity provider (RFC 7643 section 3.1). */
    externalId: text("external_id"),
    /** `userName` of the identity provider (RFC 7643 section 4.1.1), in the case in which it was given. */
    userName: text("user_name"),
    givenName: text("given_name"),
    familyName: text("family_name"),
    updatedAt: integer("updated_at").notNull().default(0),
  },
  (table) => [
    uniqueIndex("members_email").on(table.workspaceId, table.email),
    uniqueIndex("members_user_name").on(table.workspaceId, sql`lower(${table.userName})`),
    index("members_joined").on(table.workspaceId, table.id),
    index("members_person").on(table.email, table.id),
    index("members_external_id").on(table.workspaceId, table.externalId),
  ],
);
