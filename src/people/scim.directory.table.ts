import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { workspaces } from "../tenant/workspaces.directory.table.ts";
import type { Role } from "./roles.ts";

/** Tokens with which an identity provider changes the members of a workspace. Only their SHA-256 is stored. */
export const scimTokens = sqliteTable(
  "scim_tokens",
  {
    tokenHash: text("token_hash").primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("scim_tokens_workspace").on(table.workspaceId)],
);

/** Groups of the identity provider. A group with a role gives it to its members. */
export const scimGroups = sqliteTable(
  "scim_groups",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    displayName: text("display_name").notNull(),
    externalId: text("external_id"),
    /** Role that the group gives; null if none. */
    role: text().$type<Role>(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    index("scim_groups_workspace").on(table.workspaceId, table.id),
    index("scim_groups_name").on(table.workspaceId, table.displayName),
  ],
);

/** Members of groups. Triggers delete them with their group and with their member. */
export const scimGroupMembers = sqliteTable(
  "scim_group_members",
  {
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    groupId: text("group_id").notNull(),
    memberId: text("member_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.groupId, table.memberId] }),
    index("scim_group_members_group").on(table.groupId),
    index("scim_group_members_member").on(table.memberId),
  ],
);
