import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Role } from "../permissions/roles.ts";
import { workspaces } from "../tenant/workspaces.directory.table.ts";

/**
 * Invitations to a workspace, and recoveries of a member's access. Each has a URL that works once. Only the
 * SHA-256 of its token is stored. A trigger deletes them when the workspace gets its first SCIM token.
 */
export const invitations = sqliteTable(
  "invitations",
  {
    id: text().primaryKey(),
    tokenHash: text("token_hash").notNull().unique("invitations_token"),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    /** Member whose access is recovered. Null for an invitation, which creates a member. */
    memberId: text("member_id"),
    /** Email address that the owner entered. Nobody has proved it. */
    email: text().notNull(),
    role: text().$type<Role>().notNull(),
    /** Owner who created the invitation, with their name at that time. */
    createdBy: text("created_by").notNull(),
    createdByName: text("created_by_name").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    index("invitations_workspace").on(table.workspaceId, table.id),
    uniqueIndex("invitations_email").on(table.workspaceId, table.email).where(sql`${table.memberId} is null`),
    uniqueIndex("invitations_member").on(table.memberId),
    index("invitations_expired").on(table.expiresAt),
  ],
);
