import { and, asc, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import { acted, type Change, created, defineResource, deleted, shownAs } from "../audit/describe-changes.ts";
import { logDirectoryChange } from "../audit/directory-log.ts";
import { ApiError, createNotFoundError } from "../core/error.ts";
import { DAY_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { selectColumns } from "../db/select-columns.ts";
import { members } from "../members/members.directory.table.ts";
import { generateLinkToken } from "../members/sign-in-link-address.ts";
import type { Role } from "../permissions/roles.ts";
import { scimTokens } from "../scim/scim.directory.table.ts";
import { deriveId } from "../tenant/request-origin.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { workspaces } from "../tenant/workspaces.directory.table.ts";
import { invitations } from "./invitations.directory.table.ts";

/** Creates, lists and revokes invitations to a workspace and recoveries of its members. */

/** Invitation or recovery as stored. */
export type Invitation = typeof invitations.$inferSelect;

/** New invitation with its token, which only the response contains. */
export interface CreatedInvitation {
  invitation: Invitation;
  token: string;
}

/** Maximum number of open invitations and recoveries per workspace. */
export const INVITATIONS_MAX = 200;
/** Time for which an invitation can be accepted. */
const INVITATION_MS = 7 * DAY_MS;
/** Time for which a recovery can be used. It is shorter, because the member waits for it. */
const RECOVERY_MS = DAY_MS;

/** Fields of invitations in the audit log. */
export const loggedInvitation = defineResource("invitation", invitations, {
  email: "email",
  role: "role",
  expires_at: shownAs("time", "expiresAt"),
});

/** Fields of members in the audit log. */
export const loggedMember = defineResource("member", members, { email: "email", name: "name", role: "role" });

/** Returns the error for changes to people that an identity provider manages. */
export function createManagedError(): ApiError {
  return new ApiError(
    "MEMBERS_MANAGED_BY_PROVIDER",
    "An identity provider manages the members of this workspace over SCIM. Change them there.",
  );
}

/** Returns the condition that no identity provider manages the members of a workspace. */
export function hasNoProvider(directory: Database, workspaceId: string): SQL {
  const tokens = directory
    .select({ id: scimTokens.id })
    .from(scimTokens)
    .where(eq(scimTokens.workspaceId, workspaceId));
  return sql`not exists ${tokens}`;
}

/**
 * Returns the condition for invitations that can be accepted: they haven't expired, and the member who created
 * them is still an owner. Otherwise, removed owners could come back.
 */
export function isOpen(nowMs: number): SQL {
  return sql`(${gt(invitations.expiresAt, nowMs)} and exists (select 1 from members creator
    where creator.id = ${invitations.createdBy} and creator.workspace_id = ${invitations.workspaceId}
      and creator.role = 'owner' and creator.is_active = 1 and creator.is_accepted = 1))`;
}

/** Returns the open invitations of a workspace, oldest first. Recoveries aren't listed. */
export function listInvitations({ directory, workspace, nowMs }: Tenant): Promise<Invitation[]> {
  return directory
    .select()
    .from(invitations)
    .where(
      and(eq(invitations.workspaceId, workspace.id), sql`${invitations.memberId} is null`, isOpen(nowMs)),
    )
    .orderBy(asc(invitations.id))
    .limit(INVITATIONS_MAX);
}

/**
 * Creates an invitation. Replaces an open invitation of the same address. Throws
 * `MEMBERS_MANAGED_BY_PROVIDER`, `ALREADY_A_MEMBER` or `INVITATION_LIMIT_EXCEEDED`.
 */
export async function createInvitation(
  tenant: Tenant,
  { email, role }: { email: string; role: Role },
): Promise<CreatedInvitation> {
  const { directory, workspace } = tenant;
  const member = directory
    .select({ id: members.id })
    .from(members)
    .where(and(eq(members.workspaceId, workspace.id), eq(members.email, email)));
  const created = await insertInvitation(
    tenant,
    {
      email: sql`${email}`,
      role: sql`${role}`,
      memberId: sql`null`,
      expiresAt: tenant.nowMs + INVITATION_MS,
    },
    {
      source: sql`from ${workspaces} where ${eq(workspaces.id, workspace.id)} and not exists ${member}`,
      replaced: and(eq(invitations.email, email), sql`${invitations.memberId} is null`),
    },
  );
  if (created !== null) return created;
  const [found] = await member;
  if (found === undefined) throw await explainRefusal(tenant);
  throw new ApiError("ALREADY_A_MEMBER", `email: ${email} is already a member of the workspace`);
}

/**
 * Creates a recovery, which gives a member access with another account. Replaces the member's open recovery.
 * Throws `MEMBERS_MANAGED_BY_PROVIDER`, `RESOURCE_NOT_FOUND` or `INVITATION_LIMIT_EXCEEDED`.
 */
export async function createRecovery(tenant: Tenant, memberId: string): Promise<CreatedInvitation> {
  const { directory, workspace, nowMs } = tenant;
  const byId = and(
    ...[eq(members.workspaceId, workspace.id), eq(members.id, memberId), eq(members.isActive, true)],
  );
  const { email, role, id } = members;
  const created = await insertInvitation(
    tenant,
    { email: sql`${email}`, role: sql`${role}`, memberId: sql`${id}`, expiresAt: nowMs + RECOVERY_MS },
    { source: sql`from ${members} where ${byId}`, replaced: eq(invitations.memberId, memberId) },
    (isMade) => acted(loggedMember, and(byId, sql`exists (select 1 from ${invitations} where ${isMade})`)),
  );
  if (created !== null) return created;
  const [found] = await directory.select({ id }).from(members).where(byId);
  if (found === undefined) throw createNotFoundError("member");
  throw await explainRefusal(tenant);
}

/** Revokes an open invitation. Throws `RESOURCE_NOT_FOUND`. */
export async function revokeInvitation(tenant: Tenant, id: string): Promise<void> {
  const { directory, workspace } = tenant;
  const byId = and(
    ...[
      eq(invitations.workspaceId, workspace.id),
      eq(invitations.id, id),
      sql`${invitations.memberId} is null`,
    ],
  );
  const [, revoked] = await directory.batch([
    logDirectoryChange(tenant, deleted(loggedInvitation, byId)),
    directory.delete(invitations).where(byId).returning({ id: invitations.id }),
  ]);
  if (revoked.length === 0) throw createNotFoundError("invitation");
}

/** Values of a new invitation: SQL expressions over the rows that `source` selects. */
interface InvitationValues {
  email: SQL;
  role: SQL;
  memberId: SQL;
  expiresAt: number;
}

/**
 * Inserts an invitation if `source` selects a row, no identity provider manages the members, and the limit
 * isn't reached. Deletes the workspace's invitations that meet `replaced`. Returns null if nothing was inserted.
 */
async function insertInvitation(
  tenant: Tenant,
  { email, role, memberId, expiresAt }: InvitationValues,
  { source, replaced }: { source: SQL; replaced: SQL | undefined },
  describe: (isMade: SQL | undefined) => Change = (isMade) => ({
    ...created(loggedInvitation, isMade),
    isRepeatable: true,
  }),
): Promise<CreatedInvitation | null> {
  const { directory, workspace, nowMs, actor } = tenant;
  const { token, tokenHash } = await generateLinkToken();
  const id = deriveId(tenant);
  const isHere = eq(invitations.workspaceId, workspace.id);
  const open = sql`(select count(*) from ${invitations} where ${isHere} and ${gt(invitations.expiresAt, nowMs)})`;
  const values = {
    ...{ id, tokenHash, workspaceId: workspace.id, memberId, email, role },
    ...{ createdBy: actor.id, createdByName: actor.name, createdAt: nowMs, expiresAt },
  };
  const isAllowed = sql`${hasNoProvider(directory, workspace.id)} and ${open} < ${INVITATIONS_MAX}`;
  const selected = selectColumns(invitations, values, sql`${source} and ${isAllowed}`);
  const byId = and(isHere, eq(invitations.id, id));
  const results = await directory.batch([
    directory.delete(invitations).where(and(isHere, replaced)),
    directory.insert(invitations).select(selected),
    logDirectoryChange(tenant, describe(byId)),
    directory.select().from(invitations).where(byId),
  ]);
  const [invitation] = results[3];
  return invitation === undefined ? null : { invitation, token };
}

/** Returns the error for an invitation that the database refused for a reason other than its member. */
async function explainRefusal({ directory, workspace }: Tenant): Promise<ApiError> {
  const [row] = await directory
    .select({ isFree: sql<number>`${hasNoProvider(directory, workspace.id)}` })
    .from(workspaces)
    .where(eq(workspaces.id, workspace.id));
  if (row?.isFree === 0) return createManagedError();
  return new ApiError(
    "INVITATION_LIMIT_EXCEEDED",
    `The workspace has reached the maximum of ${INVITATIONS_MAX} open invitations. Revoke one first.`,
  );
}

/** Deletes some invitations of a deleted workspace and returns their number. */
export function eraseInvitations(directory: Database, workspaceId: string): Promise<number> {
  return deleteSome(directory, invitations, [invitations.id], eq(invitations.workspaceId, workspaceId));
}

/** Deletes some expired invitations. Called by the cron. */
export async function sweepInvitations(directory: Database, nowMs: number): Promise<void> {
  await deleteSome(directory, invitations, [invitations.id], lte(invitations.expiresAt, nowMs));
}
