import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { members } from "./members.directory.table.ts";
import { sessions, signInLinks } from "./sessions.directory.table.ts";

/**
 * Returns the statements to run after a change that may have ended a person's access. They delete the
 * person's sign-in links for this workspace, and all their sessions if they have no workspace left. Sessions
 * belong to a person, so one workspace must not sign people out of others. In this workspace, access ends
 * immediately, because all calls check the membership.
 */
export function endSessionsWithoutMember(directory: Database, workspaceId: string, email: string) {
  const isActive = and(eq(members.email, email), eq(members.isActive, true));
  const hasNone = (condition: SQL | undefined) =>
    sql`not exists (select 1 from ${members} where ${condition})`;
  return [
    directory
      .delete(signInLinks)
      .where(
        and(
          eq(signInLinks.workspaceId, workspaceId),
          eq(signInLinks.email, email),
          hasNone(and(isActive, eq(members.workspaceId, workspaceId))),
        ),
      ),
    directory
      .delete(sessions)
      .where(and(eq(sessions.email, email), hasNone(and(isActive, eq(members.isAccepted, true))))),
  ] as const;
}
