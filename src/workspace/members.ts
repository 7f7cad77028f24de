import { asc, eq } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { members } from "./members.directory.table.ts";

/** Returns the members of the workspace in the order in which they joined. The API cannot change members. */
export async function listMembers({ directory, workspace }: Tenant) {
  return directory
    .select({ id: members.id, email: members.email, name: members.name })
    .from(members)
    .where(eq(members.workspaceId, workspace.id))
    .orderBy(asc(members.id));
}

/** Deletes some members of a deleted workspace and returns their number. */
export function eraseMembers(db: Database, workspaceId: string): Promise<number> {
  return deleteSome(db, members, [members.id], eq(members.workspaceId, workspaceId));
}
