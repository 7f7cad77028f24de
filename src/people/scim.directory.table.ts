import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
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
    id: text().notNull().default(""),
    /** Public part of the token, by which the operator finds it. */
    prefix: text().notNull().default(""),
  },
  (table) => [
    index("scim_tokens_workspace").on(table.workspaceId),
    uniqueIndex("scim_tokens_prefix").on(table.prefix),
  ],
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
    /** Name in the form in which it is compared: see `foldName`. */
    nameKey: text("name_key").notNull().default(""),
    /** Number of members, kept by triggers. */
    memberCount: integer("member_count").notNull().default(0),
  },
  (table) => [
    index("scim_groups_workspace").on(table.workspaceId, table.id),
    uniqueIndex("scim_groups_name_key").on(table.workspaceId, table.nameKey),
  ],
);

/**
 * Members of groups. Triggers delete them with their group and with their member, refuse those that the workspace does not
 * have, and give each member the highest role of the groups.
 */
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

/** Members that a workspace can have: a list with a filter may read all of them. */
export const MEMBERS_MAX = 10_000;
/** Groups that a workspace can have. */
export const GROUPS_MAX = 500;
/** Members of all groups of a workspace together. */
export const GROUP_MEMBERS_MAX = 100_000;

/** Numbers of members and groups of a workspace, kept by triggers. A constraint refuses what is beyond them. */
export const peopleTotals = sqliteTable(
  "people_totals",
  {
    workspaceId: text("workspace_id")
      .primaryKey()
      .references(() => workspaces.id),
    members: integer().notNull().default(0),
    groups: integer().notNull().default(0),
    groupMembers: integer("group_members").notNull().default(0),
  },
  (table) => [
    check("members_max", sql`${table.members} <= ${sql.raw(String(MEMBERS_MAX))}`),
    check("groups_max", sql`${table.groups} <= ${sql.raw(String(GROUPS_MAX))}`),
    check("group_members_max", sql`${table.groupMembers} <= ${sql.raw(String(GROUP_MEMBERS_MAX))}`),
  ],
);
