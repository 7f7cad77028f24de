import { and, asc, eq, gt } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { members } from "./members.directory.table.ts";

/** Part of the list of members to return. */
interface MemberPage {
  limit: number;
  /** Id of the member that the list continues after. The member may have left: ids have the order of joining. */
  after?: string | undefined;
}

/** Returns members of the workspace in the order in which they joined. The API cannot change members. */
export async function listMembers({ directory, workspace }: Tenant, { limit, after }: MemberPage) {
  const query = directory
    .select({ id: members.id, email: members.email, name: members.name, role: members.role })
    .from(members)
    .where(
      and(eq(members.workspaceId, workspace.id), after === undefined ? undefined : gt(members.id, after)),
    )
    .orderBy(asc(members.id))
    .limit(limit);
  // A batch, because D1 tells the rows that it read only for batches, and tests bound them.
  const [page] = await directory.batch([query]);
  return page;
}

/** Deletes some members of a deleted workspace and returns their number. */
export function eraseMembers(db: Database, workspaceId: string): Promise<number> {
  return deleteSome(db, members, [members.id], eq(members.workspaceId, workspaceId));
}
