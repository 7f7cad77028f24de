import { eq } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { scimGroupMembers, scimGroups, scimTokens } from "./scim.directory.table.ts";

/** Deletes some tokens and groups of the identity provider of a deleted workspace, and returns their number. */
export async function eraseScim(db: Database, workspaceId: string): Promise<number> {
  const deleted = [
    await deleteSome(db, scimTokens, [scimTokens.tokenHash], eq(scimTokens.workspaceId, workspaceId)),
    await deleteSome(
      db,
      scimGroupMembers,
      [scimGroupMembers.workspaceId, scimGroupMembers.groupId, scimGroupMembers.memberId],
      eq(scimGroupMembers.workspaceId, workspaceId),
    ),
    await deleteSome(db, scimGroups, [scimGroups.id], eq(scimGroups.workspaceId, workspaceId)),
  ];
  return deleted.reduce((sum, count) => sum + count, 0);
}
