import { generateUuidv7 } from "../core/id.ts";
import { formatDeletedName } from "../tenant/deleted-name.ts";
import type { PlanName } from "../tenant/plans.ts";
import {
  type DatabaseName,
  type Deployment,
  executeMeasured,
  executeStatements,
  listShardNames,
} from "./admin-database.ts";
import { buildCreation, buildEntry } from "./audit-statements.ts";
import { CommandError } from "./command-error.ts";
import { requireFreeHost } from "./name-records.ts";
import { explainConflict, queryRows, requireRow } from "./records.ts";
import { sql } from "./sql.ts";

export interface NewWorkspace {
  slug: string;
  name: string;
  plan: PlanName;
  description: string;
  hostname: string;
  /** Shard to create the workspace on, or null for the smallest shard. */
  shard: number | null;
}

/**
 * Creates a workspace with its first domain. Until the last transaction, the workspace has the name of a
 * deleted workspace, so the service hides the workspace, and erases it if this process crashes.
 */
export async function createWorkspace(deployment: Deployment, workspace: NewWorkspace) {
  const { slug, name, plan, description, hostname, shard: wanted } = workspace;
  if (wanted !== null) requireShard(deployment, wanted);
  await requireFreeHost(deployment, hostname, null);
  const nowMs = Date.now();
  const id = generateUuidv7(nowMs);
  const [claimed] = await queryRows(
    deployment,
    sql`INSERT INTO workspaces (id, slug, name, description, plan, shard, created_at)
        SELECT ${id}, ${formatDeletedName(slug, nowMs)}, ${name}, ${description}, ${plan}, ${wanted ?? 0}, ${nowMs}
         WHERE NOT EXISTS (SELECT 1 FROM workspaces WHERE slug = ${slug})
           AND NOT EXISTS (SELECT 1 FROM domains WHERE hostname = ${hostname})
        RETURNING number`,
  );
  const conflicts = {
    "workspaces.slug": `workspace ${slug} already exists`,
    "domains.hostname": formatHostConflict(hostname),
  };
  if (claimed === undefined) throw await describeConflict(deployment, slug, conflicts);
  const shard = await prepareShards(deployment, { id, number: Number(claimed.number), hostname, wanted });
  await executeStatements(deployment, "DIRECTORY", [
    sql`UPDATE workspaces SET slug = ${slug}, shard = ${shard} WHERE id = ${id}`,
    buildHostInsert(sql`id = ${id}`, hostname, nowMs),
    logWorkspace(id),
    logDomain("workspace create", id, hostname),
  ]).catch(explainConflict(conflicts));
  return { id, slug, name, plan, shard };
}

async function describeConflict(
  deployment: Deployment,
  slug: string,
  conflicts: Record<"workspaces.slug" | "domains.hostname", string>,
): Promise<CommandError> {
  const existing = await queryRows(deployment, sql`SELECT 1 FROM workspaces WHERE slug = ${slug}`);
  return new CommandError(conflicts[existing.length > 0 ? "workspaces.slug" : "domains.hostname"]);
}

interface Arrival {
  id: string;
  number: number;
  hostname: string;
  wanted: number | null;
}

/** Copies the hostname to all shards and adds the workspace to one shard. Returns the shard's number. */
async function prepareShards(
  deployment: Deployment,
  { id, number, hostname, wanted }: Arrival,
): Promise<number> {
  const insertTenant = sql`INSERT INTO tenants (id, number) VALUES (${id}, ${number})`;
  const sizes = await Promise.all(
    deployment.shards.map(async (shard) => {
      const statements = [buildHostCopy(hostname), ...(shard === wanted ? [insertTenant] : [])];
      return { shard, ...(await executeMeasured(deployment, `SHARD_${shard}`, statements)) };
    }),
  );
  if (wanted !== null) return wanted;
  const smallest = sizes.reduce((one, other) => (other.sizeBytes < one.sizeBytes ? other : one));
  await executeStatements(deployment, `SHARD_${smallest.shard}`, [insertTenant]);
  return smallest.shard;
}

/** Adds a domain to a workspace. */
export async function addDomain(deployment: Deployment, slug: string, hostname: string): Promise<void> {
  const [workspace] = await queryRows(deployment, sql`SELECT id FROM workspaces WHERE slug = ${slug}`);
  const { id } = requireRow(workspace, `workspace ${slug}`);
  await requireFreeHost(deployment, hostname, String(id));
  await onAllShards(deployment, [buildHostCopy(hostname)]);
  await executeStatements(deployment, "DIRECTORY", [
    buildHostInsert(sql`id = ${String(id)}`, hostname, Date.now()),
    logDomain("domain add", String(id), hostname),
  ]).catch(explainConflict({ "domains.hostname": formatHostConflict(hostname) }));
}

/** Runs statements on every shard. */
export async function onAllShards(deployment: Deployment, statements: readonly string[]): Promise<void> {
  const names: DatabaseName[] = listShardNames(deployment);
  await Promise.all(names.map((name) => executeStatements(deployment, name, statements)));
}

/** Returns the shards with their number of workspaces and their size. */
export async function listShardSizes(deployment: Deployment) {
  const rows = await queryRows(
    deployment,
    "SELECT shard, count(*) AS workspaces FROM workspaces WHERE slug NOT LIKE 'deleted:%' GROUP BY shard",
  );
  const counts = new Map(rows.map(({ shard, workspaces }) => [Number(shard), Number(workspaces)]));
  return Promise.all(
    deployment.shards.map(async (shard) => {
      const { sizeBytes } = await executeMeasured(deployment, `SHARD_${shard}`, ["SELECT 1"]);
      return { shard, workspaces: counts.get(shard) ?? 0, size_bytes: sizeBytes };
    }),
  );
}

/** Throws {@link CommandError} if the deployment has no shard with this number. */
export function requireShard({ shards }: Deployment, shard: number): void {
  if (shards.includes(shard)) return;
  throw new CommandError(`--shard: shard ${shard} does not exist; must be one of ${shards.join(", ")}`);
}

function logWorkspace(id: string): string {
  const fields = { slug: "slug", name: "name", description: "description", plan: "plan" };
  const created = `SELECT id AS workspace_id, id AS resource_id, ${buildCreation(fields)} AS changes
                     FROM workspaces WHERE ${sql`id = ${id}`}`;
  return buildEntry("workspace create", "workspace", created);
}

/**
 * Returns the statement that logs a new domain. Run it after the insertion, because a trigger creates the
 * domain's ID.
 */
function logDomain(operation: string, workspaceId: string, hostname: string): string {
  const fields = { hostname: "hostname", status: "'active'" };
  const added = `SELECT workspace_id, id AS resource_id, ${buildCreation(fields)} AS changes
                   FROM domain_claims WHERE ${sql`workspace_id = ${workspaceId} AND hostname = ${hostname}`}`;
  return buildEntry(operation, "domain", added);
}

function buildHostInsert(workspaceCondition: string, hostname: string, nowMs: number): string {
  return `${sql`INSERT INTO domains (hostname, workspace_id, created_at)
                SELECT ${hostname}, id, ${nowMs} FROM workspaces WHERE `}${workspaceCondition}`;
}

function buildHostCopy(hostname: string): string {
  return sql`INSERT INTO own_hosts (hostname) VALUES (${hostname}) ON CONFLICT DO NOTHING`;
}

function formatHostConflict(hostname: string): string {
  return `${hostname} already belongs to a workspace`;
}
