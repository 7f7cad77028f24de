import { and, eq, type SQL, sql } from "drizzle-orm";
import { members } from "../members.directory.table.ts";
import { sessions, signInLinks } from "../sessions.directory.table.ts";
import type { ScimContext } from "./scim-context.ts";

/**
 * Returns the statements that follow one which may have ended the access of an address. They delete what the person
 * cannot use any more: the sign-in links of this workspace, and all sessions if no workspace is left. A session belongs
 * to a person, and a workspace must not sign people out of others. In this one, access has ended with the membership
 * anyway, which every call reads.
 */
export function endSessionsWithoutMember({ directory, workspace }: ScimContext, email: string) {
  const isActive = and(eq(members.email, email), eq(members.isActive, true));
  const hasNone = (condition: SQL | undefined) =>
    sql`not exists (select 1 from ${members} where ${condition})`;
  return [
    directory
      .delete(signInLinks)
      .where(
        and(
          eq(signInLinks.workspaceId, workspace.id),
          eq(signInLinks.email, email),
          hasNone(and(isActive, eq(members.workspaceId, workspace.id))),
        ),
      ),
    directory.delete(sessions).where(and(eq(sessions.email, email), hasNone(isActive))),
  ] as const;
}
