import type { SQL } from "drizzle-orm";
import { and, asc, eq, gt, not, sql } from "drizzle-orm";
import { defineResource, updated } from "../audit/describe-changes.ts";
import { logDirectoryChange } from "../audit/directory-log.ts";
import type { Database } from "../db/database.ts";
import type { Role } from "../permissions/roles.ts";
import { isErased } from "../tenant/deleted-workspaces.ts";
import { workspaces } from "../tenant/workspaces.directory.table.ts";
import { members } from "./members.directory.table.ts";
import { sessions } from "./sessions.directory.table.ts";
import { actAsMember, hashSessionToken, type PageRequest } from "./sessions.ts";

/** Maximum number of workspaces listed per person. */
const MEMBERSHIPS_MAX = 200;
/** Maximum number of pending memberships listed per person. */
const PENDING_MAX = 20;

/** Acceptance of a membership in the audit log. */
const loggedAcceptance = defineResource("member", members, { accepted: "isAccepted" });

/**
 * Returns the statement that selects the workspaces in which a person is an active member, in the order of
 * joining.
 */
export function selectMemberships(directory: Database, email: string | SQL) {
  return directory
    .select({
      id: workspaces.id,
      slug: workspaces.slug,
      name: workspaces.name,
      plan: workspaces.plan,
      suspendedAt: workspaces.suspendedAt,
      role: members.role,
    })
    .from(members)
    .innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
    .where(isActiveMember(email))
    .orderBy(asc(members.id))
    .limit(MEMBERSHIPS_MAX);
}

/** Returns the condition for a person's active memberships in workspaces that aren't deleted. */
export function isActiveMember(email: string | SQL) {
  return and(isUnerasedMember(email), eq(members.isAccepted, true));
}

function isUnerasedMember(email: string | SQL) {
  return and(eq(members.email, email), eq(members.isActive, true), not(isErased()));
}

/** Membership that the person hasn't accepted yet. */
export interface PendingMembership {
  id: string;
  workspaceId: string;
  workspaceName: string;
  name: string;
  role: Role;
}

/** Returns the statement that selects the memberships that a person can accept. */
export function selectPending(directory: Database, email: string | SQL) {
  return directory
    .select({
      id: members.id,
      workspaceId: members.workspaceId,
      // Results of a batch have one value per column name.
      workspaceName: sql<string>`${workspaces.name}`.as("workspace_name"),
      name: members.name,
      role: members.role,
    })
    .from(members)
    .innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
    .where(and(isUnerasedMember(email), eq(members.isAccepted, false)))
    .orderBy(asc(members.id))
    .limit(PENDING_MAX);
}

/**
 * Accepts one of the pending memberships of a session's person. Returns false if there is no such membership.
 */
export async function acceptMembership(
  directory: Database,
  token: string,
  memberId: string,
  request: PageRequest,
): Promise<boolean> {
  const person = await listMemberships(directory, token, request.nowMs);
  const pending = person?.pending.find(({ id }) => id === memberId);
  if (person === null || pending === undefined) return false;
  const isSame = and(eq(members.id, memberId), eq(members.email, person.email), eq(members.isActive, true));
  const acting = { workspaceId: pending.workspaceId, memberId, name: pending.name };
  const log = { directory, ...actAsMember(acting, "acceptMembership", request) };
  await directory.batch([
    logDirectoryChange(log, updated(loggedAcceptance, isSame, { isAccepted: true })),
    directory.update(members).set({ isAccepted: true }).where(isSame),
  ]);
  return true;
}

/** Returns a session's person and their workspaces and pending memberships, or null if the session has ended. */
export async function listMemberships(directory: Database, token: string, nowMs: number) {
  const isCurrent = and(eq(sessions.tokenHash, await hashSessionToken(token)), gt(sessions.expiresAt, nowMs));
  const email = sql`(select ${sessions.email} from ${sessions} where ${isCurrent})`;
  const [[person], list, pending] = await directory.batch([
    directory.select({ email: sessions.email }).from(sessions).where(isCurrent),
    selectMemberships(directory, email),
    selectPending(directory, email),
  ]);
  return person === undefined ? null : { email: person.email, workspaces: list, pending };
}
