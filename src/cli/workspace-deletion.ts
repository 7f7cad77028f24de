import { formatCount } from "../core/format-count.ts";
import { toIso } from "../core/time.ts";
import { formatDeletedName, isImportName, readDeletionTime } from "../tenant/deleted-name.ts";
import { MOVING_MESSAGE } from "../tenant/moving.ts";
import { type DatabaseName, type Deployment, executeStatements, type Row } from "./admin-database.ts";
import { CommandError } from "./command-error.ts";
import { buildDeletion, buildImportEnd, buildWebhookStop } from "./deletion-statements.ts";
import { sql } from "./sql.ts";

/** Tables with a workspace's data, by the names shown in the output. */
const OWNED_ON_SHARD = {
  links: "links",
  bio_pages: "bio_pages",
  qr_templates: "qr_templates",
  assets: "assets",
  webhooks: "webhooks",
};
const OWNED_IN_DIRECTORY = { keys: "api_keys", domains: "domains", members: "members" };

/**
 * Deletes a workspace. Its keys, hosts and pages stop working immediately. The service then erases its
 * data step by step; calling this again shows what is left. Without `isConfirmed`, changes nothing and
 * throws a {@link CommandError} that says what would be deleted.
 */
export async function deleteWorkspace(deployment: Deployment, slug: string, isConfirmed: boolean) {
  const found = await findWorkspaceToDelete(deployment, slug);
  const id = String(found.id);
  const shard: DatabaseName = `SHARD_${Number(found.shard)}`;
  const isImport = isImportName(String(found.slug));
  const isKept = found.slug === slug || isImport;
  if (!isConfirmed && isKept) {
    const counts = Object.entries(await countOwned(deployment, shard, id)).map(([name, count]) =>
      formatCount(Number(count), name.slice(0, -1).replace("_", " ")),
    );
    throw new CommandError(
      `workspace ${slug} will be permanently deleted, along with ${counts.join(", ")}, its files, analytics and logs. ` +
        `Other workspaces can have its domains and the names of its bio pages after a year. Run the command again with --yes to confirm.`,
    );
  }
  const nowMs = Date.now();
  if (isKept) {
    await executeStatements(deployment, "DIRECTORY", buildDeletion(id, slug, nowMs)).catch((error) => {
      throw String(error).includes(MOVING_MESSAGE) ? describeMove(slug) : error;
    });
  }
  await executeStatements(deployment, shard, [
    ...(isImport ? [buildImportEnd(id)] : []),
    buildWebhookStop(id),
  ]);
  const deletedAtMs = isKept ? nowMs : readDeletionTime(String(found.slug));
  return {
    workspace: slug,
    id,
    deleted_at: toIso(deletedAtMs),
    left: await countOwned(deployment, shard, id),
  };
}

function describeMove(slug: string): CommandError {
  return new CommandError(
    `workspace ${slug} is being moved to another shard; try again when the move is complete`,
  );
}

/**
 * Returns a workspace, or one with this slug whose import was interrupted or that is being erased. Throws
 * {@link CommandError} if there is neither.
 */
async function findWorkspaceToDelete(deployment: Deployment, slug: string): Promise<Row> {
  const start = formatDeletedName(slug, 0).slice(0, -1);
  const [rows = []] = await executeStatements(deployment, "DIRECTORY", [
    sql`SELECT id, slug, shard FROM workspaces WHERE slug = ${slug} OR (slug >= ${start} AND slug < ${`${start}a`})
         ORDER BY slug = ${slug} DESC, slug DESC LIMIT 1`,
  ]);
  const [workspace] = rows;
  if (workspace === undefined) throw new CommandError(`workspace ${slug} not found`);
  return workspace;
}

async function countOwned(
  deployment: Deployment,
  shard: DatabaseName,
  id: string,
): Promise<Record<string, number>> {
  const [onShard, inDirectory] = await Promise.all([
    countRows(deployment, shard, OWNED_ON_SHARD, id),
    countRows(deployment, "DIRECTORY", OWNED_IN_DIRECTORY, id),
  ]);
  return { ...onShard, ...inDirectory };
}

async function countRows(
  deployment: Deployment,
  database: DatabaseName,
  tables: Record<string, string>,
  id: string,
): Promise<Record<string, number>> {
  const counts = Object.entries(tables).map(
    ([name, table]) => `(SELECT count(*) FROM ${table} WHERE ${sql`workspace_id = ${id}`}) AS ${name}`,
  );
  const [rows = []] = await executeStatements(deployment, database, [`SELECT ${counts.join(", ")}`]);
  return rows[0] as Record<string, number>;
}
