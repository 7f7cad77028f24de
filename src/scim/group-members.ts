import { and, asc, eq, notInArray, sql } from "drizzle-orm";
import { isUuid } from "../core/id.ts";
import { inJson } from "../db/in-json.ts";
import { selectColumns } from "../db/select-columns.ts";
import type { MemberChange } from "./group-patch.ts";
import type { GroupRow } from "./group-record.ts";
import { scimGroupMembers } from "./scim.directory.table.ts";
import type { ScimContext, Statement } from "./scim-context.ts";
import { createInputError, type ScimError } from "./scim-error.ts";

/** Maximum number of members on a page of groups. If the groups have more, the page has fewer groups. */
const SHOWN_MEMBERS_MAX = 10_000;

/** Group with the ids of its members. `memberIds` is null if the request excludes members. */
export type ShownGroup = { row: GroupRow; memberIds: string[] | null };

/** Returns as many of the first groups as fit on a page with all their members, but at least one. */
export function limitMembers(rows: readonly GroupRow[]): readonly GroupRow[] {
  let sum = 0;
  return rows.filter(({ memberCount }, index) => {
    sum += memberCount;
    return index === 0 || sum <= SHOWN_MEMBERS_MAX;
  });
}

/** Adds member ids to groups, or null if the request excludes members. */
export async function addMembers(
  { directory, workspace }: ScimContext,
  rows: readonly GroupRow[],
  hasMembers: boolean,
): Promise<ShownGroup[]> {
  if (!hasMembers) return rows.map((row) => ({ row, memberIds: null }));
  const ids = rows.filter(({ memberCount }) => memberCount > 0).map(({ id }) => id);
  const { groupId, memberId, workspaceId } = scimGroupMembers;
  const found =
    ids.length === 0
      ? []
      : await directory
          .select({ groupId, memberId })
          .from(scimGroupMembers)
          .where(and(eq(workspaceId, workspace.id), inJson(groupId, ids)))
          .orderBy(asc(memberId));
  const byGroup = Map.groupBy(found, (member) => member.groupId);
  return rows.map((row) => ({
    row,
    memberIds: (byGroup.get(row.id) ?? []).map((member) => member.memberId),
  }));
}

/** Returns the statements that change a group's members. Throws `invalidValue` for invalid ids. */
export function buildMemberStatements(
  { directory, workspace }: ScimContext,
  id: string,
  { isReplaced, added, removed }: MemberChange,
): Statement[] {
  const { groupId, memberId, workspaceId } = scimGroupMembers;
  const isInGroup = and(eq(workspaceId, workspace.id), eq(groupId, id));
  const listIds = (ids: ReadonlySet<string>) =>
    sql`(select value from json_each(${JSON.stringify([...ids])}))`;
  const statements: Statement[] = [];
  if (isReplaced) {
    statements.push(
      directory.delete(scimGroupMembers).where(and(isInGroup, notInArray(memberId, listIds(added)))),
    );
  } else if (removed.size > 0) {
    statements.push(
      directory.delete(scimGroupMembers).where(and(isInGroup, sql`${memberId} in ${listIds(removed)}`)),
    );
  }
  if (added.size === 0) return statements;
  if (![...added].every(isUuid)) throw createUnknownMemberError();
  const isNew = sql`value not in (select ${memberId} from ${scimGroupMembers} where ${isInGroup})`;
  // Doesn't use `or ignore`, because that would also ignore the limits that triggers enforce.
  const rows = selectColumns(
    scimGroupMembers,
    { workspaceId: workspace.id, groupId: id, memberId: sql`value` },
    sql`from json_each(${JSON.stringify([...added])}) where ${isNew}`,
  );
  statements.push(directory.insert(scimGroupMembers).select(rows));
  return statements;
}

/** Returns the error for the id of a user who isn't in the workspace. */
export function createUnknownMemberError(): ScimError {
  return createInputError("invalidValue", "members contains the id of a user who is not in the workspace.");
}
