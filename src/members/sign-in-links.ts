import { and, eq, exists, gt, lte } from "drizzle-orm";
import { sha256Hex } from "../core/crypto.ts";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { workspaces } from "../tenant/workspaces.directory.table.ts";
import { members } from "./members.directory.table.ts";
import { signInLinks } from "./sessions.directory.table.ts";
import type { NewSession } from "./sessions.ts";
import { isLinkToken } from "./sign-in-link-address.ts";
import { type Proof, type SignInFacts, type SigningMember, startSession } from "./start-session.ts";

/** Member whom a sign-in link signs in. */
export interface LinkOwner extends SigningMember {
  workspaceName: string;
}

/**
 * Returns the member whom a link would sign in, without using up the link. Returns null if the link isn't
 * valid.
 */
export async function findLinkOwner(
  directory: Database,
  token: string,
  nowMs: number,
): Promise<LinkOwner | null> {
  if (!isLinkToken(token)) return null;
  const [owner] = await directory
    .select({
      workspaceId: workspaces.id,
      workspaceName: workspaces.name,
      memberId: members.id,
      person: members.person,
      email: members.email,
      name: members.name,
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
  // The administrator has made the link for this workspace, and its page names the workspace.
  const accept = directory
    .update(members)
    .set({ isAccepted: true })
    .where(and(eq(members.id, owner.memberId), eq(members.isAccepted, false), exists(usable)));
  const proof: Proof = {
    operation: "signInByLink",
    provider: null,
    condition: exists(usable),
    spend: [accept, spend],
  };
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
