import { asc, eq } from "drizzle-orm";
import type { Tenant } from "../tenant/tenant.ts";
import { members } from "./members.table.ts";

/** Returns the members of the workspace in the order in which they joined. The API cannot change members. */
export async function listMembers({ db, workspace }: Tenant) {
  return db
    .select({ id: members.id, email: members.email, name: members.name })
    .from(members)
    .where(eq(members.workspaceId, workspace.id))
    .orderBy(asc(members.id));
}
