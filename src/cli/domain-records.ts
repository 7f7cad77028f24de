import { type Deployment, executeStatements, type Row } from "./admin-database.ts";
import { buildEntry, buildRemoval } from "./audit-statements.ts";
import { CommandError } from "./command-error.ts";
import { buildHostRemoval } from "./deletion-statements.ts";
import { findWorkspace, queryRows } from "./records.ts";
import { sql } from "./sql.ts";
import { onAllShards } from "./workspace-creation.ts";

/** Commands that list and remove the domains of workspaces. */

/** Returns a workspace's domains: the primary domain first, then the others in order of creation. */
export async function listDomains(deployment: Deployment, slug: string): Promise<Row[]> {
  const { id } = await findWorkspace(deployment, slug);
  return queryRows(
    deployment,
    sql`SELECT c.id, c.hostname, CASE WHEN d.number IS NULL THEN 'pending' ELSE 'active' END AS status,
               coalesce(d.number = coalesce(
                 (SELECT p.number FROM domains p WHERE p.number = w.primary_domain AND p.workspace_id = w.id),
                 (SELECT min(number) FROM domains WHERE workspace_id = w.id)), 0) AS is_primary
          FROM domain_claims c JOIN workspaces w ON w.id = c.workspace_id
          LEFT JOIN domains d ON d.hostname = c.hostname AND d.workspace_id = c.workspace_id
         WHERE c.workspace_id = ${String(id)} ORDER BY is_primary DESC, c.id`,
  );
}

/**
 * Removes a domain from a workspace, for example because its host has a new owner. Throws
 * {@link CommandError} if the domain doesn't exist or is the primary domain.
 */
export async function removeDomain(deployment: Deployment, slug: string, hostname: string): Promise<void> {
  const domain = (await listDomains(deployment, slug)).find((row) => row.hostname === hostname);
  if (domain === undefined) throw new CommandError(`workspace ${slug} has no domain ${hostname}`);
  if (domain.is_primary === 1) {
    throw new CommandError(`${hostname} is the primary domain of ${slug}; make another domain primary first`);
  }
  const owned = sql`hostname = ${hostname} AND workspace_id = (SELECT workspace_id FROM domain_claims WHERE id = ${String(domain.id)})`;
  const removed = `SELECT workspace_id, id AS resource_id, ${buildRemoval({ hostname: "hostname" })} AS changes
                     FROM domain_claims WHERE ${sql`id = ${String(domain.id)}`}`;
  await executeStatements(deployment, "DIRECTORY", [
    buildEntry("domain remove", "domain", removed),
    ...buildHostRemoval(owned, Date.now()),
    sql`DELETE FROM domain_claims WHERE id = ${String(domain.id)}`,
  ]);
  if (domain.status === "active") {
    await onAllShards(deployment, [sql`DELETE FROM own_hosts WHERE hostname = ${hostname}`]);
  }
}
