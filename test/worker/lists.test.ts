import { expect, test } from "vitest";
import * as z from "zod";
import { contract } from "../support/contract.ts";
import {
  countingEnv,
  expectData,
  expectError,
  newWorkspace,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import { seedLinks } from "../support/seed-links.ts";

/** Rows that every list of the API reads, in a workspace with more items than a request may read. */

const ROWS_READ_MAX = 5_000;
const ITEMS = 6_000;
const OFFSET_MAX = 1_000;

interface List {
  /** Path in the OpenAPI document. */
  path: string;
  /** Table of the items, with its databases if they are not only the shard. */
  table: string;
  databases?: (workspace: TestWorkspace) => D1Database[];
  /** Inserts {@link ITEMS} items with ids in the order of their numbers. Returns the path of their list. */
  seed(workspace: TestWorkspace): Promise<string>;
  /** Maximum of `limit`. */
  limit: number;
  cursor: "before" | "after";
  /** False for lists that are only continued by their cursor. */
  hasOffset?: false;
  hasTotal: boolean;
  /** Filters, and the number of items that match each. */
  filters: Record<string, number>;
}

const NUMBERS = `WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${ITEMS})
  SELECT n, printf('01a1fd70-f1c0-7%03x-8%03x-%s', n / 4096, n % 4096, lower(hex(randomblob(6)))) AS id FROM numbers`;

/** Inserts items, `?1` being the workspace, and sets the counter of resources that have one. */
async function insert(
  workspace: TestWorkspace,
  statement: string,
  counter?: string,
  d1 = workspace.shard,
): Promise<void> {
  await d1.prepare(`${statement} FROM (${NUMBERS})`).bind(workspace.id).run();
  if (counter === undefined) return;
  await d1
    .prepare("INSERT INTO usage_counters VALUES (?, ?, '', ?3, ?3)")
    .bind(workspace.id, counter, ITEMS)
    .run();
}

const SELDOM_ID = crypto.randomUUID();

const newestFirst = { limit: 200, cursor: "before", filters: {} } as const;

const LISTS: List[] = [
  {
    ...newestFirst,
    path: "/v1/links",
    table: "links",
    hasTotal: true,
    async seed(workspace) {
      await seedLinks({
        workspace,
        count: ITEMS,
        code: "'code-' || n",
        destination: "'https://example.com/' || iif(n % 900 = 7, 'rare', '')",
        labels: "json_array('common', iif(n = 3, 'seldom', 'often'))",
        enabled: "n < 30",
      });
      return "/v1/links";
    },
    filters: {
      "label=seldom": 1,
      "label=common": ITEMS,
      "enabled=true": 30,
      "search=rare": 7,
      "search=https": ITEMS,
      "search=zzz": 0,
      "archived=all": ITEMS,
      "archived=true": 0,
      "domain=example.com": ITEMS,
      "domain=com": ITEMS,
      "domain=example.org": 0,
      "created_before=2020-01-01T00:00:00Z": 0,
      "created_after=2020-01-01T00:00:00Z": ITEMS,
      "sort=scan_count": ITEMS,
      "sort=last_scan_at&label=seldom": 1,
    },
  },
  {
    ...newestFirst,
    path: "/v1/bio/pages",
    table: "bio_pages",
    hasTotal: true,
    async seed(workspace) {
      await insert(
        workspace,
        `INSERT INTO bio_pages (id, workspace_id, slug, title, description, page_data, created_at, updated_at)
         SELECT id, ?1, id, 'T', '', '{}', 0, 0`,
        "bio_pages",
      );
      return "/v1/bio/pages";
    },
  },
  {
    ...newestFirst,
    path: "/v1/qr/templates",
    table: "qr_templates",
    hasTotal: true,
    async seed(workspace) {
      await insert(
        workspace,
        `INSERT INTO qr_templates (id, workspace_id, name, description, design, created_at, updated_at)
         SELECT id, ?1, 'T', '', '{}', 0, 0`,
        "qr_templates",
      );
      return "/v1/qr/templates";
    },
  },
  {
    ...newestFirst,
    path: "/v1/webhooks",
    table: "webhooks",
    hasTotal: true,
    async seed(workspace) {
      await insert(
        workspace,
        `INSERT INTO webhooks (id, workspace_id, url, hostname, description, events, enabled, secret, created_at, updated_at)
         SELECT id, ?1, 'https://example.com/', 'example.com', '', '["*"]', 1, '', 0, 0`,
        "webhooks",
      );
      return "/v1/webhooks";
    },
  },
  {
    ...newestFirst,
    path: "/v1/assets",
    table: "assets",
    hasTotal: false,
    async seed(workspace) {
      await insert(
        workspace,
        `INSERT INTO assets (id, workspace_id, filename, mime_type, file_size, status, is_public, tags, created_at, updated_at)
         SELECT id, ?1, 'a.png', 'image/png', 1, 'confirmed', 0, '[]', 0, 0`,
      );
      return "/v1/assets";
    },
  },
  {
    ...newestFirst,
    path: "/v1/webhooks/{webhook_id}/deliveries",
    table: "event_deliveries",
    hasTotal: false,
    seed: seedDeliveries,
    filters: {
      "status=failed": 20,
      "status=delivered": ITEMS - 20,
      "status=pending": 0,
      "event_type=link.deleted": 3,
      "event_type=link.deleted&status=failed": 1,
    },
  },
  {
    ...newestFirst,
    path: "/v1/domains",
    table: "domain_claims",
    databases: () => [workerEnv.DIRECTORY],
    limit: 20,
    // The total is capped.
    hasTotal: false,
    async seed(workspace) {
      const { DIRECTORY } = workerEnv;
      await DIRECTORY.prepare("DELETE FROM domain_claims WHERE workspace_id = ?").bind(workspace.id).run();
      await insert(
        workspace,
        `INSERT INTO domain_claims (id, workspace_id, hostname, created_at, is_counted, check_at)
         SELECT id, ?1, n || '.example.com', 0, 1, 9e15`,
        undefined,
        DIRECTORY,
      );
      return "/v1/domains";
    },
  },
  {
    ...newestFirst,
    path: "/v1/reports",
    table: "reports",
    databases: () => [workerEnv.DIRECTORY],
    // The total is capped.
    hasTotal: false,
    async seed(workspace) {
      await insert(
        workspace,
        `INSERT INTO reports (id, token_hash, workspace_id, title, label, days, created_at)
         SELECT id, id, ?1, 'T', 'a', 7, 0`,
        undefined,
        workerEnv.DIRECTORY,
      );
      return "/v1/reports";
    },
  },
  {
    ...newestFirst,
    path: "/v1/audit",
    table: "audit_log",
    databases: ({ shard }) => [shard, workerEnv.DIRECTORY],
    limit: 100,
    // The total is capped.
    hasTotal: false,
    hasOffset: false,
    async seed(workspace) {
      await seedEntries(workspace, workspace.shard, "at % 3 = 0");
      await seedEntries(workspace, workerEnv.DIRECTORY, "at % 3 > 0");
      return "/v1/audit";
    },
    filters: {
      [`resource=${SELDOM_ID}`]: 4,
      [`resource=${crypto.randomUUID()}`]: 0,
      "actor=one": 1,
      "actor=common": ITEMS - 1,
      "operation=updateLink&resource_type=link": ITEMS,
      "resource_type=domain": 0,
      "to=2020-01-01T00:00:00Z": 0,
      "from=2020-01-01T00:00:00Z": ITEMS,
    },
  },
  {
    ...newestFirst,
    path: "/v1/links/{link_id}/history",
    table: "audit_log",
    limit: 100,
    // The total is capped.
    hasTotal: false,
    hasOffset: false,
    async seed(workspace) {
      await seedEntries(workspace, workspace.shard, "true");
      return `/v1/links/${workspace.id}/history`;
    },
  },
  {
    path: "/v1/workspace/members",
    table: "members",
    databases: () => [workerEnv.DIRECTORY],
    limit: 1_000,
    cursor: "after",
    hasTotal: false,
    async seed(workspace) {
      await insert(
        workspace,
        `INSERT INTO members (id, workspace_id, email, name, created_at)
         SELECT id, ?1, (n * 7919) % ${ITEMS} || '@example.com', 'A', 0`,
        undefined,
        workerEnv.DIRECTORY,
      );
      return "/v1/workspace/members";
    },
    filters: {},
  },
];

/**
 * Inserts log entries whose times, which equal their numbers, meet a condition. Four entries belong to a
 * separate resource.
 */
async function seedEntries(workspace: TestWorkspace, d1: D1Database, condition: string): Promise<void> {
  await insert(
    workspace,
    `INSERT INTO audit_log (workspace_id, id, at, actor_type, actor_id, actor_name, operation, resource_type, resource_id,
                            request_id, changes)
     SELECT ?1, id, n, 'key', iif(n = 7, 'one', 'common'), 'K', 'updateLink', 'link',
            iif(n % 1500 = 9 AND '${condition}' <> 'true', '${SELDOM_ID}', ?1), ?1, '{}'`,
    undefined,
    d1,
  );
  await d1
    .prepare(`DELETE FROM audit_log WHERE workspace_id = ? AND NOT (${condition})`)
    .bind(workspace.id)
    .run();
}

/** Inserts the deliveries of an endpoint. The oldest ones failed, and one of 2,500 has another event. */
async function seedDeliveries(workspace: TestWorkspace): Promise<string> {
  const webhookId = crypto.randomUUID();
  await workspace.shard.batch([
    workspace.shard
      .prepare(
        `INSERT INTO webhooks (id, workspace_id, url, hostname, description, events, enabled, secret, created_at, updated_at)
       VALUES (?, ?, 'https://example.com/', 'example.com', '', '["*"]', 1, '', 0, 0)`,
      )
      .bind(webhookId, workspace.id),
    workspace.shard
      .prepare("INSERT INTO webhook_lanes (webhook_id, workspace_id) VALUES (?, ?)")
      .bind(webhookId, workspace.id),
  ]);
  await insert(
    workspace,
    `INSERT INTO event_deliveries (lane, id, event_type, status, attempts, attempts_before, created_at, epoch)
     SELECT (SELECT max(id) FROM webhook_lanes WHERE workspace_id = ?1), id,
            iif(n % 2500 = 9, 'link.deleted', 'link.created'), iif(n < 20, 'failed', 'delivered'), 1, 0, 0, 0`,
  );
  return `/v1/webhooks/${webhookId}/deliveries`;
}

/** Reads the ids of the items from the databases, in the order of the list. */
async function readIds(workspace: TestWorkspace, { table, databases, cursor }: List): Promise<string[]> {
  const statement =
    table === "event_deliveries"
      ? "SELECT id FROM event_deliveries WHERE lane = (SELECT max(id) FROM webhook_lanes WHERE workspace_id = ?)"
      : `SELECT id FROM ${table} WHERE workspace_id = ?`;
  const read = (d1: D1Database) => d1.prepare(statement).bind(workspace.id).all<{ id: string }>();
  const found = await Promise.all((databases?.(workspace) ?? [workspace.shard]).map(read));
  const ids = found.flatMap(({ results }) => results.map(({ id }) => id)).sort();
  return cursor === "before" ? ids.reverse() : ids;
}

const items = z.array(z.looseObject({ id: z.string() }));

/** Requests a page and checks the number of rows it read. */
async function readPage(workspace: TestWorkspace, path: string) {
  const { env, counts } = countingEnv();
  const { data, meta } = await expectData(await workspace.call("GET", path, { env }), items);
  expect(counts.rowsRead, path).toBeLessThanOrEqual(ROWS_READ_MAX);
  expect(counts.rowsRead, `${path} is measured`).toBeGreaterThanOrEqual(data.length);
  return { ids: data.map(({ id }) => id), meta };
}

/** Returns the cursor of the response if the list ended early. */
function findNamedCursor({ next_before, warnings }: { next_before?: unknown; warnings?: unknown }) {
  return next_before ?? /before=([\w-]+)/.exec(String(warnings))?.[1];
}

/**
 * Lists without pages: a person has at most 50 sessions and 10 passkeys, and a workspace 300 keys including ended ones
 * and 200 open invitations.
 */
const WHOLE_LISTS = ["/v1/keys", "/v1/members/invitations", "/v1/passkeys", "/v1/sessions"];

test("this file tests every list in the document", () => {
  const lists = Object.entries(contract.paths).flatMap(([path, { get }]) => {
    const schema = get?.responses["200"]?.content?.["application/json"]?.schema;
    return schema?.properties?.data?.type === "array" ? [path] : [];
  });
  expect([...LISTS.map(({ path }) => path), ...WHOLE_LISTS].sort()).toEqual(lists.sort());
});

test.each(LISTS)(
  "GET $path reads at most 5,000 rows per page, and all pages together return every item once",
  async (list) => {
    const { seed, limit, cursor, hasTotal, hasOffset = true, filters } = list;
    const workspace = await newWorkspace("enterprise");
    const path = await seed(workspace);
    const all = await readIds(workspace, list);
    expect(all).toHaveLength(ITEMS);
    // Each page starts exactly where the previous one ends, so requesting all pages would find nothing else.
    for (const start of [0, limit, ITEMS / 2, ITEMS - limit, ITEMS - 1, ITEMS]) {
      const from = start === 0 ? "" : `&${cursor}=${all[start - 1]}`;
      const { ids, meta } = await readPage(workspace, `${path}?limit=${limit}${from}`);
      if (hasTotal) expect(meta.total).toBe(ITEMS);
      expect(ids, `from ${start}`).toEqual(all.slice(start, start + limit));
      const next = start + limit < ITEMS ? ids.at(-1) : null;
      if ("next_before" in meta) expect(meta.next_before, `after ${start}`).toBe(next);
    }

    for (const [filter, count] of Object.entries(filters)) {
      const found: string[] = [];
      for (let from = "", pages = 0; ; pages++) {
        expect(pages, filter).toBeLessThan(100);
        const { ids, meta } = await readPage(workspace, `${path}?limit=${limit}&${filter}${from}`);
        found.push(...ids);
        const isAtEnd = "next_before" in meta && meta.next_before === null;
        const next = findNamedCursor(meta) ?? (ids.length === limit && !isAtEnd ? ids.at(-1) : undefined);
        if (next === undefined) break;
        // With a filter that every item matches, the middle pages are skipped.
        const isPassing = count === ITEMS && pages === 1 && next === found.at(-1);
        if (isPassing) found.push(...all.slice(found.length, -limit));
        from = `&before=${isPassing ? found.at(-1) : next}`;
      }
      expect(found, filter).toHaveLength(count);
      expect(found, filter).toEqual([...new Set(found)].sort().reverse());
    }

    if (cursor !== "before" || !hasOffset) return;
    const deep = await readPage(workspace, `${path}?limit=${limit}&offset=${OFFSET_MAX}`);
    expect(deep.ids[0]).toBe(all[OFFSET_MAX]);
    const refused = await workspace.call("GET", `${path}?offset=${OFFSET_MAX + 1}`);
    const { message } = await expectError(refused, 400, "VALIDATION_ERROR");
    expect(message).toBe("offset: must be at most 1000; use `before` to go further");
  },
  60_000,
);
