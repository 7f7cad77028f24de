import { and, eq, gt, lte, sql } from "drizzle-orm";
import { generateRandomText, sha256Hex } from "../core/crypto.ts";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { repeatOnce } from "../db/retry.ts";
import { workspaces } from "../tenant/workspaces.directory.table.ts";
import { members } from "./members.directory.table.ts";
import { findSessionEnd } from "./session-times.ts";
import { sessions, signInLinks } from "./sessions.directory.table.ts";
import { endOldest, hashSessionToken, type NewSession } from "./sessions.ts";

/** Path of a sign-in link on the app host, before its token. */
export const SIGN_IN_LINK_PATH = "/sign-in/link/";

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const TOKEN_LENGTH = 48;
const TOKEN = /^[A-Za-z0-9]{48}$/;

/** Whom a sign-in link signs in. */
export interface LinkOwner {
  email: string;
  name: string;
  workspaceName: string;
}

/** Generates the token of a sign-in link, and the hash by which it is stored. */
export async function generateLinkToken(): Promise<{ token: string; tokenHash: string }> {
  const token = generateRandomText(ALPHANUMERIC, TOKEN_LENGTH);
  return { token, tokenHash: await sha256Hex(token) };
}

/** Returns the address of a sign-in link. */
export function formatSignInLink(appUrl: string, token: string): string {
  return `${appUrl}${SIGN_IN_LINK_PATH}${token}`;
}

/** Returns whom a link would sign in, and does not use it up. Returns null if it would sign in nobody. */
export async function findLinkOwner(
  directory: Database,
  token: string,
  nowMs: number,
): Promise<LinkOwner | null> {
  if (!TOKEN.test(token)) return null;
  const [owner] = await directory
    .select({ email: signInLinks.email, name: members.name, workspaceName: workspaces.name })
    .from(signInLinks)
    .innerJoin(members, isMemberOfLink())
    .innerJoin(workspaces, eq(workspaces.id, signInLinks.workspaceId))
    .where(isUsable(await sha256Hex(token), nowMs));
  return owner ?? null;
}

/**
 * Uses up a link and begins the session of its owner, in one batch: of two browsers that use it at once, one gets a
 * session. Ends the session that the browser had before. Returns whom it signed in, or null. A repetition after a lost
 * response finds the session that the first run began.
 */
export async function signInByLink(
  directory: Database,
  token: string,
  session: NewSession,
  facts: { userAgent: string; formerToken: string | null; nowMs: number },
): Promise<{ email: string } | null> {
  if (!TOKEN.test(token)) return null;
  const { userAgent, formerToken, nowMs } = facts;
  const linkHash = await sha256Hex(token);
  const formerHash = formerToken === null ? "" : await hashSessionToken(formerToken);
  const begin = directory.insert(sessions).select(
    directory
      .select({
        id: sql<string>`${session.id}`.as("id"),
        tokenHash: sql<string>`${session.tokenHash}`.as("token_hash"),
        email: signInLinks.email,
        name: members.name,
        issuer: sql<string | null>`null`.as("issuer"),
        subject: sql<string | null>`null`.as("subject"),
        userAgent: sql<string>`${userAgent}`.as("user_agent"),
        createdAt: sql<number>`${nowMs}`.as("created_at"),
        lastSeenAt: sql<number>`${nowMs}`.as("last_seen_at"),
        expiresAt: sql<number>`${findSessionEnd(nowMs, nowMs)}`.as("expires_at"),
      })
      .from(signInLinks)
      .innerJoin(members, isMemberOfLink())
      .where(isUsable(linkHash, nowMs)),
  );
  const isBegun = eq(sessions.tokenHash, session.tokenHash);
  const [begun] = (
    await repeatOnce(() =>
      directory.batch([
        begin,
        directory.delete(signInLinks).where(eq(signInLinks.tokenHash, linkHash)),
        directory
          .delete(sessions)
          .where(
            and(eq(sessions.tokenHash, formerHash), sql`exists (select 1 from ${sessions} where ${isBegun})`),
          ),
        directory.select({ email: sessions.email }).from(sessions).where(isBegun),
      ]),
    )
  )[3];
  if (begun !== undefined) await endOldest(directory, begun.email);
  return begun ?? null;
}

function isMemberOfLink() {
  return and(
    eq(members.workspaceId, signInLinks.workspaceId),
    eq(members.email, signInLinks.email),
    eq(members.isActive, true),
  );
}

function isUsable(tokenHash: string, nowMs: number) {
  return and(eq(signInLinks.tokenHash, tokenHash), gt(signInLinks.expiresAt, nowMs));
}

/** Deletes some sign-in links of a deleted workspace and returns their number. */
export function eraseSignInLinks(directory: Database, workspaceId: string): Promise<number> {
  return deleteSome(
    directory,
    signInLinks,
    [signInLinks.tokenHash],
    eq(signInLinks.workspaceId, workspaceId),
  );
}

/** Deletes links that were not used in time. The cron calls it. */
export async function sweepSignInLinks(directory: Database, nowMs: number): Promise<void> {
  await directory.delete(signInLinks).where(lte(signInLinks.expiresAt, nowMs));
}
