import { eq } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { peopleTotals, scimGroupMembers, scimGroups, scimTokens } from "./scim.directory.table.ts";

/** Deletes some SCIM tokens and groups of a deleted workspace and returns their number. */
export async function eraseScim(db: Database, workspaceId: string): Promise<number> {
  const { groupId, memberId } = scimGroupMembers;
  const ofWorkspace = eq(scimGroupMembers.workspaceId, workspaceId);
  const inGroups = await deleteSome(
    db,
    scimGroupMembers,
    [scimGroupMembers.workspaceId, groupId, memberId],
    ofWorkspace,
  );
  // Group members are deleted first, in batches, because a trigger would delete all of a group's members at
  // once.
  if (inGroups > 0) return inGroups;
  const groups = await deleteSome(db, scimGroups, [scimGroups.id], eq(scimGroups.workspaceId, workspaceId));
  const isHere = eq(scimTokens.workspaceId, workspaceId);
  return groups + (await deleteSome(db, scimTokens, [scimTokens.tokenHash], isHere));
}

/** Deletes the totals of a deleted workspace. Must run after its members and groups were deleted. */
export function erasePeopleTotals(db: Database, workspaceId: string): Promise<number> {
  const { workspaceId: column } = peopleTotals;
  return deleteSome(db, peopleTotals, [column], eq(column, workspaceId));
}
