import { generateUuidv7 } from "../core/id.ts";
import { toIso } from "../core/time.ts";
import { generateScimToken, hashScimToken } from "../scim/scim-token.ts";
import { type Deployment, executeStatements } from "./admin-database.ts";
import { buildCreation, buildEntry, buildRemoval } from "./audit-statements.ts";
import { CommandError } from "./command-error.ts";
import { findWorkspace, queryRows, requireRow } from "./records.ts";
import { sql } from "./sql.ts";

/** Commands that manage SCIM tokens. Identity providers use them to manage a workspace's members. */

/** Logged fields of a token, with their SQL expressions. */
const TOKEN_FIELDS = { prefix: "prefix", email_domains: "json(email_domains)" };

/**
 * Creates a token. The result contains the whole token, which isn't stored. Members whose addresses have one of
 * the email domains don't have to accept their membership.
 */
export async function createScimToken(
  deployment: Deployment,
  slug: string,
  scimUrl: string,
  emailDomains: readonly string[] = [],
) {
  const nowMs = Date.now();
  const id = generateUuidv7(nowMs);
  const { prefix, token } = generateScimToken();
  const created = `SELECT workspace_id, id AS resource_id, ${buildCreation(TOKEN_FIELDS)} AS changes
                     FROM scim_tokens WHERE ${sql`id = ${id}`}`;
  const [rows] = await executeStatements(deployment, "DIRECTORY", [
    sql`INSERT INTO scim_tokens (token_hash, workspace_id, created_at, id, prefix, email_domains)
        SELECT ${await hashScimToken(token)}, id, ${nowMs}, ${id}, ${prefix}, ${JSON.stringify(emailDomains)} FROM workspaces WHERE slug = ${slug}
        RETURNING id`,
    buildEntry("scim-token create", "scim_token", created),
  ]);
  requireRow(rows?.[0], `workspace ${slug}`);
  return { id, prefix, token, email_domains: emailDomains, url: scimUrl };
}

/** Returns a workspace's tokens, oldest first, without their secrets. */
export async function listScimTokens(deployment: Deployment, slug: string) {
  const { id } = await findWorkspace(deployment, slug);
  const rows = await queryRows(
    deployment,
    sql`SELECT id, prefix, email_domains, created_at FROM scim_tokens WHERE workspace_id = ${String(id)} ORDER BY id`,
  );
  return rows.map(({ id, prefix, email_domains, created_at }) => ({
    ...{ id, prefix, email_domains: JSON.parse(String(email_domains)) },
    created_at: toIso(Number(created_at)),
  }));
}

/** Deletes a token. The next request with the token is rejected. */
export async function revokeScimToken(deployment: Deployment, prefix: string) {
  const revoked = `SELECT workspace_id, id AS resource_id, ${buildRemoval(TOKEN_FIELDS)} AS changes
                     FROM scim_tokens WHERE ${sql`prefix = ${prefix}`}`;
  const [, rows] = await executeStatements(deployment, "DIRECTORY", [
    buildEntry("scim-token revoke", "scim_token", revoked),
    sql`DELETE FROM scim_tokens WHERE prefix = ${prefix} RETURNING id, prefix`,
  ]);
  return { ...requireRow(rows?.[0], `SCIM token ${prefix}`), revoked: true };
}

/** Parses the prefix of a token, or a whole token. */
export function parseScimPrefix(text: string): string {
  const [prefix = ""] = text.replace(/^svc_scim_/, "").split(".");
  if (/^[A-Za-z0-9]{8}$/.test(prefix)) return prefix;
  throw new CommandError(`${text}: not a prefix of a SCIM token, which has 8 characters`);
}
