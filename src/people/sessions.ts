import { and, desc, eq, gt, lt, lte, notInArray, sql } from "drizzle-orm";
import { generateRandomText, sha256Hex } from "../core/crypto.ts";
import { createNotFoundError } from "../core/error.ts";
import { generateUuidv7 } from "../core/id.ts";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { members } from "./members.directory.table.ts";
import { findSessionEnd } from "./session-times.ts";
import { sessions } from "./sessions.directory.table.ts";

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const TOKEN_LENGTH = 48;
/** Sessions that a person can have. The oldest end when another begins. */
const SESSIONS_MAX = 50;
/** Expired sessions that one run of the sweep deletes. */
const SWEPT_MAX = 1_000;

/** Person who has proved to own an e-mail address. */
export interface Person {
  /** Address as `normalizeEmail` returns it. */
  email: string;
  name: string;
  /** Identity provider that vouched for the address, and its name for the person. Null after a sign-in link. */
  provider: { issuer: string; subject: string } | null;
}

/** Session that is about to begin. Its token is known to the browser only. */
export interface NewSession {
  token: string;
  tokenHash: string;
  id: string;
}

/** Returns the hash by which a session is found. */
export function hashSessionToken(token: string): Promise<string> {
  return sha256Hex(token);
}

/** Generates the token and the id of a session. */
export async function generateSession(nowMs: number): Promise<NewSession> {
  const token = generateRandomText(ALPHANUMERIC, TOKEN_LENGTH);
  return { token, tokenHash: await hashSessionToken(token), id: generateUuidv7(nowMs) };
}

/**
 * Begins a session in one batch, and ends the session that the browser had before: a token that somebody else may have
 * planted there is never the one of the person who signs in. May run twice with the same session.
 */
export async function startSession(
  directory: Database,
  person: Person,
  session: NewSession,
  facts: { userAgent: string; formerToken: string | null; nowMs: number },
): Promise<void> {
  const { nowMs, userAgent, formerToken } = facts;
  const { id, tokenHash } = session;
  const row = {
    ...{ id, tokenHash, userAgent, email: person.email, name: person.name },
    ...{ issuer: person.provider?.issuer ?? null, subject: person.provider?.subject ?? null },
    ...{ createdAt: nowMs, lastSeenAt: nowMs, expiresAt: findSessionEnd(nowMs, nowMs) },
  };
  const formerHash = formerToken === null ? "" : await hashSessionToken(formerToken);
  await directory.batch([
    directory.insert(sessions).values(row).onConflictDoNothing(),
    directory.delete(sessions).where(eq(sessions.tokenHash, formerHash)),
    endOldest(directory, person.email),
  ]);
}

/** Returns the statement that ends the sessions of a person beyond {@link SESSIONS_MAX}, oldest first. */
export function endOldest(directory: Database, email: string) {
  const newest = directory
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.email, email))
    .orderBy(desc(sessions.id))
    .limit(SESSIONS_MAX);
  return directory.delete(sessions).where(and(eq(sessions.email, email), notInArray(sessions.id, newest)));
}

/** Returns the sessions of a person that have not expired, newest first. */
export function listSessions(directory: Database, email: string, nowMs: number) {
  return directory
    .select()
    .from(sessions)
    .where(and(eq(sessions.email, email), gt(sessions.expiresAt, nowMs)))
    .orderBy(desc(sessions.id))
    .limit(SESSIONS_MAX);
}

/** Ends a session of a person at once. Throws `RESOURCE_NOT_FOUND` if the person has none with this id. */
export async function endSession(directory: Database, email: string, id: string): Promise<void> {
  const ended = await directory
    .delete(sessions)
    .where(and(eq(sessions.email, email), eq(sessions.id, id)))
    .returning({ id: sessions.id });
  if (ended.length === 0) throw createNotFoundError("session");
}

/** Ends a session, if it has not ended yet. */
export async function endSessionById(directory: Database, id: string): Promise<void> {
  await directory.delete(sessions).where(eq(sessions.id, id));
}

/** Ends the session of a token, if there is one. */
export async function endSessionOfToken(directory: Database, token: string): Promise<void> {
  await directory.delete(sessions).where(eq(sessions.tokenHash, await hashSessionToken(token)));
}

/** Ends all sessions of a person. */
export async function endSessionsOfPerson(directory: Database, email: string): Promise<void> {
  await directory.delete(sessions).where(eq(sessions.email, email));
}

/** Writes that a session is in use, which moves its end. A later time that another call wrote stays. */
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

/** Deletes some sessions of people who are members of a deleted workspace and of no other, and returns their number. */
export function eraseSessions(directory: Database, workspaceId: string): Promise<number> {
  const isOnlyHere = sql`${sessions.email} in (select ${members.email} from ${members}
      where ${members.workspaceId} = ${workspaceId})
    and not exists (select 1 from ${members}
      where ${members.email} = ${sessions.email} and ${members.workspaceId} <> ${workspaceId})`;
  return deleteSome(directory, sessions, [sessions.id], isOnlyHere);
}

/** Deletes expired sessions. The cron calls it. */
export async function sweepSessions(directory: Database, nowMs: number): Promise<void> {
  const expired = directory
    .select({ id: sessions.id })
    .from(sessions)
    .where(lte(sessions.expiresAt, nowMs))
    .limit(SWEPT_MAX);
  await directory.delete(sessions).where(sql`${sessions.id} in ${expired}`);
}
