import type { SQL } from "drizzle-orm";
import { and, asc, eq, gt, not, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { isErased } from "../tenant/deleted-workspaces.ts";
import { workspaces } from "../tenant/workspaces.directory.table.ts";
import { members } from "./members.directory.table.ts";
import { sessions } from "./sessions.directory.table.ts";
import { hashSessionToken } from "./sessions.ts";

/** Maximum number of workspaces listed per person. */
const MEMBERSHIPS_MAX = 200;

/**
 * Returns the statement that selects the workspaces in which a person is an active member, in the order of
 * joining.
 */
export function selectMemberships(directory: Database, email: string | SQL) {
  return directory
    .select({
      id: workspaces.id,
      slug: workspaces.slug,
      name: workspaces.name,
      plan: workspaces.plan,
      role: members.role,
    })
    .from(members)
    .innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
    .where(isActiveMember(email))
    .orderBy(asc(members.id))
    .limit(MEMBERSHIPS_MAX);
}

/** Returns the condition for a person's active memberships in workspaces that aren't deleted. */
export function isActiveMember(email: string | SQL) {
  return and(eq(members.email, email), eq(members.isActive, true), not(isErased()));
}

/** Returns a session's person and their workspaces, or null if the session has ended. */
export async function listMemberships(directory: Database, token: string, nowMs: number) {
  const isCurrent = and(eq(sessions.tokenHash, await hashSessionToken(token)), gt(sessions.expiresAt, nowMs));
  const email = sql`(select ${sessions.email} from ${sessions} where ${isCurrent})`;
  const [[person], list] = await directory.batch([
    directory.select({ email: sessions.email }).from(sessions).where(isCurrent),
    selectMemberships(directory, email),
  ]);
  return person === undefined ? null : { email: person.email, workspaces: list };
}
