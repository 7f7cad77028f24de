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

/** Bounds of every list of the API, in a workspace with more items than a request may read. */

const ROWS_READ_MAX = 5_000;
const ITEMS = 6_000;
const OFFSET_MAX = 1_000;

interface List {
  /** Path in the OpenAPI document. */
  path: string;
  /** Inserts {@link ITEMS} items with ids in the order of their numbers. Returns the path of their list. */
  seed(workspace: TestWorkspace): Promise<string>;
  /** Maximum of `limit`. */
  limit: number;
  cursor: "before" | "after";
  hasTotal: boolean;
  /** Filters, and how many items match each. */
  filters: Record<string, number>;
}

const NUMBERS = `WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${ITEMS})
  SELECT n, printf('01a1fd70-f1c0-7%03x-8%03x-%s', n / 4096, n % 4096, lower(hex(randomblob(6)))) AS id FROM numbers`;

/** Inserts items, `?1` being the workspace, and sets their number for the resources whose number is counted. */
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

const newestFirst = { limit: 200, cursor: "before", filters: {} } as const;

const LISTS: List[] = [
  {
    ...newestFirst,
    path: "/v1/links",
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
    hasTotal: false,
    async seed(workspace) {
      await insert(
        workspace,
        `INSERT INTO assets (id, workspace_id, filename, mime_type, file_size, status, is_public, tags, created_at, updated_at)
         SELECT id, ?1, 'a.png', 'image/png', 1, 'pending', 0, '[]', 0, 0`,
      );
      return "/v1/assets";
    },
  },
  {
    ...newestFirst,
    path: "/v1/webhooks/{webhook_id}/deliveries",
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
    limit: 20,
    // The total is capped.
    hasTotal: false,
    async seed(workspace) {
      const { DIRECTORY } = workerEnv;
      await DIRECTORY.prepare("DELETE FROM domain_claims WHERE workspace_id = ?").bind(workspace.id).run();
      await insert(
        workspace,
        `INSERT INTO domain_claims (id, workspace_id, hostname, created_at, is_counted, check_at)
         SELECT id, ?1, n || '.example.com', 0, 1, 0`,
        undefined,
        DIRECTORY,
      );
      return "/v1/domains";
    },
  },
  {
    path: "/v1/workspace/members",
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

/** Inserts the deliveries of an endpoint. The oldest ones failed, and one of 2,500 is of another event. */
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

const items = z.array(z.looseObject({ id: z.string() }));

/** Requests a page and checks the rows that it read. */
async function readPage(workspace: TestWorkspace, path: string) {
  const { env, counts } = countingEnv();
  const { data, meta } = await expectData(await workspace.call("GET", path, { env }), items);
  expect(counts.rowsRead, path).toBeLessThanOrEqual(ROWS_READ_MAX);
  expect(counts.rowsRead, `${path} is measured`).toBeGreaterThanOrEqual(data.length);
  return { ids: data.map(({ id }) => id), meta };
}

/** Returns the cursor that the response names, if the list told that it ended early. */
function findNamedCursor({ next_before, warnings }: { next_before?: unknown; warnings?: unknown }) {
  return next_before ?? /before=(\S+)/.exec(String(warnings))?.[1];
}

test("every list of the document is tested here", () => {
  const lists = Object.entries(contract.paths).flatMap(([path, { get }]) => {
    const schema = get?.responses["200"]?.content?.["application/json"]?.schema;
    return schema?.properties?.data?.type === "array" ? [path] : [];
  });
  expect(LISTS.map(({ path }) => path).sort()).toEqual(lists.sort());
});

test.each(LISTS)(
  "GET $path reads at most 5,000 rows for a page, and walking it gives every item once",
  async ({ seed, limit, cursor, hasTotal, filters }) => {
    const workspace = await newWorkspace("enterprise");
    const path = await seed(workspace);
    const all: string[] = [];
    for (let last: string | undefined; ; last = all.at(-1)) {
      const from = last === undefined ? "" : `&${cursor}=${last}`;
      const { ids, meta } = await readPage(workspace, `${path}?limit=${limit}${from}`);
      if (hasTotal) expect(meta.total).toBe(ITEMS);
      if (ids.length === 0) break;
      all.push(...ids);
    }
    expect(all).toHaveLength(ITEMS);
    expect(all).toEqual(cursor === "before" ? [...all].sort().reverse() : [...all].sort());

    for (const [filter, count] of Object.entries(filters)) {
      const found: string[] = [];
      for (let from = "", pages = 0; ; pages++) {
        expect(pages, filter).toBeLessThan(100);
        const { ids, meta } = await readPage(workspace, `${path}?limit=${limit}&${filter}${from}`);
        found.push(...ids);
        const isAtEnd = "next_before" in meta && meta.next_before === null;
        const next = findNamedCursor(meta) ?? (ids.length === limit && !isAtEnd ? ids.at(-1) : undefined);
        if (next === undefined) break;
        // All items were walked through above. With a filter that all meet, the pages in the middle are passed over.
        const isPassing = count === ITEMS && pages === 1 && next === found.at(-1);
        if (isPassing) found.push(...all.slice(found.length, -limit));
        from = `&before=${isPassing ? found.at(-1) : next}`;
      }
      expect(found, filter).toHaveLength(count);
      expect(found, filter).toEqual([...new Set(found)].sort().reverse());
    }

    if (cursor !== "before") return;
    const deep = await readPage(workspace, `${path}?limit=${limit}&offset=${OFFSET_MAX}`);
    expect(deep.ids[0]).toBe(all[OFFSET_MAX]);
    const refused = await workspace.call("GET", `${path}?offset=${OFFSET_MAX + 1}`);
    const { message } = await expectError(refused, 400, "VALIDATION_ERROR");
    expect(message).toBe("offset: must be at most 1000; use `before` to go further");
  },
  60_000,
);
