import { and, eq, gte, lt, not, type SQL } from "drizzle-orm";
import type { Database } from "../../db/database.ts";
import { deleteSome } from "../../db/delete-some.ts";
import { DELETED_FROM, DELETED_TO } from "../../tenant/deleted-name.ts";
import { workspaces } from "../../tenant/workspaces.directory.table.ts";
import { peopleTotals, scimGroupMembers, scimGroups, scimTokens } from "../scim.directory.table.ts";
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
  const isDeleted = and(gte(workspaces.slug, DELETED_FROM), lt(workspaces.slug, DELETED_TO)) as SQL;
  const [found] = await directory
    .select({ id: scimTokens.id, prefix: scimTokens.prefix, workspaceId: scimTokens.workspaceId })
    .from(scimTokens)
    .innerJoin(workspaces, eq(workspaces.id, scimTokens.workspaceId))
    .where(and(eq(scimTokens.tokenHash, await hashScimToken(token)), not(isDeleted)));
  return found ?? null;
}

/** Deletes some tokens of a deleted workspace and returns their number. */
export function eraseScimTokens(directory: Database, workspaceId: string): Promise<number> {
  return deleteSome(directory, scimTokens, [scimTokens.tokenHash], eq(scimTokens.workspaceId, workspaceId));
}

/** Deletes some members of groups of a deleted workspace and returns their number. */
export function eraseGroupMembers(directory: Database, workspaceId: string): Promise<number> {
  const { groupId, memberId } = scimGroupMembers;
  const isHere = eq(scimGroupMembers.workspaceId, workspaceId);
  return deleteSome(directory, scimGroupMembers, [scimGroupMembers.workspaceId, groupId, memberId], isHere);
}

/** Deletes some groups of a deleted workspace, which have no members any more, and returns their number. */
export function eraseGroups(directory: Database, workspaceId: string): Promise<number> {
  return deleteSome(directory, scimGroups, [scimGroups.id], eq(scimGroups.workspaceId, workspaceId));
}

/** Deletes the totals of a deleted workspace, when it has neither members nor groups any more. */
export function erasePeopleTotals(directory: Database, workspaceId: string): Promise<number> {
  const { workspaceId: column } = peopleTotals;
  return deleteSome(directory, peopleTotals, [column], eq(column, workspaceId));
}
