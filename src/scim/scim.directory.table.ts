import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Role } from "../permissions/roles.ts";
import { workspaces } from "../tenant/workspaces.directory.table.ts";

/**
 * Tokens with which an identity provider manages the members of a workspace. Only SHA-256 hashes are stored.
 */
export const scimTokens = sqliteTable(
  "scim_tokens",
  {
    tokenHash: text("token_hash").primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    createdAt: integer("created_at").notNull(),
    id: text().notNull().default(""),
    /** Public part of the token, by which administrators identify it. */
    prefix: text().notNull().default(""),
    /** Domains of email addresses that the administrator has vouched for. Their members need not accept. */
    emailDomains: text("email_domains", { mode: "json" }).$type<readonly string[]>().notNull().default([]),
  },
  (table) => [
    index("scim_tokens_workspace").on(table.workspaceId),
    uniqueIndex("scim_tokens_prefix").on(table.prefix),
  ],
);

/** Groups of the identity provider. If a group has a role, its members get it. */
export const scimGroups = sqliteTable(
  "scim_groups",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    displayName: text("display_name").notNull(),
    externalId: text("external_id"),
    /** Role that members of the group get, or null. */
    role: text().$type<Role>(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** Normalized name for comparison, see `foldName`. */
    nameKey: text("name_key").notNull().default(""),
    /** Number of members, maintained by triggers. */
    memberCount: integer("member_count").notNull().default(0),
  },
  (table) => [
    index("scim_groups_workspace").on(table.workspaceId, table.id),
    uniqueIndex("scim_groups_name_key").on(table.workspaceId, table.nameKey),
  ],
);

/**
 * Members of groups. Triggers delete rows with their group or member, reject members that the workspace
 * doesn't have, and set each member's role to the highest role of their groups.
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

/** Maximum number of members per workspace. Bounds filtered lists, which may read all members. */
export const MEMBERS_MAX = 10_000;
/** Maximum number of groups per workspace. */
export const GROUPS_MAX = 500;
/** Maximum number of members in all groups of a workspace together. */
export const GROUP_MEMBERS_MAX = 100_000;

/**
 * Numbers of members and groups of a workspace, maintained by triggers. Check constraints enforce the limits.
 */
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
