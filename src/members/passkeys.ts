import { and, asc, eq, sql } from "drizzle-orm";
import { created, defineResource, deleted, updated } from "../audit/describe-changes.ts";
import { logDirectoryChange } from "../audit/directory-log.ts";
import { ApiError, createNotFoundError, createValidationError } from "../core/error.ts";
import type { Database } from "../db/database.ts";
import { selectColumns } from "../db/select-columns.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { passkeys } from "./passkeys.directory.table.ts";

/** Stores the passkeys of accounts. */

/** Passkey as stored. */
export type Passkey = typeof passkeys.$inferSelect;

/** Maximum number of passkeys per account. */
export const PASSKEYS_MAX = 10;

/** Fields of passkeys in the audit log. */
const loggedPasskey = defineResource("passkey", passkeys, { name: "name" });

/** Returns an account's passkeys, oldest first. */
export function listPasskeys(directory: Database, person: string): Promise<Passkey[]> {
  return directory
    .select()
    .from(passkeys)
    .where(eq(passkeys.person, person))
    .orderBy(asc(passkeys.id))
    .limit(PASSKEYS_MAX);
}

/** Returns the statement that selects whether an account has a passkey: `found` is 1 or 0. */
export function selectHasPasskey(directory: Database, person: string) {
  const has = sql<number>`exists (select 1 from ${passkeys} where ${eq(passkeys.person, person)})`;
  return directory.select({ found: has.as("found") }).from(sql`(select 1)`);
}

/** Returns the passkey with a credential id, or null. */
export async function findPasskey(directory: Database, credentialId: string): Promise<Passkey | null> {
  const [found] = await directory.select().from(passkeys).where(eq(passkeys.credentialId, credentialId));
  return found ?? null;
}

/**
 * Adds a passkey to an account. The caller must have verified it. Throws `PASSKEY_LIMIT_EXCEEDED`, and
 * `VALIDATION_ERROR` if the passkey was already added.
 */
export async function addPasskey(tenant: Tenant, passkey: Passkey): Promise<Passkey> {
  const { directory } = tenant;
  const { person, transports } = passkey;
  const count = sql`(select count(*) from ${passkeys} where ${eq(passkeys.person, person)})`;
  const row = { ...passkey, transports: JSON.stringify(transports) };
  const source = selectColumns(passkeys, row, sql`where ${count} < ${PASSKEYS_MAX}`);
  const byId = and(eq(passkeys.id, passkey.id), eq(passkeys.person, person));
  const [, , [added], [same]] = await directory.batch([
    directory.insert(passkeys).select(source).onConflictDoNothing(),
    logDirectoryChange(tenant, { ...created(loggedPasskey, byId), isRepeatable: true }),
    directory.select().from(passkeys).where(byId),
    directory
      .select({ id: passkeys.id })
      .from(passkeys)
      .where(eq(passkeys.credentialId, passkey.credentialId)),
  ]);
  if (added !== undefined) return added;
  if (same !== undefined) {
    throw createValidationError({ field: "response", message: "was already used to add a passkey" });
  }
  throw new ApiError(
    "PASSKEY_LIMIT_EXCEEDED",
    `You have reached the maximum of ${PASSKEYS_MAX} passkeys. Remove one first.`,
  );
}

/** Renames one of an account's passkeys. Throws `RESOURCE_NOT_FOUND`. */
export async function renamePasskey(
  tenant: Tenant,
  person: string,
  id: string,
  name: string,
): Promise<Passkey> {
  const byId = and(eq(passkeys.person, person), eq(passkeys.id, id));
  const [, [renamed]] = await tenant.directory.batch([
    logDirectoryChange(tenant, updated(loggedPasskey, byId, { name })),
    tenant.directory.update(passkeys).set({ name }).where(byId).returning(),
  ]);
  if (renamed === undefined) throw createNotFoundError("passkey");
  return renamed;
}

/** Removes one of an account's passkeys. Throws `RESOURCE_NOT_FOUND`. */
export async function removePasskey(tenant: Tenant, person: string, id: string): Promise<void> {
  const byId = and(eq(passkeys.person, person), eq(passkeys.id, id));
  const [, removed] = await tenant.directory.batch([
    logDirectoryChange(tenant, deleted(loggedPasskey, byId)),
    tenant.directory.delete(passkeys).where(byId).returning({ id: passkeys.id }),
  ]);
  if (removed.length === 0) throw createNotFoundError("passkey");
}

/**
 * Returns the condition that a passkey exists with the counter that was verified, and the statement that stores its
 * next counter. Of two parallel sign-ins with the same counter, only one meets the condition.
 */
export function planUse(directory: Database, { id, counter }: Passkey, nextCounter: number, nowMs: number) {
  const isUnused = and(eq(passkeys.id, id), eq(passkeys.counter, counter));
  return {
    condition: sql`exists (select 1 from ${passkeys} where ${isUnused})`,
    spend: directory.update(passkeys).set({ counter: nextCounter, lastUsedAt: nowMs }).where(isUnused),
  };
}
