import { and, eq, not } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { isErased } from "../tenant/deleted-workspaces.ts";
import type { PlanName } from "../tenant/plans.ts";
import { workspaces } from "../tenant/workspaces.directory.table.ts";
import { scimTokens } from "./scim.directory.table.ts";
import { hashScimToken } from "./scim-token.ts";

/** Verified token with its workspace. */
export interface VerifiedToken {
  id: string;
  prefix: string;
  workspaceId: string;
  plan: PlanName;
  /** True if an administrator has suspended the workspace. */
  isSuspended: boolean;
  emailDomains: readonly string[];
}

/**
 * Returns a valid token, or null. Nothing is cached, so revoked tokens, and tokens of a workspace that is
 * being deleted, are rejected from the next request on.
 */
export async function verifyScimToken(directory: Database, token: string): Promise<VerifiedToken | null> {
  const [found] = await directory
    .select({
      id: scimTokens.id,
      prefix: scimTokens.prefix,
      workspaceId: scimTokens.workspaceId,
      plan: workspaces.plan,
      suspendedAt: workspaces.suspendedAt,
      emailDomains: scimTokens.emailDomains,
    })
    .from(scimTokens)
    .innerJoin(workspaces, eq(workspaces.id, scimTokens.workspaceId))
    .where(and(eq(scimTokens.tokenHash, await hashScimToken(token)), not(isErased())));
  if (found === undefined) return null;
  const { suspendedAt, ...verified } = found;
  return { ...verified, isSuspended: suspendedAt !== null };
}
