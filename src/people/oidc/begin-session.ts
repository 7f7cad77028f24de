import { and, asc, eq, exists, sql } from "drizzle-orm";
import type { Database } from "../../db/database.ts";
import { repeatOnce } from "../../db/retry.ts";
import { workspaces } from "../../tenant/workspaces.directory.table.ts";
import { members } from "../members.directory.table.ts";
import { isActiveMember } from "../memberships.ts";
import { findSessionEnd } from "../session-times.ts";
import { sessions } from "../sessions.directory.table.ts";
import { endOldest, hashSessionToken, type NewSession } from "../sessions.ts";
import type { ProvedIdentity } from "./sign-in-at-provider.ts";

/**
 * Begins the session of a person whom the identity provider vouches for, in one batch, if a workspace lists the address
 * as an active member. Ends the session that the browser had before. Returns `stale` if the id of the session is taken:
 * then the sign-in has begun one already. A repetition after a lost response finds the session of the first run.
 */
export async function beginProvedSession(
  directory: Database,
  { email, issuer, subject }: ProvedIdentity,
  session: NewSession,
  facts: { userAgent: string; formerToken: string | null; nowMs: number },
): Promise<"begun" | "stale" | "not_a_member"> {
  const { userAgent, formerToken, nowMs } = facts;
  const formerHash = formerToken === null ? "" : await hashSessionToken(formerToken);
  const row = directory
    .select({
      id: sql<string>`${session.id}`.as("id"),
      tokenHash: sql<string>`${session.tokenHash}`.as("token_hash"),
      email: members.email,
      name: members.name,
      issuer: sql<string>`${issuer}`.as("issuer"),
      subject: sql<string>`${subject}`.as("subject"),
      userAgent: sql<string>`${userAgent}`.as("user_agent"),
      createdAt: sql<number>`${nowMs}`.as("created_at"),
      lastSeenAt: sql<number>`${nowMs}`.as("last_seen_at"),
      expiresAt: sql<number>`${findSessionEnd(nowMs, nowMs)}`.as("expires_at"),
    })
    .from(members)
    .innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
    .where(isActiveMember(email))
    .orderBy(asc(members.id))
    .limit(1);
  const begun = directory
    .select({ tokenHash: sessions.tokenHash })
    .from(sessions)
    .where(eq(sessions.tokenHash, session.tokenHash));
  const [, , , [found]] = await repeatOnce(() =>
    directory.batch([
      directory.insert(sessions).select(row).onConflictDoNothing(),
      directory.delete(sessions).where(and(eq(sessions.tokenHash, formerHash), exists(begun))),
      endOldest(directory, email),
      directory.select({ tokenHash: sessions.tokenHash }).from(sessions).where(eq(sessions.id, session.id)),
    ]),
  );
  if (found === undefined) return "not_a_member";
  return found.tokenHash === session.tokenHash ? "begun" : "stale";
}
