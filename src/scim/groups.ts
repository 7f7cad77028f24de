import { and, asc, eq, gt, type SQL, sql } from "drizzle-orm";
import { created, deleted, updated } from "../audit/describe-changes.ts";
import { generateUuidv7, isUuid } from "../core/id.ts";
import { isCheckViolation, isRaised, isUniqueViolation } from "../db/constraint.ts";
import { buildCondition, type FilterColumns } from "./filter-sql.ts";
import {
  addMembers,
  buildMemberStatements,
  createUnknownMemberError,
  limitMembers,
  type ShownGroup,
} from "./group-members.ts";
import type { MemberChange } from "./group-patch.ts";
import { type GroupColumns, getGroupRole } from "./group-record.ts";
import type { ScimPage } from "./list-response.ts";
import { describeMemberships, isGroup, loggedGroup } from "./logged-people.ts";
import {
  GROUP_MEMBERS_MAX,
  GROUPS_MAX,
  peopleTotals,
  scimGroupMembers,
  scimGroups,
} from "./scim.directory.table.ts";
import { commitChange, type ScimContext } from "./scim-context.ts";
import { createMissingError, createTakenError, ScimError } from "./scim-error.ts";
import type { Filter } from "./scim-filter.ts";
import { foldName } from "./user-record.ts";

const GROUP_COLUMNS = {
  id: scimGroups.id,
  displayName: scimGroups.displayName,
  externalId: scimGroups.externalId,
  createdAt: scimGroups.createdAt,
  updatedAt: scimGroups.updatedAt,
  memberCount: scimGroups.memberCount,
};

const hasMember = (id: SQL) => sql`exists (select 1 from ${scimGroupMembers}
  where ${scimGroupMembers.groupId} = ${scimGroups.id} and ${id})`;
const MEMBERS_COLUMN = {
  type: "set",
  contains: (value: string) => hasMember(eq(scimGroupMembers.memberId, value)),
  isNotEmpty: gt(scimGroups.memberCount, 0),
} as const;

/** Attributes by which groups can be filtered. */
const FILTER_COLUMNS: FilterColumns = {
  displayname: { type: "text", column: sql`${scimGroups.nameKey}`, fold: foldName },
  externalid: { type: "text", column: sql`${scimGroups.externalId}` },
  id: { type: "text", column: sql`${scimGroups.id}` },
  members: MEMBERS_COLUMN,
  "members.value": MEMBERS_COLUMN,
  "meta.created": { type: "time", column: sql`${scimGroups.createdAt}` },
  "meta.lastmodified": { type: "time", column: sql`${scimGroups.updatedAt}` },
};

/** Returns a page of the groups that match a filter, oldest first, and their total number. */
export async function listGroups(
  context: ScimContext,
  filter: Filter | null,
  { startIndex, count }: ScimPage,
  hasMembers: boolean,
): Promise<{ total: number; groups: ShownGroup[] }> {
  const { directory, workspace } = context;
  const isHere = eq(scimGroups.workspaceId, workspace.id);
  const condition = filter === null ? isHere : and(isHere, buildCondition(filter, FILTER_COLUMNS));
  const counted = directory.select({ total: sql<number>`count(*)` }).from(scimGroups).where(condition);
  const known = directory
    .select({ total: peopleTotals.groups })
    .from(peopleTotals)
    .where(eq(peopleTotals.workspaceId, workspace.id));
  const [rows, [total]] = await directory.batch([
    directory
      .select(GROUP_COLUMNS)
      .from(scimGroups)
      .where(condition)
      .orderBy(asc(scimGroups.id))
      .limit(count)
      .offset(startIndex - 1),
    filter === null ? known : counted,
  ]);
  const shown = hasMembers ? limitMembers(rows) : rows;
  return { total: total?.total ?? 0, groups: await addMembers(context, shown, hasMembers) };
}

/** Returns a group. Throws a 404 error if the workspace doesn't have it. */
export async function findGroup(context: ScimContext, id: string, hasMembers: boolean): Promise<ShownGroup> {
  const { directory, workspace } = context;
  const rows = isUuid(id)
    ? await directory.select(GROUP_COLUMNS).from(scimGroups).where(isGroup(workspace.id, id))
    : [];
  const [group] = await addMembers(context, rows, hasMembers);
  if (group === undefined) throw createMissingError();
  return group;
}

/** Creates a group with its members. Returns its id. */
export async function createGroup(
  context: ScimContext,
  columns: GroupColumns,
  change: MemberChange,
): Promise<string> {
  const { directory, workspace, nowMs } = context;
  const id = generateUuidv7(nowMs);
  const values = { id, workspaceId: workspace.id, createdAt: nowMs, updatedAt: nowMs, ...toStored(columns) };
  const log = {
    before: [describeMemberships(context, id, { columns, change })],
    after: [created(loggedGroup, eq(scimGroups.id, id))],
  };
  await commitChange(context, log, [
    directory.insert(scimGroups).values(values),
    ...buildMemberStatements(context, id, change),
  ]).catch(explainConflict);
  return id;
}

/** Updates a group's attributes and members. Triggers update the members' roles in the same transaction. */
export async function changeGroup(
  context: ScimContext,
  id: string,
  columns: GroupColumns,
  change: MemberChange,
): Promise<void> {
  const { directory, workspace, nowMs } = context;
  const stored = toStored(columns);
  const byId = isGroup(workspace.id, id);
  const before = [updated(loggedGroup, byId, stored), describeMemberships(context, id, { columns, change })];
  const [written] = await commitChange(context, { before }, [
    directory
      .update(scimGroups)
      .set({ ...stored, updatedAt: sql`max(${nowMs}, ${scimGroups.updatedAt} + 1)` })
      .where(byId)
      .returning({ id: scimGroups.id }),
    ...buildMemberStatements(context, id, change),
  ]).catch(explainConflict);
  if (written.length === 0) throw createMissingError();
}

/** Deletes a group. Its members stay, with the roles of their other groups. */
export async function deleteGroup(context: ScimContext, id: string): Promise<void> {
  const { directory, workspace } = context;
  const byId = isGroup(workspace.id, id);
  const before = [deleted(loggedGroup, byId), describeMemberships(context, id, null)];
  const [found] = await commitChange(context, { before }, [
    directory.delete(scimGroups).where(byId).returning({ id: scimGroups.id }),
  ]);
  if (found.length === 0) throw createMissingError();
}

function toStored(columns: GroupColumns) {
  return { ...columns, nameKey: foldName(columns.displayName), role: getGroupRole(columns) };
}

function explainConflict(error: unknown): never {
  if (isUniqueViolation(error, "scim_groups.workspace_id", "scim_groups.name_key")) {
    throw createTakenError("The workspace already has a group with this displayName.");
  }
  if (isRaised(error, "scim_group_unknown")) throw createMissingError();
  if (isRaised(error, "scim_member_unknown")) throw createUnknownMemberError();
  if (isCheckViolation(error, "groups_max")) throw createLimitError(`${GROUPS_MAX} groups`);
  if (isCheckViolation(error, "group_members_max")) {
    throw createLimitError(`${GROUP_MEMBERS_MAX} members in all groups together`);
  }
  throw error;
}

function createLimitError(limit: string): ScimError {
  return new ScimError(403, null, `A workspace can have at most ${limit}.`);
}
