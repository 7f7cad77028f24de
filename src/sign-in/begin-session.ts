import { asc, eq, exists, type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { members } from "../members/members.directory.table.ts";
import { isActiveMember, selectPending } from "../members/memberships.ts";
import type { NewSession } from "../members/sessions.ts";
import { type Proof, type SignInFacts, type SigningPerson, startSession } from "../members/start-session.ts";
import { workspaces } from "../tenant/workspaces.directory.table.ts";

/** Proof that a person owns an account. Without `condition`, it holds as it is. */
type AccountProof = Pick<Proof, "operation" | "provider" | "spend"> & { condition?: SQL };

/**
 * Starts a session for a person who has proved that they own an account, if they are an active member of a workspace. The sign-in is logged only in the workspace that the person joined first, which opens after
 * the sign-in. Workspaces whose membership the person hasn't accepted must not see their sign-ins. Returns
 * `pending` if the session has begun and there are memberships to accept, and `stale` if the session id is
 * taken, because this sign-in has already started a session.
 */
export async function beginProvedSession(
  directory: Database,
  account: SigningPerson,
  { operation, provider, condition = sql`true`, spend = [] }: AccountProof,
  session: NewSession,
  facts: SignInFacts,
): Promise<"begun" | "pending" | "stale" | "not_a_member"> {
  const memberships = directory
    .select({
      workspaceId: members.workspaceId,
      memberId: members.id,
      person: members.person,
      email: members.email,
      name: members.name,
    })
    .from(members)
    .innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
    .where(isActiveMember(account.person))
    .orderBy(asc(members.id))
    .limit(1);
  const offers = selectPending(directory, account.person);
  const [[member], pending] = await directory.batch([memberships, offers]);
  if (member === undefined && pending.length === 0) return "not_a_member";
  const isMember = exists(member === undefined ? offers : memberships);
  const proof = { operation, provider, condition: sql`${isMember} and ${condition}`, spend };
  const outcome = await startSession(directory, member ?? account, proof, session, facts);
  if (outcome === "begun") return pending.length === 0 ? "begun" : "pending";
  return outcome === "taken" ? "stale" : "not_a_member";
}
