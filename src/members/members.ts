import { and, asc, eq, gt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { members } from "./members.directory.table.ts";

/** Page of the member list to return. */
interface MemberPage {
  limit: number;
  /**
   * Id of the last member on the previous page. This member may have left, because ids are in the order of
   * joining.
   */
  after?: string | undefined;
}

/** Returns members of the workspace in the order of joining. */
export async function listMembers({ directory, workspace }: Tenant, { limit, after }: MemberPage) {
  const query = directory
    .select({ id: members.id, email: members.email, name: members.name, role: members.role })
    .from(members)
    .where(
      and(eq(members.workspaceId, workspace.id), after === undefined ? undefined : gt(members.id, after)),
    )
    .orderBy(asc(members.id))
    .limit(limit);
  // Uses a batch, because D1 reports the number of rows read only for batches, and tests check that number.
  const [page] = await directory.batch([query]);
  return page;
}

/** Returns the condition that a workspace has an active member with this id. */
export function isActiveMember(workspaceId: string, id: SQLWrapper): SQL {
  return sql`exists (select 1 from ${members} where ${members.id} = ${id}
                       and ${members.workspaceId} = ${workspaceId} and ${members.isActive})`;
}

/** Deletes some members of a deleted workspace and returns their number. */
export function eraseMembers(db: Database, workspaceId: string): Promise<number> {
  return deleteSome(db, members, [members.id], eq(members.workspaceId, workspaceId));
}
