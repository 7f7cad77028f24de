import { formatKey, generateKey, type KeyParts } from "../auth/key.ts";
import { sha256Hex } from "../core/crypto.ts";
import { uuidv7 } from "../core/id.ts";
import { toIso, toIsoOrNull } from "../core/time.ts";
import type { PlanName } from "../tenant/plans.ts";
import { ConstraintError, type Deployment, execute, type Row } from "./admin-database.ts";
import { CommandError } from "./command.ts";
import { sql } from "./sql.ts";

/**
 * The records that a deployment's owner manages, and the API does not: workspaces, domains, keys and members
 * (decisions section 10).
 */

export interface NewWorkspace {
  slug: string;
  name: string;
  plan: PlanName;
  description: string;
  hostname: string;
}

/** Creates a workspace with its first short host. */
export async function createWorkspace(target: Deployment, workspace: NewWorkspace) {
  const nowMs = Date.now();
  const id = uuidv7(nowMs);
  const { slug, name, plan, description, hostname } = workspace;
  await execute(target, [
    sql`INSERT INTO workspaces (id, slug, name, description, plan, created_at)
        VALUES (${id}, ${slug}, ${name}, ${description}, ${plan}, ${nowMs})`,
    insertDomain(slug, hostname, nowMs),
  ]).catch(
    explain({ "workspaces.slug": `workspace ${slug} exists already`, "domains.hostname": taken(hostname) }),
  );
  return { id, slug, name, plan };
}

/** What is shown of a workspace `w`: with the host of its short URLs, which is the one added first. */
const WORKSPACE = `w.id, w.slug, w.name, w.plan, w.created_at,
  (SELECT hostname FROM domains WHERE workspace_id = w.id ORDER BY created_at, rowid LIMIT 1) AS hostname`;

/** Every workspace, oldest first, with its short host. */
export async function listWorkspaces(target: Deployment): Promise<Row[]> {
  return query(target, `SELECT ${WORKSPACE} FROM workspaces w ORDER BY w.id`);
}

/** The workspace that a key opens, with its short host; undefined if the key is unknown, revoked or expired. */
export async function findKeyOwner(target: Deployment, prefix: string): Promise<Row | undefined> {
  const isUsable = sql`prefix = ${prefix} AND revoked_at IS NULL AND coalesce(expires_at > ${Date.now()}, TRUE)`;
  const [owner] = await query(
    target,
    `SELECT ${WORKSPACE} FROM workspaces w WHERE w.id = (SELECT workspace_id FROM api_keys WHERE ${isUsable})`,
  );
  return owner;
}

/** Puts a workspace on another plan; the next call sees it. */
export async function setPlan(target: Deployment, slug: string, plan: PlanName) {
  const [workspace] = await query(
    target,
    sql`UPDATE workspaces SET plan = ${plan} WHERE slug = ${slug} RETURNING id, slug, name, plan`,
  );
  return found(workspace, `workspace ${slug}`);
}

/** Gives a workspace a further short host. */
export async function addDomain(target: Deployment, slug: string, hostname: string): Promise<void> {
  const [domain] = await query(
    target,
    `${insertDomain(slug, hostname, Date.now())} RETURNING hostname`,
  ).catch(explain({ "domains.hostname": taken(hostname) }));
  found(domain, `workspace ${slug}`);
}

/** A workspace's short hosts; the first is the one in `short_url`. */
export async function listDomains(target: Deployment, slug: string): Promise<string[]> {
  const { id } = await findWorkspace(target, slug);
  const rows = await query(
    target,
    sql`SELECT hostname FROM domains WHERE workspace_id = ${String(id)} ORDER BY created_at, rowid`,
  );
  return rows.map(({ hostname }) => String(hostname));
}

export interface NewKey {
  name: string;
  scopes: readonly string[];
  expiresAtMs: number | null;
}

/** Creates a key. The whole of it is in the answer and nowhere else. */
export async function createKey(target: Deployment, slug: string, key: NewKey) {
  const made = await newKey(sql`slug = ${slug}`, key);
  const [row] = await query(target, `${made.statement} RETURNING id`);
  found(row, `workspace ${slug}`);
  return made.answer;
}

/** A workspace's keys, oldest first, without their secrets. */
export async function listKeys(target: Deployment, slug: string) {
  const { id } = await findWorkspace(target, slug);
  const rows = await query(
    target,
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

/** Revokes a key: its very next call is refused. */
export async function revokeKey(target: Deployment, prefix: string) {
  const [key] = await query(target, `${revoke(prefix)} RETURNING prefix, revoked_at`);
  const { revoked_at } = found(key, `key ${prefix}`);
  return { prefix, revoked_at: toIso(Number(revoked_at)) };
}

/** Revokes a key and creates one like it, in one transaction. */
export async function rotateKey(target: Deployment, prefix: string) {
  const [row] = await query(target, sql`SELECT * FROM api_keys WHERE prefix = ${prefix}`);
  const old = found(row, `key ${prefix}`);
  if (old.revoked_at !== null) throw new CommandError(`key ${prefix} is revoked`);
  const made = await newKey(sql`id = ${old.workspace_id as string}`, {
    name: String(old.name),
    scopes: JSON.parse(String(old.scopes)),
    expiresAtMs: old.expires_at as number | null,
  });
  await execute(target, [made.statement, revoke(prefix)]);
  return made.answer;
}

/** Adds a member to a workspace. */
export async function addMember(target: Deployment, slug: string, email: string, name: string) {
  const nowMs = Date.now();
  const [member] = await query(
    target,
    sql`INSERT INTO members (id, workspace_id, email, name, created_at)
        SELECT ${uuidv7(nowMs)}, id, ${email}, ${name}, ${nowMs} FROM workspaces WHERE slug = ${slug}
        RETURNING id, email, name`,
  ).catch(explain({ "members.email": `${email} is a member already` }));
  return found(member, `workspace ${slug}`);
}

/** Removes a member from a workspace. */
export async function removeMember(target: Deployment, slug: string, email: string) {
  const { id } = await findWorkspace(target, slug);
  const [member] = await query(
    target,
    sql`DELETE FROM members WHERE workspace_id = ${String(id)} AND email = ${email} RETURNING id, email, name`,
  );
  return found(member, `member ${email}`);
}

/** A workspace's members, in the order they joined. */
export async function listMembers(target: Deployment, slug: string): Promise<Row[]> {
  const { id } = await findWorkspace(target, slug);
  return query(
    target,
    sql`SELECT id, email, name FROM members WHERE workspace_id = ${String(id)} ORDER BY id`,
  );
}

/** A workspace by its slug. Throws {@link CommandError} if there is none. */
async function findWorkspace(target: Deployment, slug: string): Promise<Row> {
  const [workspace] = await query(target, sql`SELECT * FROM workspaces WHERE slug = ${slug}`);
  return found(workspace, `workspace ${slug}`);
}

/** A new key for the workspace that an SQL condition names: the statement that creates it, and the answer with its secret. */
async function newKey(workspace: string, { name, scopes, expiresAtMs }: NewKey) {
  const nowMs = Date.now();
  const id = uuidv7(nowMs);
  const parts: KeyParts = generateKey();
  const secretHash = await sha256Hex(parts.secret);
  return {
    statement: `${sql`
      INSERT INTO api_keys (workspace_id, id, prefix, name, secret_hash, scopes, expires_at, created_at)
      SELECT id, ${id}, ${parts.prefix}, ${name}, ${secretHash}, ${JSON.stringify(scopes)}, ${expiresAtMs}, ${nowMs}
        FROM workspaces WHERE `}${workspace}`,
    answer: { id, prefix: parts.prefix, key: formatKey(parts), scopes, expires_at: toIsoOrNull(expiresAtMs) },
  };
}

function insertDomain(slug: string, hostname: string, nowMs: number): string {
  return sql`INSERT INTO domains (hostname, workspace_id, created_at)
             SELECT ${hostname}, id, ${nowMs} FROM workspaces WHERE slug = ${slug}`;
}

function revoke(prefix: string): string {
  return sql`UPDATE api_keys SET revoked_at = coalesce(revoked_at, ${Date.now()}) WHERE prefix = ${prefix}`;
}

async function query(target: Deployment, statement: string): Promise<Row[]> {
  const [rows] = await execute(target, [statement]);
  return rows ?? [];
}

function found(row: Row | undefined, what: string): Row {
  if (row === undefined) throw new CommandError(`there is no ${what}`);
  return row;
}

function taken(hostname: string): string {
  return `${hostname} belongs to a workspace already`;
}

/** Turns a broken UNIQUE constraint into the sentence for its last column. */
function explain(sentences: Record<string, string>) {
  return (error: unknown): never => {
    const column =
      error instanceof ConstraintError ? error.columns.findLast((name) => name in sentences) : undefined;
    throw column === undefined ? error : new CommandError(sentences[column]);
  };
}
