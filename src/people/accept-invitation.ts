import { and, eq, exists, isNull, ne, not, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { acted, created } from "../audit/describe-changes.ts";
import { logDirectoryChange } from "../audit/directory-log.ts";
import { sha256Hex } from "../core/crypto.ts";
import { generateUuidv7 } from "../core/id.ts";
import { isCheckViolation, isUniqueIndexViolation, isUniqueViolation } from "../db/constraint.ts";
import type { Database } from "../db/database.ts";
import { rawQuery } from "../db/raw-query.ts";
import { selectColumns } from "../db/select-columns.ts";
import { generateAccount, getProvedEmail } from "../members/account.ts";
import { members } from "../members/members.directory.table.ts";
import { actAsMember, type NewSession } from "../members/sessions.ts";
import { isLinkToken } from "../members/sign-in-link-address.ts";
import { type SignInFacts, startSession } from "../members/start-session.ts";
import type { Role } from "../permissions/roles.ts";
import { isErased } from "../tenant/deleted-workspaces.ts";
import { workspaces } from "../tenant/workspaces.directory.table.ts";
import { invitations } from "./invitations.directory.table.ts";
import { isOpen, loggedMember } from "./invitations.ts";

/** Accepts invitations and recoveries on a page of the app host. */

/** Invitation or recovery that can be accepted. */
export interface OpenInvitation {
  id: string;
  workspaceId: string;
  workspaceName: string;
  workspaceSlug: string;
  /** Member whose access is recovered, or null for an invitation. */
  memberId: string | null;
  /** Name of the recovered member, or null for an invitation. */
  memberName: string | null;
  email: string;
  role: Role;
  createdByName: string;
}

/** Person who accepts with the account of their session. */
export interface SignedInPerson {
  person: string;
  email: string;
  name: string;
}

/**
 * Outcome of an acceptance: `accepted`; `gone` if the invitation is no longer valid; or `conflict` if the account
 * or its email address already belongs to a member of the workspace, or the workspace is full.
 */
export type Acceptance = "accepted" | "gone" | "conflict";

/** Statements that log and give a membership, in the order in which they must run. */
type Grant = readonly [BatchItem<"sqlite">, BatchItem<"sqlite">];

/** Returns the invitation of a token without using it up, or null if it isn't valid. */
export async function findInvitation(
  directory: Database,
  token: string,
  nowMs: number,
): Promise<OpenInvitation | null> {
  if (!isLinkToken(token)) return null;
  const { id, workspaceId, memberId, email, role, createdByName } = invitations;
  const [found] = await directory
    .select({
      ...{ id, workspaceId, memberId, email, role, createdByName },
      workspaceName: workspaces.name,
      workspaceSlug: workspaces.slug,
      memberName: members.name,
    })
    .from(invitations)
    .innerJoin(workspaces, eq(workspaces.id, invitations.workspaceId))
    .leftJoin(members, eq(members.id, invitations.memberId))
    .where(
      and(
        ...[eq(invitations.tokenHash, await sha256Hex(token)), isOpen(nowMs), not(isErased())],
        // A suspended workspace must not change.
        isNull(workspaces.suspendedAt),
      ),
    );
  return found ?? null;
}

/** Returns true if a person is already another member of the invitation's workspace. */
export async function isOtherMember(
  directory: Database,
  { workspaceId, memberId }: OpenInvitation,
  person: string,
): Promise<boolean> {
  const rows = await directory
    .select({ id: members.id })
    .from(members)
    .where(
      and(eq(members.workspaceId, workspaceId), eq(members.person, person), ne(members.id, memberId ?? "")),
    );
  return rows.length > 0;
}

/** Accepts an invitation with the account of a session, which then has this workspace too. */
export async function acceptSignedIn(
  directory: Database,
  invitation: OpenInvitation,
  person: SignedInPerson,
  facts: SignInFacts,
): Promise<Acceptance> {
  const { memberId, grant, isGranted, spend } = planGrant(directory, invitation, person, facts);
  const outcome = directory.select({ id: members.id }).from(members).where(isGranted);
  try {
    const [, , , [found]] = await directory.batch([...grant, spend, outcome]);
    if (found?.id === memberId) return "accepted";
  } catch (error) {
    if (isTaken(error)) return "conflict";
    throw error;
  }
  return (await isOtherMember(directory, invitation, person.person)) ? "conflict" : "gone";
}

/** Accepts an invitation with a new account, and starts its first session. */
export async function acceptAsNewPerson(
  directory: Database,
  invitation: OpenInvitation,
  name: string,
  session: NewSession,
  facts: SignInFacts,
): Promise<Acceptance> {
  const person = { person: generateAccount(facts.nowMs), email: invitation.email, name };
  const { memberId, grant, isGranted, spend } = planGrant(directory, invitation, person, facts);
  const granted = directory.select({ id: members.id }).from(members).where(isGranted);
  const member = { ...person, workspaceId: invitation.workspaceId, memberId };
  const proof = {
    operation: "acceptInvitation",
    provider: null,
    condition: exists(granted),
    grant,
    spend: [spend],
  } as const;
  try {
    return (await startSession(directory, member, proof, session, facts)) === "begun" ? "accepted" : "gone";
  } catch (error) {
    if (isTaken(error)) return "conflict";
    throw error;
  }
}

/**
 * Plans the statements that give a person the membership of an invitation, and use the invitation up. An invited
 * person who has proved an email address gets it as the member's address. The address that the owner entered is
 * unproved.
 */
function planGrant(
  directory: Database,
  { id, workspaceId, memberId: recoveredId, email, role }: OpenInvitation,
  { person, name }: SignedInPerson,
  facts: SignInFacts,
) {
  const memberId = recoveredId ?? generateUuidv7(facts.nowMs);
  const { nowMs } = facts;
  const open = sql`exists (select 1 from ${invitations} where ${and(eq(invitations.id, id), isOpen(nowMs))})`;
  const other = sql`select 1 from members other where other.workspace_id = ${workspaceId}
    and other.person = ${person} and other.id <> ${memberId}`;
  const isAllowed = sql`${open} and not exists (${other})`;
  const isGranted = and(
    ...[eq(members.id, memberId), eq(members.workspaceId, workspaceId), eq(members.person, person)],
  );
  const log = { directory, ...actAsMember({ workspaceId, memberId, name }, "acceptInvitation", facts) };
  const spend = directory
    .delete(invitations)
    .where(and(eq(invitations.id, id), sql`exists (select 1 from ${members} where ${isGranted})`));
  if (recoveredId !== null) {
    const isRecovered = and(
      ...[eq(members.id, recoveredId), eq(members.workspaceId, workspaceId), eq(members.isActive, true)],
      isAllowed,
    );
    const change = { person, isAccepted: true, updatedAt: sql`max(${members.updatedAt} + 1, ${nowMs})` };
    const grant: Grant = [
      logDirectoryChange(log, acted(loggedMember, isRecovered)),
      directory.update(members).set(change).where(isRecovered),
    ];
    return { memberId, grant, isGranted, spend };
  }
  const row = {
    ...{
      id: memberId,
      workspaceId,
      email: getProvedEmail(person) ?? email,
      name,
      person,
      role,
      ownRole: role,
    },
    ...{ createdAt: nowMs, updatedAt: nowMs, isActive: 1, isAccepted: 1 },
    ...{ externalId: null, userName: null, givenName: null, familyName: null },
    ...{ userNameKey: null, formattedName: null, emails: null },
  };
  const insert = sql`insert into ${members} ${selectColumns(members, row, sql`where ${isAllowed}`)}`;
  const grant: Grant = [
    rawQuery<never>(directory, insert),
    logDirectoryChange(log, { ...created(loggedMember, isGranted), isRepeatable: true }),
  ];
  return { memberId, grant, isGranted, spend };
}

/** Returns true if another member of the workspace has the email address, or the workspace is full. */
function isTaken(error: unknown): boolean {
  const hasSameEmail = isUniqueViolation(error, "members.workspace_id", "members.email");
  return (
    hasSameEmail ||
    isUniqueIndexViolation(error, "members_user_name_key") ||
    isCheckViolation(error, "members_max")
  );
}
