import { generateUuidv7 } from "../core/id.ts";
import { toIso } from "../core/time.ts";
import { SIGN_IN_LINK_MS } from "../members/session-times.ts";
import { formatSignInLink, generateLinkToken } from "../members/sign-in-link-address.ts";
import type { Role } from "../permissions/roles.ts";
import { type Deployment, executeStatements, type Row } from "./admin-database.ts";
import { buildCreation, buildEntry, buildRemoval } from "./audit-statements.ts";
import { explainConflict, findWorkspace, queryRows, requireRow } from "./records.ts";
import { sql } from "./sql.ts";

/** Commands that manage a workspace's members and create sign-in links. */

/** Logged fields of a member, with their SQL expressions. */
const MEMBER_FIELDS = { email: "email", name: "name", role: "role" };

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
      // Index of SCIM user names. A member's user name is their email address unless the identity
      // provider sets another.
      "index 'members_user_name_key'": `${email} is already a member`,
    }),
  );
  return requireRow(rows?.[0], `workspace ${slug}`);
}

/**
 * SQL expression for the highest role that a member `m` gets from groups, or null. The database triggers
 * rank roles in the same order.
 */
const ROLE_OF_GROUPS = `(SELECT g.role FROM scim_group_members j JOIN scim_groups g ON g.id = j.group_id
  WHERE j.member_id = m.id AND g.role IS NOT NULL
  ORDER BY CASE g.role WHEN 'owner' THEN 0 WHEN 'editor' THEN 1 ELSE 2 END LIMIT 1)`;

/**
 * Sets a member's own role. The own role applies from the next request, unless a group of the identity
 * provider sets a role. Returns the member with the role that applies.
 */
export async function setRole(deployment: Deployment, slug: string, email: string, role: Role) {
  const { id } = await findWorkspace(deployment, slug);
  const selected = sql`workspace_id = ${String(id)} AND email = ${email}`;
  const field = `iif(${ROLE_OF_GROUPS} IS NULL, 'role', 'own_role')`;
  const changed = `SELECT workspace_id, id AS resource_id,
                          json_object(${field}, ${sql`json_array(coalesce(own_role, role), ${role})`}) AS changes
                     FROM members m WHERE ${sql`coalesce(own_role, role) <> ${role}`} AND ${selected}`;
  // The database triggers only treat the role as the member's own role if `updated_at` changes too.
  const [, , rows] = await executeStatements(deployment, "DIRECTORY", [
    buildEntry("member set-role", "member", changed),
    `${sql`UPDATE members SET role = ${role}, updated_at = max(updated_at + 1, ${Date.now()}) WHERE `}${selected}`,
    `SELECT id, email, name, role FROM members WHERE ${selected}`,
  ]);
  return requireRow(rows?.[0], `member ${email}`);
}

/** Creates a URL that signs in an active member once, within 15 minutes. */
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

/**
 * Removes a member from a workspace. Also deletes the person's unused sign-in links for the workspace and,
 * if they aren't active in another workspace, their sessions. Otherwise, the old links and sessions would
 * work again for a later member with the same email address.
 */
export async function removeMember(deployment: Deployment, slug: string, email: string) {
  const { id } = await findWorkspace(deployment, slug);
  const selected = sql`workspace_id = ${String(id)} AND email = ${email}`;
  const nowMs = Date.now();
  const removed = `SELECT workspace_id, id AS resource_id, ${buildRemoval(MEMBER_FIELDS)} AS changes
                     FROM members WHERE ${selected}`;
  const isWorking = sql`coalesce(revoked_at > ${nowMs}, TRUE) AND coalesce(expires_at > ${nowMs}, TRUE)`;
  const keysLeft = `SELECT workspace_id, id AS resource_id, '{"creator_has_left":[false,true]}' AS changes
                      FROM api_keys WHERE ${isWorking}
                       AND created_by IN (SELECT id FROM members WHERE is_active = 1 AND ${selected})`;
  const [, , rows] = await executeStatements(deployment, "DIRECTORY", [
    buildEntry("member remove", "member", removed),
    buildEntry("member remove", "key", keysLeft),
    `DELETE FROM members WHERE ${selected} RETURNING id, email, name, role`,
    `DELETE FROM sign_in_links WHERE ${selected}`,
    sql`DELETE FROM sessions WHERE email = ${email}
           AND NOT EXISTS (SELECT 1 FROM members WHERE email = ${email} AND is_active = 1 AND is_accepted = 1)`,
  ]);
  return requireRow(rows?.[0], `member ${email}`);
}

/** Returns the members of a workspace in the order they joined. */
export async function listMembers(deployment: Deployment, slug: string): Promise<Row[]> {
  const { id } = await findWorkspace(deployment, slug);
  return queryRows(
    deployment,
    sql`SELECT id, email, name, role, is_active = 1 AS is_active, is_accepted = 1 AS is_accepted FROM members WHERE workspace_id = ${String(id)} ORDER BY id`,
  );
}
