import { and, desc, eq, gt, lt, lte, notInArray, sql } from "drizzle-orm";
import { defineResource, deleted, shownAs } from "../audit/describe-changes.ts";
import { findOldestEntry, logDirectoryChange } from "../audit/directory-log.ts";
import type { LogContext } from "../audit/insert-entries.ts";
import { generateAlphanumeric, sha256Hex } from "../core/crypto.ts";
import { createNotFoundError } from "../core/error.ts";
import { generateUuidv7 } from "../core/id.ts";
import type { Database } from "../db/database.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { findSessionEnd } from "./session-times.ts";
import { sessions } from "./sessions.directory.table.ts";

const TOKEN_LENGTH = 48;
/** Maximum number of sessions per person. Starting another session ends the oldest. */
const SESSIONS_MAX = 50;
/** Maximum number of expired sessions deleted per sweep. */
const SWEPT_MAX = 1_000;

/** Fields of sessions in the audit log. */
export const loggedSession = defineResource("session", sessions, {
  email: "email",
  user_agent: "userAgent",
  identity_provider: "issuer",
  created_at: shownAs("time", "createdAt"),
});

/** Member as whom a person acts on a page of the app host. Actions are logged in the member's workspace. */
export interface ActingMember {
  workspaceId: string;
  memberId: string;
  name: string;
}

/** Facts of a page request. */
export type PageRequest = Pick<Tenant, "nowMs" | "requestId">;

/**
 * Returns the log context for a member's action on a page. `isRetry` is set, so that a repeated request finds
 * its own log entries.
 */
export function actAsMember(
  { workspaceId, memberId, name }: ActingMember,
  operation: string,
  { nowMs, requestId }: PageRequest,
): LogContext {
  return {
    workspace: { id: workspaceId },
    operation,
    nowMs,
    requestId,
    actor: { type: "person", id: memberId, name },
    origin: { requestId, isRetry: true },
  };
}

/** Session that is about to start. Only the browser keeps its token. */
export interface NewSession {
  token: string;
  tokenHash: string;
  id: string;
}

/** Returns the hash by which a session is stored and found. */
export function hashSessionToken(token: string): Promise<string> {
  return sha256Hex(token);
}

export async function generateSession(nowMs: number): Promise<NewSession> {
  const token = generateAlphanumeric(TOKEN_LENGTH);
  return { token, tokenHash: await hashSessionToken(token), id: generateUuidv7(nowMs) };
}

/** Returns the statement that ends a person's oldest sessions beyond {@link SESSIONS_MAX}. */
export function endOldest(directory: Database, person: string) {
  const newest = directory
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.person, person))
    .orderBy(desc(sessions.id))
    .limit(SESSIONS_MAX);
  return directory.delete(sessions).where(and(eq(sessions.person, person), notInArray(sessions.id, newest)));
}

/** Returns a person's unexpired sessions, newest first. */
export function listSessions(directory: Database, person: string, nowMs: number) {
  return directory
    .select()
    .from(sessions)
    .where(and(eq(sessions.person, person), gt(sessions.expiresAt, nowMs)))
    .orderBy(desc(sessions.id))
    .limit(SESSIONS_MAX);
}

/**
 * Ends a person's session immediately. Throws `RESOURCE_NOT_FOUND` if the person has no session with this id.
 */
export async function endSession(tenant: Tenant, person: string, id: string): Promise<void> {
  const { directory } = tenant;
  const byId = and(eq(sessions.person, person), eq(sessions.id, id));
  const [, ended] = await directory.batch([
    logDirectoryChange(tenant, deleted(loggedSession, byId)),
    directory.delete(sessions).where(byId).returning({ id: sessions.id }),
  ]);
  if (ended.length === 0) throw createNotFoundError("session");
}

/** Ends a session if it still exists. */
export async function endSessionById(tenant: Tenant, id: string): Promise<void> {
  const byId = eq(sessions.id, id);
  await tenant.directory.batch([
    logDirectoryChange(tenant, deleted(loggedSession, byId)),
    tenant.directory.delete(sessions).where(byId),
  ]);
}

/**
 * Ends the session of a token. The sign-out page belongs to no workspace, so the end is logged in the
 * workspace that logged the session's start. Returns null if there is no such session.
 */
export async function endSessionOfToken(
  directory: Database,
  token: string,
  request: PageRequest,
): Promise<true | null> {
  const byToken = eq(sessions.tokenHash, await hashSessionToken(token));
  const end = directory.delete(sessions).where(byToken);
  const beginning = await findOldestEntry(
    directory,
    sql`(select ${sessions.id} from ${sessions} where ${byToken})`,
  );
  if (beginning === undefined) {
    await end;
    return null;
  }
  const { workspaceId, actorId, actorName } = beginning;
  const member = { workspaceId, memberId: actorId, name: actorName };
  const log = { directory, ...actAsMember(member, "signOut", request) };
  await directory.batch([logDirectoryChange(log, deleted(loggedSession, byToken)), end]);
  return true;
}

/**
 * Updates the time at which a session was last seen, and thereby extends the session. Keeps a later time
 * written by another call.
 */
export async function recordSeen(
  directory: Database,
  { id, createdAt }: { id: string; createdAt: number },
  nowMs: number,
): Promise<void> {
  await directory
    .update(sessions)
    .set({ lastSeenAt: nowMs, expiresAt: findSessionEnd(createdAt, nowMs) })
    .where(and(eq(sessions.id, id), lt(sessions.lastSeenAt, nowMs)));
}

/** Deletes expired sessions. Called by the cron. */
export async function sweepSessions(directory: Database, nowMs: number): Promise<void> {
  const expired = directory
    .select({ id: sessions.id })
    .from(sessions)
    .where(lte(sessions.expiresAt, nowMs))
    .limit(SWEPT_MAX);
  await directory.delete(sessions).where(sql`${sessions.id} in ${expired}`);
}
