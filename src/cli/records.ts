import { sha256Hex } from "../core/crypto.ts";
import { generateUuidv7 } from "../core/id.ts";
import { toIso, toIsoOrNull } from "../core/time.ts";
import { formatKey, generateKey, type KeyParts } from "../keys/key.ts";
import type { PlanName } from "../tenant/plans.ts";
import { ConstraintError, type Deployment, executeStatements, type Row } from "./admin-database.ts";
import { buildCreation, buildEntry, DEPLOYMENT_ID, showTime } from "./audit-statements.ts";
import { CommandError } from "./command-error.ts";
import { sql } from "./sql.ts";

/** Commands that manage workspaces and API keys. */

/** Columns of a workspace `w`, including the host of its short URLs. */
const WORKSPACE_COLUMNS = `w.id, w.slug, w.name, w.plan, w.shard, w.created_at, w.suspended_at,
  (SELECT hostname FROM domains WHERE workspace_id = w.id
    ORDER BY number = w.primary_domain DESC, number LIMIT 1) AS hostname`;

/** Logged fields of a key, with their SQL expressions. */
const KEY_FIELDS = {
  name: "name",
  prefix: "prefix",
  scopes: "json(scopes)",
  expires_at: showTime("expires_at"),
};

/** Returns all workspaces except deleted ones, oldest first, with the host of their short URLs. */
export async function listWorkspaces(deployment: Deployment): Promise<Row[]> {
  const live = sql`w.slug NOT LIKE ${"deleted:%"}`;
  return queryRows(
    deployment,
    `SELECT ${WORKSPACE_COLUMNS} FROM workspaces w WHERE ${live} ORDER BY w.number`,
  );
}

/** Returns a key's workspace, or undefined if the key doesn't exist, is revoked or has expired. */
export async function findKeyOwner(deployment: Deployment, prefix: string): Promise<Row | undefined> {
  const usableKey = sql`prefix = ${prefix} AND coalesce(revoked_at > ${Date.now()}, TRUE) AND coalesce(expires_at > ${Date.now()}, TRUE)`;
  const [owner] = await queryRows(
    deployment,
    `SELECT ${WORKSPACE_COLUMNS} FROM workspaces w WHERE w.id = (SELECT workspace_id FROM api_keys WHERE ${usableKey})`,
  );
  return owner;
}

/** Returns the last commands about things that belong to no workspace, newest first. */
export async function listOperatorLog(deployment: Deployment) {
  const rows = await queryRows(
    deployment,
    sql`SELECT at, operation, resource_id FROM audit_log WHERE workspace_id = ${DEPLOYMENT_ID}
         ORDER BY id DESC LIMIT 100`,
  );
  return rows.map(({ at, operation, resource_id }) => ({
    at: toIso(Number(at)),
    operation,
    name: resource_id,
  }));
}

/** Sets a workspace's plan, which applies from the next request. */
export async function setPlan(deployment: Deployment, slug: string, plan: PlanName) {
  const changed = sql`SELECT id AS workspace_id, id AS resource_id, json_object('plan', json_array(plan, ${plan})) AS changes
                        FROM workspaces WHERE slug = ${slug} AND plan <> ${plan}`;
  const [, rows] = await executeStatements(deployment, "DIRECTORY", [
    buildEntry("workspace set-plan", "workspace", changed),
    sql`UPDATE workspaces SET plan = ${plan} WHERE slug = ${slug} RETURNING id, slug, name, plan`,
  ]);
  return requireRow(rows?.[0], `workspace ${slug}`);
}

export interface NewKey {
  name: string;
  scopes: readonly string[];
  expiresAtMs: number | null;
}

/** Creates a key. The result contains the whole key, which isn't stored. */
export async function createKey(deployment: Deployment, slug: string, key: NewKey) {
  const prepared = await prepareKey(sql`slug = ${slug}`, key);
  const [rows] = await executeStatements(deployment, "DIRECTORY", [
    `${prepared.statement} RETURNING id`,
    prepared.logCreation("key create"),
  ]);
  requireRow(rows?.[0], `workspace ${slug}`);
  return prepared.shown;
}

/** Returns a workspace's keys, oldest first, without their secrets. */
export async function listKeys(deployment: Deployment, slug: string) {
  const { id } = await findWorkspace(deployment, slug);
  const rows = await queryRows(
    deployment,
    sql`SELECT * FROM api_keys WHERE workspace_id = ${String(id)} ORDER BY id`,
  );
  return rows.map((row) => ({
    id: row.id,
    prefix: row.prefix,
    name: row.name,
    scopes: JSON.parse(String(row.scopes)) as string[],
    expires_at: toIsoOrNull(row.expires_at as number | null),
    revoked_at: toIsoOrNull(row.revoked_at as number | null),
    created_at: toIso(Number(row.created_at)),
  }));
}

/** Revokes a key. The next request with the key is rejected. */
export async function revokeKey(deployment: Deployment, prefix: string) {
  const [, rows] = await executeStatements(deployment, "DIRECTORY", [
    logRevocation("key revoke", prefix),
    `${buildRevocation(prefix)} RETURNING prefix, revoked_at`,
  ]);
  const { revoked_at } = requireRow(rows?.[0], `key ${prefix}`);
  return { prefix, revoked_at: toIso(Number(revoked_at)) };
}

/** Revokes a key and creates one with the same name, scopes and expiry, in one transaction. */
export async function rotateKey(deployment: Deployment, prefix: string) {
  const [row] = await queryRows(deployment, sql`SELECT * FROM api_keys WHERE prefix = ${prefix}`);
  const old = requireRow(row, `key ${prefix}`);
  const expiresAtMs = old.expires_at as number | null;
  if (old.revoked_at !== null) throw new CommandError(`key ${prefix} is revoked`);
  if (expiresAtMs !== null && expiresAtMs <= Date.now()) throw new CommandError(`key ${prefix} has expired`);
  // With this condition, only one of two simultaneous rotations succeeds.
  const isUnrotated = sql`EXISTS (SELECT 1 FROM api_keys WHERE prefix = ${prefix} AND revoked_at IS NULL)`;
  const prepared = await prepareKey(`${sql`id = ${old.workspace_id as string}`} AND ${isUnrotated}`, {
    name: String(old.name),
    scopes: JSON.parse(String(old.scopes)),
    expiresAtMs,
  });
  const isCreated = sql`EXISTS (SELECT 1 FROM api_keys WHERE id = ${prepared.shown.id})`;
  const [created] = await executeStatements(deployment, "DIRECTORY", [
    `${prepared.statement} RETURNING id`,
    prepared.logCreation("key rotate"),
    logRevocation("key rotate", prefix, isCreated),
    `${sql`UPDATE api_keys SET replaced_by = ${prepared.shown.id}, revoked_at = ${Date.now()} WHERE prefix = ${prefix}`} AND ${isCreated}`,
  ]);
  if (created?.length === 0) throw new CommandError(`key ${prefix} is revoked`);
  return prepared.shown;
}

/** Returns a workspace by its slug. Throws {@link CommandError} if there is none. */
export async function findWorkspace(deployment: Deployment, slug: string): Promise<Row> {
  const [workspace] = await queryRows(deployment, sql`SELECT * FROM workspaces WHERE slug = ${slug}`);
  return requireRow(workspace, `workspace ${slug}`);
}

/** Generates a key. Returns the statements that insert and log it, and the result shown to the user. */
async function prepareKey(workspaceCondition: string, { name, scopes, expiresAtMs }: NewKey) {
  const nowMs = Date.now();
  const id = generateUuidv7(nowMs);
  const parts: KeyParts = generateKey();
  const secretHash = await sha256Hex(parts.secret);
  return {
    statement: `${sql`
      INSERT INTO api_keys (workspace_id, id, prefix, name, secret_hash, scopes, expires_at, created_at)
      SELECT id, ${id}, ${parts.prefix}, ${name}, ${secretHash}, ${JSON.stringify(scopes)}, ${expiresAtMs}, ${nowMs}
        FROM workspaces WHERE `}${workspaceCondition}`,
    logCreation: (operation: string) =>
      buildEntry(
        operation,
        "key",
        `SELECT workspace_id, id AS resource_id, ${buildCreation(KEY_FIELDS)} AS changes
           FROM api_keys WHERE ${sql`id = ${id}`}`,
      ),
    shown: { id, prefix: parts.prefix, key: formatKey(parts), scopes, expires_at: toIsoOrNull(expiresAtMs) },
  };
}

function logRevocation(operation: string, prefix: string, condition = "TRUE"): string {
  const nowMs = Date.now();
  const changes = `json_object('revoked_at', json_array(${showTime("revoked_at")}, ${sql`${toIso(nowMs)}`}))`;
  const isRevocable = sql`prefix = ${prefix} AND coalesce(revoked_at > ${nowMs}, TRUE)`;
  return buildEntry(
    operation,
    "key",
    `SELECT workspace_id, id AS resource_id, ${changes} AS changes FROM api_keys WHERE ${isRevocable} AND ${condition}`,
  );
}

function buildRevocation(prefix: string): string {
  return sql`UPDATE api_keys SET revoked_at = min(coalesce(revoked_at, ${Date.now()}), ${Date.now()}) WHERE prefix = ${prefix}`;
}

/** Runs one statement in the directory and returns its rows. */
export async function queryRows(deployment: Deployment, statement: string): Promise<Row[]> {
  const [rows] = await executeStatements(deployment, "DIRECTORY", [statement]);
  return rows ?? [];
}

/** Returns a row. Throws {@link CommandError} if there is none. */
export function requireRow(row: Row | undefined, name: string): Row {
  if (row === undefined) throw new CommandError(`${name} not found`);
  return row;
}

/**
 * Returns an error handler for violated UNIQUE constraints. The handler throws the message of the last
 * column in the constraint that has a message, or else the original error.
 */
export function explainConflict(messages: Record<string, string>) {
  return (error: unknown): never => {
    const column =
      error instanceof ConstraintError ? error.columns.findLast((name) => name in messages) : undefined;
    throw column === undefined ? error : new CommandError(messages[column]);
  };
}
