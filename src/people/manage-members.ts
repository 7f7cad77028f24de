import { and, eq, type SQL, sql } from "drizzle-orm";
import { deleted, updated } from "../audit/describe-changes.ts";
import { logDirectoryChange } from "../audit/directory-log.ts";
import { ApiError, createNotFoundError } from "../core/error.ts";
import { describeCreator } from "../keys/keys.ts";
import { members } from "../members/members.directory.table.ts";
import { MEMBER_COLUMNS } from "../members/members.ts";
import type { Role } from "../permissions/roles.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { createManagedError, hasNoProvider, loggedMember } from "./invitations.ts";

/** Changes the roles of members and removes them, for owners. */

/**
 * Sets a member's role, which applies from their next request. Throws `RESOURCE_NOT_FOUND`, `LAST_OWNER` or
 * `MEMBERS_MANAGED_BY_PROVIDER`.
 */
export async function setMemberRole(tenant: Tenant, id: string, role: Role) {
  const { directory, workspace, nowMs } = tenant;
  const isChangeable = and(
    buildChangeCondition(tenant, id),
    role === "owner" ? undefined : hasOtherOwner(workspace.id),
  );
  const updatedAt = sql`max(${members.updatedAt} + 1, ${nowMs})`;
  const [, [changed]] = await directory.batch([
    logDirectoryChange(tenant, updated(loggedMember, isChangeable, { role })),
    directory
      .update(members)
      .set({ role, ownRole: role, updatedAt })
      .where(isChangeable)
      .returning(MEMBER_COLUMNS),
  ]);
  return changed ?? explainRefusal(tenant, id);
}

/**
 * Removes a member. Triggers end the person's access. Throws `RESOURCE_NOT_FOUND`, `LAST_OWNER` or
 * `MEMBERS_MANAGED_BY_PROVIDER`.
 */
export async function removeMember(tenant: Tenant, id: string): Promise<void> {
  const { directory, workspace } = tenant;
  const isRemovable = and(buildChangeCondition(tenant, id), hasOtherOwner(workspace.id));
  const [, , removed] = await directory.batch([
    logDirectoryChange(tenant, deleted(loggedMember, isRemovable)),
    logDirectoryChange(tenant, describeCreator(tenant, and(isRemovable, eq(members.isActive, true)), true)),
    directory.delete(members).where(isRemovable).returning({ id: members.id }),
  ]);
  if (removed.length === 0) await explainRefusal(tenant, id);
}

/** Returns the condition for a member whom the workspace's owners may change. */
function buildChangeCondition({ directory, workspace }: Tenant, id: string): SQL | undefined {
  const byId = and(eq(members.workspaceId, workspace.id), eq(members.id, id));
  return and(byId, hasNoProvider(directory, workspace.id));
}

/** Returns the condition that a member isn't the only one who can act as an owner. */
function hasOtherOwner(workspaceId: string): SQL {
  return sql`(${members.role} <> 'owner' or exists (select 1 from members other
    where other.workspace_id = ${workspaceId} and other.id <> ${members.id}
      and other.role = 'owner' and other.is_active = 1 and other.is_accepted = 1))`;
}

/** Throws the error for a member whom the database refused to change. */
async function explainRefusal({ directory, workspace }: Tenant, id: string): Promise<never> {
  const isFree = sql<number>`${hasNoProvider(directory, workspace.id)}`.as("is_free");
  const [member] = await directory
    .select({ isFree })
    .from(members)
    .where(and(eq(members.workspaceId, workspace.id), eq(members.id, id)));
  if (member === undefined) throw createNotFoundError("member");
  if (member.isFree === 0) throw createManagedError();
  throw new ApiError(
    "LAST_OWNER",
    "The workspace must keep at least one owner. Make another member an owner first.",
  );
}
