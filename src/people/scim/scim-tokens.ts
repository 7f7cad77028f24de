import { and, eq, not } from "drizzle-orm";
import type { Database } from "../../db/database.ts";
import { isErased } from "../../tenant/deleted-workspaces.ts";
import { workspaces } from "../../tenant/workspaces.directory.table.ts";
import { scimTokens } from "../scim.directory.table.ts";
import { hashScimToken } from "./scim-token.ts";

/** Token of a request, with its workspace. */
export interface VerifiedToken {
  id: string;
  prefix: string;
  workspaceId: string;
}

/**
 * Finds a token, or returns null. Nothing is cached, so a revoked token is refused from the next request on, as are those of
 * a workspace that is being deleted.
 */
export async function verifyScimToken(directory: Database, token: string): Promise<VerifiedToken | null> {
  const [found] = await directory
    .select({ id: scimTokens.id, prefix: scimTokens.prefix, workspaceId: scimTokens.workspaceId })
    .from(scimTokens)
    .innerJoin(workspaces, eq(workspaces.id, scimTokens.workspaceId))
    .where(and(eq(scimTokens.tokenHash, await hashScimToken(token)), not(isErased())));
  return found ?? null;
}
