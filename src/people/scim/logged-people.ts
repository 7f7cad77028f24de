import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Change, defineResource, updated } from "../../audit/describe-changes.ts";
import { members } from "../members.directory.table.ts";
import { scimGroupMembers, scimGroups } from "../scim.directory.table.ts";
import type { MemberChange } from "./group-patch.ts";
import { type GroupColumns, getGroupRole } from "./group-record.ts";
import type { ScimContext } from "./scim-context.ts";
import type { UserColumns } from "./user-record.ts";

/** Users as the log of changes has them. Their role changes with their groups too. */
export const loggedUser = defineResource("member", members, {
  email: "email",
  name: "name",
  role: "role",
  active: "isActive",
  user_name: "userName",
  given_name: "givenName",
  family_name: "familyName",
  external_id: "externalId",
});

/** Groups as the log of changes has them. Who joins and leaves one is logged with the member. */
export const loggedGroup = defineResource("group", scimGroups, {
  display_name: "displayName",
  role: "role",
  external_id: "externalId",
});

/**
 * Returns the highest role that the groups of a member give, as far as they meet a condition, and a further group does: a
 * select of its role. Null if none gives one. The triggers of the database compare roles in the same order.
 */
function buildHighestRole(condition: SQL, further: SQL): SQL {
  return sql`(select role from
      (select role from ${scimGroupMembers} as joined join ${scimGroups} as given on given.id = joined.group_id
        where joined.member_id = ${members.id} and ${condition}
       union all ${further})
    where role is not null order by case role when 'owner' then 0 when 'editor' then 1 else 2 end limit 1)`;
}

/**
 * Describes a user that is about to get other values. `own_role`, the role without the groups, is shown only where a group
 * gives another one: elsewhere it is the role.
 */
export function describeUserUpdate(condition: SQL | undefined, columns: UserColumns): Change {
  const fromGroups = buildHighestRole(sql`true`, sql`select null`);
  const ifHidden = (role: SQL) => sql`iif(${fromGroups} is null, null, ${role})`;
  return updated(loggedUser, condition, columns, {
    role: [sql`${members.role}`, sql`coalesce(${fromGroups}, ${columns.ownRole})`],
    own_role: [
      ifHidden(sql`coalesce(${members.ownRole}, ${members.role})`),
      ifHidden(sql`${columns.ownRole}`),
    ],
  });
}

/** Returns the condition for one group of a workspace. */
export function isGroup(workspaceId: string, id: string): SQL | undefined {
  return and(eq(scimGroups.workspaceId, workspaceId), eq(scimGroups.id, id));
}

/** Future state of a group: null if it is about to be deleted. */
export type FutureGroup = { columns: GroupColumns; change: MemberChange } | null;

/**
 * Describes the members whom a change of a group makes join it, leave it, or have another role. It computes what the
 * triggers of the database are about to do, since the log is written before them.
 */
export function describeMemberships(
  { workspace }: ScimContext,
  groupId: string,
  future: FutureGroup,
): Change {
  const group = isGroup(workspace.id, groupId);
  const former = (column: SQL) => sql`(select ${column} from ${scimGroups} where ${group})`;
  const isInGroup = and(
    eq(scimGroupMembers.workspaceId, workspace.id),
    eq(scimGroupMembers.groupId, groupId),
  );
  const [name, role] =
    future === null ? [null, null] : [future.columns.displayName, getGroupRole(future.columns)];
  const wasIn = sql`exists (select 1 from ${scimGroupMembers} where ${isInGroup} and ${scimGroupMembers.memberId} = ${members.id})`;
  const isIn = future === null ? sql`false` : buildFutureMembership(future.change, wasIn);
  const fromGroups = buildHighestRole(sql`joined.group_id <> ${groupId}`, sql`select ${role} where ${isIn}`);
  const named =
    future === null
      ? sql`select null where false`
      : listIds([...future.change.added, ...future.change.removed]);
  const mayLeave = future === null || future.change.isReplaced ? sql`true` : sql`false`;
  const isTouched = sql`${members.id} in (${named} union all select ${scimGroupMembers.memberId} from ${scimGroupMembers}
      where ${isInGroup} and (${mayLeave} or ${former(sql`role`)} is not ${role}))`;
  return updated(
    loggedUser,
    and(eq(members.workspaceId, workspace.id), isTouched),
    {},
    {
      group: [
        sql`iif(${wasIn} and not ${isIn}, ${former(sql`display_name`)}, null)`,
        sql`iif(${isIn} and not ${wasIn}, ${name}, null)`,
      ],
      role: [sql`${members.role}`, sql`coalesce(${fromGroups}, ${members.ownRole}, ${members.role})`],
    },
  );
}

/** Returns the condition for members that a group has after a change. */
function buildFutureMembership({ isReplaced, added, removed }: MemberChange, wasIn: SQL): SQL {
  const isAdded = sql`${members.id} in (${listIds(added)})`;
  if (isReplaced) return isAdded;
  return sql`(${isAdded} or (${wasIn} and ${members.id} not in (${listIds(removed)})))`;
}

/** Returns the select of ids, as one bound value. */
function listIds(ids: Iterable<string>): SQL {
  return sql`select value from json_each(${JSON.stringify([...ids])})`;
}
