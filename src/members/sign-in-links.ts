import { and, eq, exists, gt, lte } from "drizzle-orm";
import { sha256Hex } from "../core/crypto.ts";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { workspaces } from "../tenant/workspaces.directory.table.ts";
import { members } from "./members.directory.table.ts";
import { signInLinks } from "./sessions.directory.table.ts";
import type { NewSession } from "./sessions.ts";
import { type SignInFacts, type SigningMember, startSession } from "./start-session.ts";

<<<<<<< 503f1a40d574bd30fc306e4c9bd00c01fa7bbf5f:src/members/sign-in-links.ts
/** Path of a sign-in link on the app host. The token follows it. */
export const SIGN_IN_LINK_PATH = "/sign-in/link/";

const TOKEN_LENGTH = 48;
=======
>>>>>>> 2dd86caaf57eb1e67709dec84dc4af2def4edf36:src/people/sign-in-links.ts
const TOKEN = /^[A-Za-z0-9]{48}$/;

/** Member whom a sign-in link signs in. */
export interface LinkOwner extends SigningMember {
  workspaceName: string;
}

<<<<<<< 503f1a40d574bd30fc306e4c9bd00c01fa7bbf5f:src/members/sign-in-links.ts
/** Generates the token of a sign-in link and the hash to store. */
export async function generateLinkToken(): Promise<{ token: string; tokenHash: string }> {
  const token = generateAlphanumeric(TOKEN_LENGTH);
  return { token, tokenHash: await sha256Hex(token) };
}

/** Returns the URL of a sign-in link. */
export function formatSignInLink(appUrl: string, token: string): string {
  return `${appUrl}${SIGN_IN_LINK_PATH}${token}`;
}

/**
 * Returns the member whom a link would sign in, without using up the link. Returns null if the link isn't
 * valid.
 */
=======
/** Returns whom a link would sign in, and does not use it up. Returns null if it would sign in nobody. */
>>>>>>> 2dd86caaf57eb1e67709dec84dc4af2def4edf36:src/people/sign-in-links.ts
export async function findLinkOwner(
  directory: Database,
  token: string,
  nowMs: number,
): Promise<LinkOwner | null> {
  if (!TOKEN.test(token)) return null;
  const [owner] = await directory
    .select({
      ...{ workspaceId: workspaces.id, workspaceName: workspaces.name },
      ...{ memberId: members.id, email: members.email, name: members.name },
    })
    .from(signInLinks)
    .innerJoin(members, isMemberOfLink())
    .innerJoin(workspaces, eq(workspaces.id, signInLinks.workspaceId))
    .where(isUsable(await sha256Hex(token), nowMs));
  return owner ?? null;
}

/**
 * Uses up a link and starts its member's session in one batch. If two browsers use a link at the same time,
 * only one gets a session. Returns false if the link isn't valid.
 */
export async function signInByLink(
  directory: Database,
  token: string,
  session: NewSession,
  facts: SignInFacts,
): Promise<boolean> {
  const owner = await findLinkOwner(directory, token, facts.nowMs);
  if (owner === null) return false;
  const linkHash = await sha256Hex(token);
  const usable = directory
    .select({ email: signInLinks.email })
    .from(signInLinks)
    .innerJoin(members, isMemberOfLink())
    .where(isUsable(linkHash, facts.nowMs));
  const spend = directory.delete(signInLinks).where(eq(signInLinks.tokenHash, linkHash));
  const proof = { operation: "signInByLink", provider: null, condition: exists(usable), spend } as const;
  return (await startSession(directory, owner, proof, session, facts)) === "begun";
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

/** Deletes expired links. Called by the cron. */
export async function sweepSignInLinks(directory: Database, nowMs: number): Promise<void> {
  await directory.delete(signInLinks).where(lte(signInLinks.expiresAt, nowMs));
}
