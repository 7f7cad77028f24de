import { and, desc, eq, getTableColumns, gt, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type Change, created, defineResource, shownAs, updated } from "../audit/describe-changes.ts";
import { logDirectoryChange } from "../audit/directory-log.ts";
import { sha256Hex } from "../core/crypto.ts";
import { ApiError, createNotFoundError, createValidationError } from "../core/error.ts";
import { HOUR_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { members } from "../members/members.directory.table.ts";
import { isActiveMember } from "../members/members.ts";
import { deriveId } from "../tenant/request-origin.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { workspaces } from "../tenant/workspaces.directory.table.ts";
import { formatKey, generateKey } from "./key.ts";
import { apiKeys } from "./keys.directory.table.ts";

/** Creates, lists, rotates and revokes the API keys of a workspace. */

/** API key as stored, without its secret. */
export type ApiKey = typeof apiKeys.$inferSelect;

/** Key in a list. */
export interface ListedKey extends ApiKey {
  /** True if the member who created the key has left the workspace or is deactivated. */
  creatorHasLeft: boolean;
}

/** New key with its text, which the owner sees only once. */
export interface CreatedKey {
  key: ApiKey;
  text: string;
}

/** Maximum number of working keys per workspace. */
export const KEYS_MAX = 100;
/** Maximum number of working keys including rotated keys that still work. */
const KEYS_WITH_OVERLAP_MAX = 2 * KEYS_MAX;
/** Number of ended keys that are kept for lists. */
const ENDED_KEYS_MAX = 100;
/** Maximum number of keys in a list. The admin command can create more keys than {@link KEYS_MAX}. */
const LISTED_MAX = 1_000;

/** Fields of keys in the audit log. */
const auditedKey = defineResource("key", apiKeys, {
  name: "name",
  prefix: "prefix",
  scopes: "scopes",
  expires_at: shownAs("time", "expiresAt"),
  revoked_at: shownAs("time", "revokedAt"),
  secret: shownAs("secret", "secretHash"),
});

export function listKeys({ directory, workspace }: Tenant): Promise<ListedKey[]> {
  const hasLeft = sql<boolean>`${apiKeys.createdBy} is not null and not ${isActiveMember(workspace.id, apiKeys.createdBy)}`;
  return directory
    .select({ ...getTableColumns(apiKeys), creatorHasLeft: hasLeft.mapWith(Boolean) })
    .from(apiKeys)
    .where(eq(apiKeys.workspaceId, workspace.id))
    .orderBy(desc(apiKeys.id))
    .limit(LISTED_MAX);
}

/** Creates a key. Throws `VALIDATION_ERROR` for an expiry in the past, and `KEY_LIMIT_EXCEEDED`. */
export async function createKey(
  tenant: Tenant,
  { name, scopes, expiresAt }: Pick<ApiKey, "name" | "scopes" | "expiresAt">,
): Promise<CreatedKey> {
  const { directory, workspace, nowMs } = tenant;
  if (expiresAt !== null && expiresAt <= nowMs) {
    throw createValidationError({ field: "expires_at", message: "must be in the future" });
  }
  const id = deriveId(tenant);
  const { secret, text } = await generateSecret();
  const copied = {
    workspaceId: workspaces.id,
    name: sql<string>`${name}`.as("name"),
    scopes: sql<string[]>`${JSON.stringify(scopes)}`.as("scopes"),
    expiresAt: sql<number | null>`${expiresAt}`.as("expires_at"),
  };
  const source = directory
    .select(buildColumns(id, secret, copied, tenant))
    .from(workspaces)
    .where(and(eq(workspaces.id, workspace.id), hasRoom(workspace.id, id, KEYS_MAX, nowMs)));
  const [, [key]] = await directory.batch([
    deleteEnded(directory, workspace.id, nowMs),
    insertKey(directory, workspace.id, source),
    logCreated(tenant, id),
  ]);
  if (key === undefined) throw createLimitError(KEYS_MAX);
  return { key, text };
}

/**
 * Replaces a key by a new one with the same name, scopes and expiry. The old key works for `overlapHours`
 * more. If two rotations run at the same time, only one succeeds. Throws `RESOURCE_NOT_FOUND`,
 * `KEY_NOT_ACTIVE` or `KEY_LIMIT_EXCEEDED`.
 */
export async function rotateKey(tenant: Tenant, id: string, overlapHours: number): Promise<CreatedKey> {
  const { directory, workspace, nowMs } = tenant;
  const newId = deriveId(tenant);
  const { secret, text } = await generateSecret();
  const isFormer = and(eq(apiKeys.workspaceId, workspace.id), eq(apiKeys.id, id));
  const isUnreplaced = and(isFormer, isNull(apiKeys.replacedBy), isNull(apiKeys.revokedAt));
  const isRotatable = and(isUnreplaced, or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, nowMs)));
  // A retry finds the old key already replaced by this request, and gives the new key another secret.
  const isRetried = and(isFormer, eq(apiKeys.replacedBy, newId));
  const { workspaceId, name, scopes, expiresAt } = apiKeys;
  const source = directory
    .select(buildColumns(newId, secret, { workspaceId, name, scopes, expiresAt }, tenant))
    .from(apiKeys)
    .where(and(or(isRotatable, isRetried), hasRoom(workspace.id, newId, KEYS_WITH_OVERLAP_MAX, nowMs)));
  const isMade = sql`exists (select 1 from api_keys made where made.id = ${newId} and made.workspace_id = ${workspace.id})`;
  const isReplaced = and(isUnreplaced, isMade);
  const revokedAt = nowMs + overlapHours * HOUR_MS;
  const [, [key], , , , [former]] = await directory.batch([
    deleteEnded(directory, workspace.id, nowMs),
    insertKey(directory, workspace.id, source),
    logCreated(tenant, newId),
    logDirectoryChange(tenant, updated(auditedKey, isReplaced, { revokedAt })),
    directory.update(apiKeys).set({ revokedAt, replacedBy: newId }).where(isReplaced),
    directory.select().from(apiKeys).where(isFormer),
  ]);
  if (key !== undefined) return { key, text };
  if (former === undefined) throw createNotFoundError("key");
  throw createRotationError(former, nowMs);
}

/** Revokes a key. Its next call is rejected. Throws `RESOURCE_NOT_FOUND`. */
export async function revokeKey(tenant: Tenant, id: string): Promise<void> {
  const { directory, workspace, nowMs } = tenant;
  const byId = and(eq(apiKeys.workspaceId, workspace.id), eq(apiKeys.id, id));
  const isRevocable = and(byId, or(isNull(apiKeys.revokedAt), gt(apiKeys.revokedAt, nowMs)));
  const [, revoked] = await directory.batch([
    logDirectoryChange(tenant, {
      ...updated(auditedKey, isRevocable, { revokedAt: nowMs }),
      isAlwaysAllowed: true,
    }),
    directory
      .update(apiKeys)
      .set({ revokedAt: sql`min(coalesce(${apiKeys.revokedAt}, ${nowMs}), ${nowMs})` })
      .where(byId)
      .returning({ id: apiKeys.id }),
  ]);
  if (revoked.length === 0) throw createNotFoundError("key");
}

/**
 * Returns the statement that logs the creation of a key. A retry, which changes the secret, isn't logged
 * again.
 */
function logCreated(tenant: Tenant, id: string) {
  const made = and(eq(apiKeys.workspaceId, tenant.workspace.id), eq(apiKeys.id, id));
  return logDirectoryChange(tenant, { ...created(auditedKey, made), isRepeatable: true });
}

/** Stored parts of a new key. */
interface StoredSecret {
  prefix: string;
  secretHash: string;
}

/** Columns that a new key takes from its input or from the key that it replaces. */
type CopiedColumns = Record<"workspaceId" | "name" | "scopes" | "expiresAt", SQLiteColumn | SQL.Aliased>;

/** Generates a key. Returns its stored parts and its text. */
async function generateSecret(): Promise<{ secret: StoredSecret; text: string }> {
  const parts = generateKey();
  const secret = { prefix: parts.prefix, secretHash: await sha256Hex(parts.secret) };
  return { secret, text: formatKey(parts) };
}

/** Builds the columns of a new key in table order, as required by an insert from a select. */
function buildColumns(
  id: string,
  { prefix, secretHash }: StoredSecret,
  { workspaceId, name, scopes, expiresAt }: CopiedColumns,
  { nowMs, actor }: Tenant,
) {
  const creator = actor.type === "person" ? actor : null;
  return {
    id: sql<string>`${id}`.as("id"),
    prefix: sql<string>`${prefix}`.as("prefix"),
    workspaceId,
    name,
    secretHash: sql<string>`${secretHash}`.as("secret_hash"),
    scopes,
    expiresAt,
    revokedAt: sql<number | null>`null`.as("revoked_at"),
    createdAt: sql<number>`${nowMs}`.as("created_at"),
    lastUsedDay: sql<number | null>`null`.as("last_used_day"),
    replacedBy: sql<string | null>`null`.as("replaced_by"),
    createdBy: sql<string | null>`${creator?.id ?? null}`.as("created_by"),
    createdByName: sql<string | null>`${creator?.name ?? null}`.as("created_by_name"),
  };
}

/**
 * Returns the statement that inserts the selected key. A retry has the same id and replaces the secret,
 * because the caller never received it.
 */
function insertKey(directory: Database, workspaceId: string, source: object) {
  return directory
    .insert(apiKeys)
    .select(source as never)
    .onConflictDoUpdate({
      target: apiKeys.id,
      set: { prefix: sql`excluded.prefix`, secretHash: sql`excluded.secret_hash` },
      setWhere: eq(apiKeys.workspaceId, workspaceId),
    })
    .returning();
}

/**
 * Returns the condition that a workspace has fewer than `max` working keys, not counting the key with this
 * id.
 */
function hasRoom(workspaceId: string, id: string, max: number, nowMs: number): SQL {
  return sql`(select count(*) from api_keys other
      where other.workspace_id = ${workspaceId} and other.id <> ${id}
        and (other.revoked_at is null or other.revoked_at > ${nowMs})
        and (other.expires_at is null or other.expires_at > ${nowMs})) < ${max}`;
}

/**
 * Describes, for the working keys of a member, that the member leaves or comes back. `condition` selects the
 * member if that happens. Write the log before the change of the member.
 */
export function describeCreator(
  { workspace, nowMs }: Pick<Tenant, "nowMs"> & { workspace: { id: string } },
  condition: SQL | undefined,
  hasLeft: boolean,
): Change {
  const isWorking = sql`coalesce(${apiKeys.revokedAt} > ${nowMs}, true) and coalesce(${apiKeys.expiresAt} > ${nowMs}, true)`;
  return {
    resourceType: "key",
    isAlwaysAllowed: true,
    rows: sql`select ${apiKeys.id} as resource_id, ${JSON.stringify({ creator_has_left: [!hasLeft, hasLeft] })} as changes, 0 as bytes
                from ${apiKeys} where ${apiKeys.workspaceId} = ${workspace.id} and ${isWorking}
                 and ${apiKeys.createdBy} in (select ${members.id} from ${members} where ${condition})`,
  };
}

/** Returns the statement that deletes the oldest ended keys. */
function deleteEnded(directory: Database, workspaceId: string, nowMs: number) {
  const isEnded = and(
    eq(apiKeys.workspaceId, workspaceId),
    or(lte(apiKeys.revokedAt, nowMs), lte(apiKeys.expiresAt, nowMs)),
  );
  const oldest = directory
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(isEnded)
    .orderBy(desc(apiKeys.id))
    .limit(LISTED_MAX)
    .offset(ENDED_KEYS_MAX);
  return directory
    .delete(apiKeys)
    .where(and(eq(apiKeys.workspaceId, workspaceId), sql`${apiKeys.id} in ${oldest}`));
}

function createLimitError(max: number): ApiError {
  return new ApiError(
    "KEY_LIMIT_EXCEEDED",
    `The workspace has reached the maximum of ${max} API keys. Revoke one first.`,
  );
}

function createRotationError({ replacedBy, revokedAt, expiresAt }: ApiKey, nowMs: number): ApiError {
  const isExpired = expiresAt !== null && expiresAt <= nowMs;
  if (replacedBy === null && revokedAt === null && !isExpired) return createLimitError(KEYS_WITH_OVERLAP_MAX);
  const state =
    replacedBy !== null ? "has already been rotated" : revokedAt !== null ? "is revoked" : "has expired";
  return new ApiError("KEY_NOT_ACTIVE", `Only active keys can be rotated. This key ${state}.`);
}
