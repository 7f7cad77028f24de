import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { created, deleted } from "../audit/describe-changes.ts";
import { generateUuidv7, isUuid } from "../core/id.ts";
import { isCheckViolation, isUniqueIndexViolation, isUniqueViolation } from "../db/constraint.ts";
import { describeCreator } from "../keys/keys.ts";
import { members } from "../members/members.directory.table.ts";
import { domains } from "../tenant/workspaces.directory.table.ts";
import { buildCondition, type FilterColumn, type FilterColumns } from "./filter-sql.ts";
import type { ScimPage } from "./list-response.ts";
import { describeUserUpdate, loggedUser } from "./logged-people.ts";
import { MEMBERS_MAX, peopleTotals } from "./scim.directory.table.ts";
import { commitChange, type ScimContext } from "./scim-context.ts";
import { createMissingError, createTakenError, ScimError } from "./scim-error.ts";
import type { Filter } from "./scim-filter.ts";
import { foldName, type UserColumns, type UserRow } from "./user-record.ts";

/** Maximum number of attempts to change a user while other requests change the same user. */
const TRIES_MAX = 5;

const lowered = (column: SQL | typeof members.name) => sql`lower(${column})`;
const fold = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Formatted name as responses show it. */
const FORMATTED_NAME = sql`coalesce(${members.formattedName},
  nullif(trim(coalesce(${members.givenName}, '') || ' ' || coalesce(${members.familyName}, '')), ''), ${members.name})`;
/** Returns true if one of the user's email addresses meets a condition. */
const hasAddress = (condition: SQL) => sql`exists (select 1 from json_each(coalesce(${members.emails},
  json_array(json_object('value', ${members.email}, 'type', 'work', 'primary', json('true'))))) as address where ${condition})`;
const part = (column: FilterColumn): FilterColumn => ({ type: "part", column, matches: hasAddress });
const ADDRESS = part({ type: "text", column: sql`lower(address.value ->> 'value')`, fold: foldEmail });

/** Attributes by which users can be filtered. Ignores case, except for ids. */
const FILTER_COLUMNS: FilterColumns = {
  username: { type: "text", column: sql`coalesce(${members.userNameKey}, ${members.email})`, fold: foldName },
  externalid: { type: "text", column: sql`${members.externalId}` },
  id: { type: "text", column: sql`${members.id}` },
  emails: ADDRESS,
  "emails.value": ADDRESS,
  "emails.type": part({ type: "text", column: sql`lower(address.value ->> 'type')`, fold }),
  "emails.primary": part({ type: "boolean", column: sql`coalesce(address.value ->> 'primary', 0)` }),
  active: { type: "boolean", column: sql`${members.isActive}` },
  displayname: { type: "text", column: lowered(members.name), fold },
  "name.formatted": { type: "text", column: lowered(FORMATTED_NAME), fold },
  "name.givenname": { type: "text", column: lowered(sql`${members.givenName}`), fold },
  "name.familyname": { type: "text", column: lowered(sql`${members.familyName}`), fold },
  roles: { type: "text", column: sql`${members.ownRole}`, fold },
  "roles.value": { type: "text", column: sql`${members.ownRole}`, fold },
  "meta.created": { type: "time", column: sql`${members.createdAt}` },
  "meta.lastmodified": { type: "time", column: sql`${members.updatedAt}` },
};

function foldEmail(text: string): string {
  return text.trim().toLowerCase();
}

const USER_COLUMNS = {
  id: members.id,
  userName: members.userName,
  externalId: members.externalId,
  email: members.email,
  name: members.name,
  givenName: members.givenName,
  familyName: members.familyName,
  formattedName: members.formattedName,
  emails: members.emails,
  isActive: members.isActive,
  createdAt: members.createdAt,
  updatedAt: members.updatedAt,
  ownRole: sql<UserRow["ownRole"]>`coalesce(${members.ownRole}, ${members.role})`,
};

/** Returns a page of the users that match a filter, in the order of joining, and their total number. */
export async function listUsers(
  { directory, workspace }: ScimContext,
  filter: Filter | null,
  { startIndex, count }: ScimPage,
): Promise<{ total: number; rows: UserRow[] }> {
  const isHere = eq(members.workspaceId, workspace.id);
  const condition = filter === null ? isHere : and(isHere, buildCondition(filter, FILTER_COLUMNS));
  const counted = directory.select({ total: sql<number>`count(*)` }).from(members).where(condition);
  const known = directory
    .select({ total: peopleTotals.members })
    .from(peopleTotals)
    .where(eq(peopleTotals.workspaceId, workspace.id));
  const [rows, [total]] = await directory.batch([
    directory
      .select(USER_COLUMNS)
      .from(members)
      .where(condition)
      .orderBy(asc(members.id))
      .limit(count)
      .offset(startIndex - 1),
    filter === null ? known : counted,
  ]);
  return { total: total?.total ?? 0, rows };
}

/** Returns a user. Throws a 404 error if the workspace doesn't have the user. */
export async function findUser(context: ScimContext, id: string): Promise<UserRow> {
  const { directory, workspace } = context;
  const [row] = isUuid(id)
    ? await directory
        .select(USER_COLUMNS)
        .from(members)
        .where(and(eq(members.workspaceId, workspace.id), eq(members.id, id)))
    : [];
  if (row === undefined) throw createMissingError();
  return row;
}

/** Creates a user. Throws `uniqueness` if the user name or email address is already used in the workspace. */
export async function createUser(context: ScimContext, columns: UserColumns): Promise<UserRow> {
  const { workspace, nowMs, directory } = context;
  const id = generateUuidv7(nowMs);
  const times = { createdAt: nowMs, updatedAt: nowMs };
  await commitChange(context, { after: [created(loggedUser, eq(members.id, id))] }, [
    directory.insert(members).values({
      ...{ id, workspaceId: workspace.id, ...times, role: columns.ownRole, ...toStored(columns) },
      isAccepted: isProved(context, columns.email),
    }),
  ]).catch(explainConflict);
  return { ...columns, id, ...times };
}

/**
 * Changes a user to the columns that `change` returns for the current ones. Retries if another request has
 * changed the user since, so that no change is lost. If the change ends the person's access, triggers end their
 * sessions.
 */
export async function changeUser(
  context: ScimContext,
  id: string,
  change: (former: UserRow) => UserColumns,
): Promise<UserRow> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const former = await findUser(context, id);
    const columns = change(former);
    if (hasSameColumns(columns, former)) return former;
    const updatedAt = Math.max(context.nowMs, former.updatedAt + 1);
    if (await writeUser(context, former, columns, updatedAt)) return { ...former, ...columns, updatedAt };
  }
  throw new ScimError(503, null, "The user is being changed by other requests. Try again.", {
    "Retry-After": "1",
  });
}

function hasSameColumns(columns: UserColumns, former: UserRow): boolean {
  return Object.entries(columns).every(([name, value]) => former[name as keyof UserColumns] === value);
}

/** Writes a user's columns. Returns false if another request has changed the user since it was read. */
async function writeUser(
  context: ScimContext,
  former: UserRow,
  columns: UserColumns,
  updatedAt: number,
): Promise<boolean> {
  const { directory, workspace } = context;
  const isUnchanged = and(
    ...[
      eq(members.workspaceId, workspace.id),
      eq(members.id, former.id),
      eq(members.updatedAt, former.updatedAt),
    ],
  );
  const isLeaving = former.isActive && !columns.isActive;
  const before = [
    { ...describeUserUpdate(isUnchanged, columns), ...(isLeaving && { isAlwaysAllowed: true as const }) },
    ...(columns.isActive === former.isActive ? [] : [describeCreator(context, isUnchanged, former.isActive)]),
  ];
  const [written] = await commitChange(context, { before }, [
    directory
      .update(members)
      .set({ ...toStored(columns), updatedAt, isAccepted: keepAcceptance(context, former, columns) })
      .where(isUnchanged)
      .returning({ id: members.id }),
  ]).catch(explainConflict);
  return written.length > 0;
}

/** Deletes a user. Triggers delete their group memberships and end their sessions. */
export async function deleteUser(context: ScimContext, id: string): Promise<void> {
  const { directory, workspace } = context;
  const byId = and(eq(members.workspaceId, workspace.id), eq(members.id, id));
  const leaves = describeCreator(context, and(byId, eq(members.isActive, true)), true);
  const [found] = await commitChange(context, { before: [deleted(loggedUser, byId), leaves] }, [
    directory.delete(members).where(byId).returning({ id: members.id }),
  ]);
  if (found.length === 0) throw createMissingError();
}

/**
 * Returns the condition that the workspace has proved the domain of an address: by an active domain, or
 * because the administrator has vouched for it. Other addresses may belong to people who never asked for the
 * membership.
 */
function isProved({ workspace, emailDomains }: ScimContext, email: string): SQL<boolean> {
  const domain = email.slice(email.lastIndexOf("@") + 1);
  if (emailDomains.includes(domain)) return sql`true`;
  const isActive = and(eq(domains.hostname, domain), eq(domains.workspaceId, workspace.id));
  return sql`exists (select 1 from ${domains} where ${isActive})`;
}

/** Returns the value of `isAccepted` after a change. Another address has to be accepted again. */
function keepAcceptance(context: ScimContext, former: UserRow, { email }: UserColumns): SQL<boolean> {
  const proof = isProved(context, email);
  return email === former.email ? sql`(${members.isAccepted} or ${proof})` : proof;
}

function toStored(columns: UserColumns) {
  return { ...columns, userNameKey: columns.userName === null ? null : foldName(columns.userName) };
}

function explainConflict(error: unknown): never {
  if (isUniqueIndexViolation(error, "members_user_name_key")) {
    throw createTakenError("The workspace already has a user with this userName.");
  }
  if (isUniqueViolation(error, "members.workspace_id", "members.email")) {
    throw createTakenError("The workspace already has a user with this email address.");
  }
  if (isCheckViolation(error, "members_max")) {
    throw new ScimError(403, null, `A workspace can have at most ${MEMBERS_MAX} users.`);
  }
  throw error;
}
