import { and, eq, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { created } from "../audit/describe-changes.ts";
import { logDirectoryChange } from "../audit/directory-log.ts";
import type { Database } from "../db/database.ts";
import { repeatOnce } from "../db/retry.ts";
import { selectColumns } from "../db/select-columns.ts";
import { findSessionEnd } from "./session-times.ts";
import { sessions } from "./sessions.directory.table.ts";
import {
  type ActingMember,
  actAsMember,
  endOldest,
  hashSessionToken,
  loggedSession,
  type NewSession,
  type PageRequest,
} from "./sessions.ts";

/** Person who signs in. */
export interface SigningPerson {
  /** Account of the person, as in the table of members. */
  person: string;
  /** Email address as returned by `normalizeEmail`. Only shown. */
  email: string;
  name: string;
}

/** Member as whom a person signs in. */
export interface SigningMember extends ActingMember, SigningPerson {}

/** Proof that a person owns an account. */
export interface Proof {
  /** Operation name in the audit log. */
  operation: "signInByLink" | "signInAtProvider" | "signInByPasskey" | "acceptInvitation";
  /** Identity provider that authenticated the person, and its id for the person. Null without a provider. */
  provider: { issuer: string; subject: string } | null;
  /** Condition that must still hold in the transaction. */
  condition: SQL;
  /** Statements that give the person the membership with which they sign in. They run first. */
  grant?: readonly BatchItem<"sqlite">[];
  /** Statements that use up the proof, if it is valid only once. */
  spend?: readonly BatchItem<"sqlite">[];
}

/** Facts of the request that starts a session. */
export interface SignInFacts extends PageRequest {
  userAgent: string;
  /** Token of the browser's previous session. */
  formerToken: string | null;
}

/**
 * Starts a session in one batch if the proof's condition holds. It is logged in the member's workspace; a
 * person without an accepted membership has none. Ends the browser's previous session, because
 * an attacker may have planted its token. Returns `taken` if another session has the id. Idempotent, so a
 * batch whose response was lost can be repeated.
 */
export async function startSession(
  directory: Database,
  member: SigningMember | SigningPerson,
  proof: Proof,
  session: NewSession,
  facts: SignInFacts,
): Promise<"begun" | "refused" | "taken"> {
  const { formerToken } = facts;
  const isBegun = eq(sessions.tokenHash, session.tokenHash);
  const isFormer = eq(sessions.tokenHash, formerToken === null ? "" : await hashSessionToken(formerToken));
  const log = "memberId" in member && { directory, ...actAsMember(member, proof.operation, facts) };
  const statements = [
    ...(proof.grant ?? []),
    insertSession(directory, member, proof, session, facts),
    ...(log ? [logDirectoryChange(log, { ...created(loggedSession, isBegun), isRepeatable: true })] : []),
    ...(proof.spend ?? []),
    directory.delete(sessions).where(and(isFormer, sql`exists (select 1 from ${sessions} where ${isBegun})`)),
    endOldest(directory, member.person),
  ] as const;
  const outcome = directory
    .select({ tokenHash: sessions.tokenHash })
    .from(sessions)
    .where(eq(sessions.id, session.id));
  const [[found]] = await repeatOnce(async () => {
    const results: unknown[] = await directory.batch([...statements, outcome] as never);
    return results.slice(-1) as [Awaited<typeof outcome>];
  });
  if (found === undefined) return "refused";
  return found.tokenHash === session.tokenHash ? "begun" : "taken";
}

function insertSession(
  directory: Database,
  { person, email, name }: SigningPerson,
  { provider, condition }: Proof,
  { id, tokenHash }: NewSession,
  { userAgent, nowMs }: SignInFacts,
) {
  const row = {
    id,
    tokenHash,
    email,
    name,
    person,
    userAgent,
    issuer: provider?.issuer ?? null,
    subject: provider?.subject ?? null,
    createdAt: nowMs,
    lastSeenAt: nowMs,
    expiresAt: findSessionEnd(nowMs, nowMs),
  };
  return directory
    .insert(sessions)
    .select(selectColumns(sessions, row, sql`where ${condition}`))
    .onConflictDoNothing();
}
