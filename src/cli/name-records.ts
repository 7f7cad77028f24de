import { toIsoOrNull } from "../core/time.ts";
import type { Settings } from "../env.ts";
import type { HoldRule } from "../tenant/held-names.directory.table.ts";
import { getShortLabel } from "../tenant/own-hosts.ts";
import { isReservedLabel } from "../tenant/reserved-names.ts";
import { type Deployment, executeStatements } from "./admin-database.ts";
import { buildOperatorEntry } from "./audit-statements.ts";
import { CommandError } from "./command-error.ts";
import { queryRows } from "./records.ts";
import { sql } from "./sql.ts";

/** Commands for names that not every workspace can have: hosts and slugs of bio pages. */

/** Maximum number of names that the list shows. */
const LISTED_MAX = 1_000;

/** Returns the names that are reserved, released or held for their last workspace, in alphabetical order. */
export async function listNames(deployment: Deployment) {
  const rows = await queryRows(
    deployment,
    sql`SELECT h.name, h.rule, h.workspace_id, w.slug, h.held_until FROM held_names h
          LEFT JOIN workspaces w ON w.id = h.workspace_id ORDER BY h.name LIMIT ${LISTED_MAX}`,
  );
  return rows.map(({ name, rule, workspace_id, slug, held_until }) => ({
    name,
    rule,
    workspace: slug ?? workspace_id,
    held_until: toIsoOrNull(held_until as number | null),
  }));
}

/** Reserves a name: no workspace can add it. A workspace that has the name keeps it. */
export function reserveName(deployment: Deployment, name: string) {
  return setRule(deployment, name, "reserved");
}

/**
 * Releases a name, so that any workspace can have it: one that was reserved, or one that is held for the
 * workspace that used it last.
 */
export async function releaseName(deployment: Deployment, settings: Settings, name: string) {
  if (isReservedLabel(getShortLabel(settings, name) ?? "")) return setRule(deployment, name, "allowed");
  const held = await queryRows(deployment, sql`SELECT 1 FROM held_names WHERE name = ${name}`);
  if (held.length === 0) throw new CommandError(`${name} is neither reserved nor kept for a workspace`);
  await executeStatements(deployment, "DIRECTORY", [
    buildOperatorEntry("name release", name),
    sql`DELETE FROM held_names WHERE name = ${name}`,
  ]);
  return { name, rule: null };
}

async function setRule(deployment: Deployment, name: string, rule: HoldRule) {
  await executeStatements(deployment, "DIRECTORY", [
    buildOperatorEntry(rule === "reserved" ? "name reserve" : "name release", name),
    sql`INSERT INTO held_names (name, rule) VALUES (${name}, ${rule})
        ON CONFLICT (name) DO UPDATE SET rule = excluded.rule, workspace_id = NULL, held_until = NULL`,
  ]);
  return { name, rule };
}

/** Throws {@link CommandError} if a host is held for a workspace other than the given one. */
export async function requireFreeHost(
  deployment: Deployment,
  hostname: string,
  workspaceId: string | null,
): Promise<void> {
  const [held] = await queryRows(
    deployment,
    sql`SELECT held_until FROM held_names
         WHERE name = ${hostname} AND rule = 'used' AND workspace_id IS NOT ${workspaceId}`,
  );
  if (held === undefined) return;
  throw new CommandError(
    `${hostname} was used by another workspace and is kept for it until ${toIsoOrNull(Number(held.held_until))}; ` +
      `to give it away, run: npm run admin -- name release ${hostname}`,
  );
}
