import { asc, eq, exists } from "drizzle-orm";
import type { Database } from "../../db/database.ts";
import { workspaces } from "../../tenant/workspaces.directory.table.ts";
import { members } from "../members.directory.table.ts";
import { isActiveMember } from "../memberships.ts";
import type { NewSession } from "../sessions.ts";
import { type SignInFacts, startSession } from "../start-session.ts";
import type { ProvedIdentity } from "./sign-in-at-provider.ts";

/**
 * Begins the session of a person whom the identity provider vouches for, if a workspace lists the address as an active
 * member. Of several, the one that the person joined first, which opens after the sign-in, has it in its log: the others
 * learn nothing of people who may never have asked for the membership. Returns `stale` if the id of the session is taken:
 * then the sign-in has begun one already.
 */
export async function beginProvedSession(
  directory: Database,
  { email, issuer, subject }: ProvedIdentity,
  session: NewSession,
  facts: SignInFacts,
): Promise<"begun" | "stale" | "not_a_member"> {
  const memberships = directory
    .select({
      ...{ workspaceId: members.workspaceId, memberId: members.id },
      ...{ email: members.email, name: members.name },
    })
    .from(members)
    .innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
    .where(isActiveMember(email))
    .orderBy(asc(members.id))
    .limit(1);
  const [member] = await memberships;
  if (member === undefined) return "not_a_member";
  const provider = { issuer, subject };
  const proof = { operation: "signInAtProvider", provider, condition: exists(memberships) } as const;
  const outcome = await startSession(directory, member, proof, session, facts);
  if (outcome === "begun") return "begun";
  return outcome === "taken" ? "stale" : "not_a_member";
}
