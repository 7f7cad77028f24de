import { formatKey, generateKey, type KeyParts } from "../auth/key.ts";
import { sha256Hex } from "../core/crypto.ts";
import { generateUuidv7 } from "../core/id.ts";
import { toIso, toIsoOrNull } from "../core/time.ts";
import type { Role } from "../people/roles.ts";
import { SIGN_IN_LINK_MS } from "../people/session-times.ts";
import { formatSignInLink, generateLinkToken } from "../people/sign-in-links.ts";
import type { PlanName } from "../tenant/plans.ts";
import { ConstraintError, type Deployment, executeStatements, type Row } from "./admin-database.ts";
import { buildCreation, buildEntry, buildRemoval, showTime } from "./audit-statements.ts";
import { CommandError } from "./command.ts";
import { sql } from "./sql.ts";

/**
 * Workspaces, keys and members: records of the directory that the operator of a deployment manages and the API does not.
 */

/** Columns of a workspace `w`, with the host of its short URLs. */
const WORKSPACE_COLUMNS = `w.id, w.slug, w.name, w.plan, w.shard, w.created_at,
  (SELECT hostname FROM domains WHERE workspace_id = w.id
    ORDER BY number = w.primary_domain DESC, number LIMIT 1) AS hostname`;

/** Fields of a member and of a key in the log, by their SQL expressions. */
const MEMBER_FIELDS = { email: "email", name: "name", role: "role" };
const KEY_FIELDS = {
  name: "name",
  prefix: "prefix",
  scopes: "json(scopes)",
  expires_at: showTime("expires_at"),
};

/** Returns all workspaces but those that are being erased, oldest first, with the host of their short URLs. */
export async function listWorkspaces(deployment: Deployment): Promise<Row[]> {
  const live = sql`w.slug NOT LIKE ${"deleted:%"}`;
  return queryRows(
    deployment,
    `SELECT ${WORKSPACE_COLUMNS} FROM workspaces w WHERE ${live} ORDER BY w.number`,
  );
}

/** Returns the workspace of a key. Returns undefined if the key is unknown, revoked or expired. */
export async function findKeyOwner(deployment: Deployment, prefix: string): Promise<Row | undefined> {
  const usableKey = sql`prefix = ${prefix} AND coalesce(revoked_at > ${Date.now()}, TRUE) AND coalesce(expires_at > ${Date.now()}, TRUE)`;
  const [owner] = await queryRows(
    deployment,
    `SELECT ${WORKSPACE_COLUMNS} FROM workspaces w WHERE w.id = (SELECT workspace_id FROM api_keys WHERE ${usableKey})`,
  );
  return owner;
}

/** Sets the plan of a workspace. It applies to the next request. */
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

/** Creates a key. The result contains the secret, which is not stored. */
export async function createKey(deployment: Deployment, slug: string, key: NewKey) {
  const prepared = await prepareKey(sql`slug = ${slug}`, key);
  const [rows] = await executeStatements(deployment, "DIRECTORY", [
    `${prepared.statement} RETURNING id`,
    prepared.logCreation("key create"),
  ]);
  requireRow(rows?.[0], `workspace ${slug}`);
  return prepared.shown;
}

/** Returns the keys of a workspace, oldest first, without their secrets. */
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

/** Revokes a key. Its next request is rejected. */
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
  if (old.revoked_at !== null) throw new CommandError(`key ${prefix} is revoked`);
  const prepared = await prepareKey(sql`id = ${old.workspace_id as string}`, {
    name: String(old.name),
    scopes: JSON.parse(String(old.scopes)),
    expiresAtMs: old.expires_at as number | null,
  });
  await executeStatements(deployment, "DIRECTORY", [
    prepared.statement,
    prepared.logCreation("key rotate"),
    logRevocation("key rotate", prefix),
    buildRevocation(prefix),
  ]);
  return prepared.shown;
}

/** Adds a member to a workspace. */
export async function addMember(
  deployment: Deployment,
  slug: string,
  { email, name, role }: { email: string; name: string; role: Role },
) {
  const nowMs = Date.now();
  const memberId = generateUuidv7(nowMs);
  const added = `SELECT workspace_id, id AS resource_id, ${buildCreation(MEMBER_FIELDS)} AS changes
                   FROM members WHERE ${sql`id = ${memberId}`}`;
  const [rows] = await executeStatements(deployment, "DIRECTORY", [
    sql`INSERT INTO members (id, workspace_id, email, name, role, created_at, updated_at)
        SELECT ${memberId}, id, ${email}, ${name}, ${role}, ${nowMs}, ${nowMs} FROM workspaces WHERE slug = ${slug}
        RETURNING id, email, name, role`,
    buildEntry("member add", "member", added),
  ]).catch(
    explainConflict({
      "members.email": `${email} is already a member`,
      // The index of the names that people are known by to the identity provider: their address unless it says another.
      "index 'members_user_name_key'": `${email} is already a member`,
    }),
  );
  return requireRow(rows?.[0], `workspace ${slug}`);
}

/** Gives a member another role. It applies to the next call. */
export async function setRole(deployment: Deployment, slug: string, email: string, role: Role) {
  const { id } = await findWorkspace(deployment, slug);
  const selected = sql`workspace_id = ${String(id)} AND email = ${email}`;
  const changed = sql`SELECT workspace_id, id AS resource_id, json_object('role', json_array(role, ${role})) AS changes
                        FROM members WHERE role <> ${role} AND `;
  const [, rows] = await executeStatements(deployment, "DIRECTORY", [
    buildEntry("member set-role", "member", changed + selected),
    `${sql`UPDATE members SET role = ${role}, updated_at = ${Date.now()} WHERE `}${selected} RETURNING id, email, name, role`,
  ]);
  return requireRow(rows?.[0], `member ${email}`);
}

/** Makes an address that signs an active member in once, within 15 minutes. */
export async function createSignInLink(deployment: Deployment, slug: string, email: string, appUrl: string) {
  const expiresAtMs = Date.now() + SIGN_IN_LINK_MS;
  const { token, tokenHash } = await generateLinkToken();
  const allowed = sql`SELECT m.workspace_id, m.id AS resource_id, '{}' AS changes
                        FROM members m JOIN workspaces w ON w.id = m.workspace_id
                       WHERE w.slug = ${slug} AND m.email = ${email} AND m.is_active = 1`;
  const [rows] = await executeStatements(deployment, "DIRECTORY", [
    sql`INSERT INTO sign_in_links (token_hash, workspace_id, email, expires_at)
        SELECT ${tokenHash}, m.workspace_id, m.email, ${expiresAtMs}
          FROM members m JOIN workspaces w ON w.id = m.workspace_id
         WHERE w.slug = ${slug} AND m.email = ${email} AND m.is_active = 1
        RETURNING email`,
    buildEntry("sign-in-link", "member", allowed),
  ]);
  requireRow(rows?.[0], `active member ${email} of workspace ${slug}`);
  return { email, url: formatSignInLink(appUrl, token), expires_at: toIso(expiresAtMs) };
}

/** Removes a member from a workspace. */
export async function removeMember(deployment: Deployment, slug: string, email: string) {
  const { id } = await findWorkspace(deployment, slug);
  const selected = sql`workspace_id = ${String(id)} AND email = ${email}`;
  const removed = `SELECT workspace_id, id AS resource_id, ${buildRemoval(MEMBER_FIELDS)} AS changes
                     FROM members WHERE ${selected}`;
  const [, rows] = await executeStatements(deployment, "DIRECTORY", [
    buildEntry("member remove", "member", removed),
    `DELETE FROM members WHERE ${selected} RETURNING id, email, name, role`,
  ]);
  return requireRow(rows?.[0], `member ${email}`);
}

/** Returns the members of a workspace in the order they joined. */
export async function listMembers(deployment: Deployment, slug: string): Promise<Row[]> {
  const { id } = await findWorkspace(deployment, slug);
  return queryRows(
    deployment,
    sql`SELECT id, email, name, role, is_active = 1 AS is_active FROM members WHERE workspace_id = ${String(id)} ORDER BY id`,
  );
}

/** Returns a workspace by its slug. Throws {@link CommandError} if there is none. */
export async function findWorkspace(deployment: Deployment, slug: string): Promise<Row> {
  const [workspace] = await queryRows(deployment, sql`SELECT * FROM workspaces WHERE slug = ${slug}`);
  return requireRow(workspace, `workspace ${slug}`);
}

/** Generates a key. Returns the statements that insert and log it, and the key as shown to the user. */
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

function logRevocation(operation: string, prefix: string): string {
  const nowMs = Date.now();
  const changes = `json_object('revoked_at', json_array(${showTime("revoked_at")}, ${sql`${toIso(nowMs)}`}))`;
  const isRevocable = sql`prefix = ${prefix} AND coalesce(revoked_at > ${nowMs}, TRUE)`;
  return buildEntry(
    operation,
    "key",
    `SELECT workspace_id, id AS resource_id, ${changes} AS changes FROM api_keys WHERE ${isRevocable}`,
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

/** Returns an error handler that replaces a UNIQUE constraint error by the message for its last column. */
export function explainConflict(messages: Record<string, string>) {
  return (error: unknown): never => {
    const column =
      error instanceof ConstraintError ? error.columns.findLast((name) => name in messages) : undefined;
    throw column === undefined ? error : new CommandError(messages[column]);
  };
}
