import { normalizeHostname } from "../core/hosts.ts";
import { isUuid } from "../core/id.ts";
import { toIsoOrNull } from "../core/time.ts";
import { formatShortUrl, type Settings } from "../env.ts";
import { readRequestPath } from "../routing/request-path.ts";
import { toCodeKey } from "../routing/short-code.ts";
import { type Deployment, executeStatements, listShardNames, type Row } from "./admin-database.ts";
import { CommandError } from "./command-error.ts";
import { queryRows, requireRow } from "./records.ts";
import { ALL_LINKS, buildBan, buildBlock, buildBlockCopy, buildSuspension } from "./safety-statements.ts";
import { sql } from "./sql.ts";
import { onAllShards } from "./workspace-creation.ts";

/** Commands that stop links, workspaces and destinations without erasing anything. */

/** Maximum number of links or hosts that a list shows. */
const LISTED_MAX = 1_000;

/** Suspends or resumes a workspace. */
export async function setSuspended(deployment: Deployment, slug: string, isSuspended: boolean) {
  const results = await executeStatements(deployment, "DIRECTORY", buildSuspension(slug, isSuspended));
  const { suspended_at, ...workspace } = requireRow(results.at(-1)?.[0], `workspace ${slug}`);
  return { ...workspace, suspended_at: toIsoOrNull(suspended_at as number | null) };
}

/** Bans or unbans a link, which is given by its id or its short URL. It may be in the trash. */
export async function setBanned(deployment: Deployment, settings: Settings, link: string, isBanned: boolean) {
  const found = isUuid(link) ? await findById(deployment, link) : await findByUrl(deployment, settings, link);
  const { id, database } = requireRow(found, `link ${link}`);
  const results = await executeStatements(deployment, database as "SHARD_0", [
    ...buildBan(String(id), isBanned),
    `SELECT ${LINK_COLUMNS} FROM ${ALL_LINKS} WHERE ${sql`id = ${String(id)}`}`,
  ]);
  const [shown] = await showLinks(deployment, settings, results.at(-1) ?? []);
  return requireRow(shown, `link ${link}`);
}

/** Returns the banned links, the most recently banned first. */
export async function listBanned(deployment: Deployment, settings: Settings): Promise<Row[]> {
  const banned = sql`banned_at IS NOT NULL ORDER BY banned_at DESC LIMIT ${LISTED_MAX}`;
  const found = await onShards(deployment, `SELECT ${LINK_COLUMNS} FROM ${ALL_LINKS} WHERE ${banned}`);
  // During a move, two shards have a link.
  const byId = new Map(found.map((row) => [row.id, row]));
  const newestFirst = [...byId.values()].sort((a, b) => Number(b.banned_at) - Number(a.banned_at));
  return showLinks(deployment, settings, newestFirst);
}

/** Blocks or unblocks a host and the names below it as destinations. */
export async function setBlocked(deployment: Deployment, hostname: string, isBlocked: boolean) {
  await executeStatements(deployment, "DIRECTORY", buildBlock(hostname, isBlocked));
  await onAllShards(deployment, [buildBlockCopy(hostname, isBlocked)]);
  return { host: hostname, blocked: isBlocked };
}

/** Returns the blocked hosts in alphabetical order. */
export async function listBlocked(deployment: Deployment) {
  const rows = await queryRows(
    deployment,
    sql`SELECT hostname, changed_at FROM blocked_hosts WHERE is_blocked ORDER BY hostname LIMIT ${LISTED_MAX}`,
  );
  return rows.map(({ hostname, changed_at }) => ({
    host: hostname,
    blocked_at: toIsoOrNull(Number(changed_at)),
  }));
}

const LINK_COLUMNS = "id, workspace_id, short_code, destination, banned_at";

/** Runs a query on all shards. Adds the name of the shard's database to each row. */
async function onShards(deployment: Deployment, query: string): Promise<Row[]> {
  const names = listShardNames(deployment);
  const results = await Promise.all(names.map((name) => executeStatements(deployment, name, [query])));
  return results.flatMap(([rows = []], index) =>
    rows.map((row) => ({ ...row, database: names[index] as string })),
  );
}

/** Returns the link with an id. During a move, two shards have it, and its workspace's shard counts. */
async function findById(deployment: Deployment, id: string): Promise<Row | undefined> {
  const found = await onShards(
    deployment,
    `SELECT id, workspace_id FROM ${ALL_LINKS} WHERE ${sql`id = ${id}`}`,
  );
  const ids = JSON.stringify(found.map(({ workspace_id }) => workspace_id));
  const workspaces = await queryRows(
    deployment,
    sql`SELECT 'SHARD_' || shard AS database FROM workspaces WHERE id IN (SELECT value FROM json_each(${ids}))`,
  );
  return found.find(({ database }) => workspaces.some((workspace) => workspace.database === database));
}

/** Returns the link with a short URL. Its path may be an alias. Throws {@link CommandError}. */
async function findByUrl(deployment: Deployment, settings: Settings, text: string): Promise<Row | undefined> {
  const address = /^https?:\/\//i.test(text) ? text : `${settings.shortScheme}${text}`;
  if (!URL.canParse(address)) throw new CommandError(`${text}: neither a short URL nor the id of a link`);
  const url = new URL(address);
  const path = readRequestPath(url.pathname);
  const [host] = await queryRows(
    deployment,
    sql`SELECT w.id, w.shard FROM domains d JOIN workspaces w ON w.id = d.workspace_id
         WHERE d.hostname = ${normalizeHostname(url.hostname)}`,
  );
  const { id: workspaceId, shard } = requireRow(host, `domain ${url.hostname}`);
  const database = `SHARD_${Number(shard)}` as const;
  const isThere = sql`workspace_id = ${String(workspaceId)} AND code_key = ${toCodeKey(path)}`;
  const [addressed, trashed] = await executeStatements(deployment, database, [
    // As in redirects, a path that is exactly an alias comes first.
    `SELECT link_id AS id FROM link_addresses WHERE ${isThere} AND ${sql`(any_case OR path = ${path})`}
      ORDER BY any_case LIMIT 1`,
    `SELECT id FROM ${ALL_LINKS} WHERE ${isThere} ORDER BY id DESC LIMIT 1`,
  ]);
  const [row] = [...(addressed ?? []), ...(trashed ?? [])];
  return row && { ...row, database };
}

/** Converts links to rows that show their workspaces and short URLs. */
async function showLinks(deployment: Deployment, settings: Settings, links: readonly Row[]): Promise<Row[]> {
  const ids = JSON.stringify([...new Set(links.map(({ workspace_id }) => workspace_id))]);
  const workspaces = await queryRows(
    deployment,
    sql`SELECT w.id, w.slug, (SELECT hostname FROM domains WHERE workspace_id = w.id
                               ORDER BY number = w.primary_domain DESC, number LIMIT 1) AS hostname
          FROM workspaces w WHERE w.id IN (SELECT value FROM json_each(${ids}))`,
  );
  const byId = new Map(workspaces.map((workspace) => [workspace.id, workspace]));
  return links.map(({ id, workspace_id, short_code, destination, banned_at }) => {
    const workspace = byId.get(workspace_id);
    return {
      id,
      workspace: workspace?.slug ?? workspace_id,
      short_url: formatShortUrl(settings, String(workspace?.hostname), String(short_code)),
      destination,
      banned_at: toIsoOrNull(banned_at as number | null),
    } as Row;
  });
}
