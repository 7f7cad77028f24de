import { sha256Hex } from "../../../src/core/crypto.ts";
import { generateUuidv7 } from "../../../src/core/id.ts";
import { formatKey, generateKey } from "../../../src/keys/key.ts";
import { POSITION_BITS } from "../../../src/links/links.table.ts";
import { openShard, type Runtime } from "./runtime.ts";

/** Host of the seeded workspace. */
export const HOST = "localhost";

/** Number of keys. Requests alternate between them to stay below the rate limit of each. */
const KEYS = 50;

/** Shard of the seeded workspaces. All use the same shard, so that they affect each other. */
export const SHARD = 0;

/** Inserts a workspace with the enterprise plan, a host, and keys with all scopes. */
export async function seedWorkspace(
  runtime: Runtime,
  { slug, host } = { slug: "bench", host: HOST },
): Promise<{ workspaceId: string; keys: string[] }> {
  const directory = await runtime.databases.getD1Database("DIRECTORY");
  const shard = await openShard(runtime, SHARD);
  const workspaceId = generateUuidv7(Date.now());
  const keys = Array.from({ length: KEYS }, generateKey);
  const insertKey = directory.prepare(
    `INSERT INTO api_keys (id, prefix, workspace_id, name, secret_hash, scopes, created_at)
     VALUES (?, ?, ?, 'bench', ?, '["*"]', 0)`,
  );
  const number = await directory
    .prepare(
      `INSERT INTO workspaces (id, slug, name, plan, shard, created_at) VALUES (?, ?, 'Bench', 'enterprise', ?, 0)
       RETURNING number`,
    )
    .bind(workspaceId, slug, SHARD)
    .first<number>("number");
  await shard.batch([
    shard.prepare("INSERT INTO tenants (id, number) VALUES (?, ?)").bind(workspaceId, number),
    shard.prepare("INSERT INTO own_hosts (hostname) VALUES (?)").bind(host),
  ]);
  await directory.batch([
    directory
      .prepare("INSERT INTO domains (hostname, workspace_id, created_at) VALUES (?, ?, 0)")
      .bind(host, workspaceId),
    ...(await Promise.all(
      keys.map(async ({ prefix, secret }) =>
        insertKey.bind(generateUuidv7(Date.now()), prefix, workspaceId, await sha256Hex(secret)),
      ),
    )),
  ]);
  return { workspaceId, keys: keys.map(formatKey) };
}

/** Number of links per insert statement. */
const STEP = 20_000;

/**
 * Inserts links `{prefix}-0`, `{prefix}-1`, … with one of ten labels each. One in a hundred also has the
 * label `rare`.
 */
export async function seedLinks(
  runtime: Runtime,
  workspaceId: string,
  prefix: string,
  count: number,
  routingRules: object[] = [],
): Promise<void> {
  const db = await openShard(runtime, SHARD);
  for (let start = 0; start < count; start += STEP) {
    await db
      .prepare(
        `INSERT INTO links (id, workspace_id, short_code, code_key, is_custom, destination, destination_host, rule_hosts,
                            labels, routing_rules, created_at, updated_at, position)
         WITH RECURSIVE numbers(n) AS (SELECT CAST(?3 AS INTEGER) UNION ALL
                                   SELECT n + 1 FROM numbers WHERE n + 1 < ?4)
         SELECT printf('%08x-0000-7000-8000-%s', n, lower(hex(randomblob(6)))), ?1, ?2 || '-' || n, ?2 || '-' || n, 1,
                'https://example.com/' || n, 'example.com', '[]',
                json_array('label-' || (n % 10), iif(n % 100 = 0, 'rare', 'common')), ?5, n, n,
                max(base.first, base.last) + 1 + n - CAST(?3 AS INTEGER)
           FROM numbers, (SELECT number << ${POSITION_BITS} AS first,
                                 (SELECT coalesce(max(position), 0) FROM links
                                   WHERE position < (number + 1) << ${POSITION_BITS}) AS last
                            FROM tenants WHERE id = ?1) AS base`,
      )
      .bind(workspaceId, prefix, start, Math.min(count, start + STEP), JSON.stringify(routingRules))
      .run();
  }
}
