import { asc, eq, exists } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { members } from "../members/members.directory.table.ts";
import { isActiveMember, selectPending } from "../members/memberships.ts";
import type { NewSession } from "../members/sessions.ts";
import { type SignInFacts, startSession } from "../members/start-session.ts";
import { workspaces } from "../tenant/workspaces.directory.table.ts";
import type { ProvedIdentity } from "./sign-in-at-provider.ts";

/**
 * Starts a session for a person whom the identity provider has authenticated, if they are an active member of
 * a workspace. The sign-in is logged only in the workspace that the person joined first, which opens after
 * the sign-in. Workspaces whose membership the person hasn't accepted must not see their sign-ins. Returns
 * `pending` if the session has begun and there are memberships to accept, and `stale` if the session id is
 * taken, because this sign-in has already started a session.
 */
export async function beginProvedSession(
  directory: Database,
  { email, issuer, subject }: ProvedIdentity,
  session: NewSession,
  facts: SignInFacts,
): Promise<"begun" | "pending" | "stale" | "not_a_member"> {
  const memberships = directory
    .select({
      workspaceId: members.workspaceId,
      memberId: members.id,
      email: members.email,
      name: members.name,
    })
    .from(members)
    .innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
    .where(isActiveMember(email))
    .orderBy(asc(members.id))
    .limit(1);
  const offers = selectPending(directory, email);
  const [[member], pending] = await directory.batch([memberships, offers]);
  if (member === undefined && pending.length === 0) return "not_a_member";
  const condition = exists(member === undefined ? offers : memberships);
  const proof = { operation: "signInAtProvider", provider: { issuer, subject }, condition } as const;
  const person = member ?? { email, name: email };
  const outcome = await startSession(directory, person, proof, session, facts);
  if (outcome === "begun") return pending.length === 0 ? "begun" : "pending";
  return outcome === "taken" ? "stale" : "not_a_member";
}
