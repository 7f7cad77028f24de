import { asc, eq } from "drizzle-orm";
import { members } from "../tenant/tenant.table.ts";
import type { Tenant } from "../tenant/tenant.ts";

/** The workspace's members, in the order they joined. Who is one is managed elsewhere. */
export async function listMembers({ db, workspace }: Tenant) {
  return db
    .select({ id: members.id, email: members.email, name: members.name })
    .from(members)
    .where(eq(members.workspaceId, workspace.id))
    .orderBy(asc(members.id));
}
