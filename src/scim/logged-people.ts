import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Change, defineResource, shownAs, updated } from "../audit/describe-changes.ts";
import { members } from "../members/members.directory.table.ts";
import type { MemberChange } from "./group-patch.ts";
import { type GroupColumns, getGroupRole } from "./group-record.ts";
import { scimGroupMembers, scimGroups } from "./scim.directory.table.ts";
import type { ScimContext } from "./scim-context.ts";
import type { UserColumns } from "./user-record.ts";

/** Fields of users in the audit log. A user's role may also change through groups. */
export const loggedUser = defineResource("member", members, {
  email: "email",
  name: "name",
  role: "role",
  active: "isActive",
  user_name: "userName",
  given_name: "givenName",
  family_name: "familyName",
  formatted_name: "formattedName",
  emails: shownAs("json", "emails"),
  external_id: "externalId",
});

/** Fields of groups in the audit log. Joining and leaving a group is logged with the member. */
export const loggedGroup = defineResource("group", scimGroups, {
  display_name: "displayName",
  role: "role",
  external_id: "externalId",
});

/**
 * Selects the highest of these roles: the role of each of the member's groups that meets `condition`, and the
 * role that the select `further` returns (null or no row means none). The result is null if there is no role.
 * Uses the same order of roles as the triggers in `migrations/schema.sql`.
 */
function buildHighestRole(condition: SQL, further: SQL): SQL {
  return sql`(select role from
      (select role from ${scimGroupMembers} as joined join ${scimGroups} as given on given.id = joined.group_id
        where joined.member_id = ${members.id} and ${condition}
       union all ${further})
    where role is not null order by case role when 'owner' then 0 when 'editor' then 1 else 2 end limit 1)`;
}

/**
 * Describes an update of a user. `own_role` is the role that the user has when no group gives one. It is
 * logged only if a group gives the user a role. Otherwise `own_role` and `role` are the same.
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

/** State of a group after a change. Null if the group is deleted. */
export type FutureGroup = { columns: GroupColumns; change: MemberChange } | null;

/**
 * Describes the effects of a change of a group: which members join it, which leave it, and whose role changes.
 * A change that only removes members is always allowed, because it may reduce access. Predicts the effect of the
 * triggers in `migrations/schema.sql`, because the log is written before the change.
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
  const onlyRemoves = future === null || !(future.change.isReplaced || future.change.added.size > 0);
  const change = updated(
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
  return onlyRemoves ? { ...change, isAlwaysAllowed: true } : change;
}

/** Returns the condition for being a member of a group after a change. */
function buildFutureMembership({ isReplaced, added, removed }: MemberChange, wasIn: SQL): SQL {
  const isAdded = sql`${members.id} in (${listIds(added)})`;
  if (isReplaced) return isAdded;
  return sql`(${isAdded} or (${wasIn} and ${members.id} not in (${listIds(removed)})))`;
}

/** Selects ids from one bound JSON value. */
function listIds(ids: Iterable<string>): SQL {
  return sql`select value from json_each(${JSON.stringify([...ids])})`;
}
