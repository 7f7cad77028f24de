import { expect, test } from "vitest";
import { buildDeletion } from "../../src/cli/deletion-statements.ts";
import { DAY_MS, MINUTE_MS } from "../../src/core/time.ts";
import { sweep } from "../../src/cron.ts";
import { eventually } from "../support/eventually.ts";
import { createLink, expectError, newWorkspace, type TestWorkspace, workerEnv } from "../support/harness.ts";
import { createResources, quietEnv } from "../support/resources.ts";

/** Erasure of deleted workspaces. */

const { DB } = workerEnv;

/** Tables whose rows belong to a workspace through another table: the condition that selects the rows of nobody. */
const REACHED: Record<string, string> = {
  event_deliveries: "lane NOT IN (SELECT id FROM webhook_lanes)",
  delivery_attempts: "delivery_id NOT IN (SELECT id FROM event_deliveries)",
};
/** Tables of counts, whose owner is the id of a workspace or bio page as bytes, and the values of a row of each. */
const ROLL_UPS: Record<string, Record<string, unknown>> = {
  scan_months: {
    month: 0,
    item: "a",
    human: 1,
    bot: 0,
    preview: 0,
    prefetch: 0,
    days: "{}",
    moves: 0,
    log: "",
  },
  scan_days: { day: 1, item: "a", counts: "" },
  scan_facts: { day: 0, item: "a", part: 0, facts: "" },
  scan_parts: { month: 1, item: "a", part: 0, facts: "" },
  scan_history: { month: 1, item: "a", human: 1, bot: 0, preview: 0, prefetch: 0, days: "{}" },
  scan_history_counts: { month: 1, item: "a", total: 1, counts: "" },
};
/** Tables that hold nothing of a workspace. */
const OTHERS = ["counted_buckets", "d1_migrations", "dead_letters", "scan_costs"];
/** Tables of the search index, which triggers of `links` keep in step. */
const SEARCH_INDEX = /^link_search(_|$)/;
/** Tables of earlier versions, which nothing writes any more. */
const UNUSED = [
  ...["webhook_deliveries", "webhook_attempts"],
  ...["counted_windows", "scan_series", "scan_hours", "scan_values", "scan_month_values"],
];

/** Lists the tables of the database whose rows name their workspace. Fails for tables that this file does not know. */
async function listOwnedTables(): Promise<string[]> {
  const { results } = await DB.prepare(
    `SELECT t.name, EXISTS (SELECT 1 FROM pragma_table_info(t.name) WHERE name IN ('workspace_id', 'owner')) AS is_owned
       FROM sqlite_master t WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE '_cf_%'`,
  ).all<{ name: string; is_owned: number }>();
  const unknown = results.filter(
    ({ name, is_owned }) =>
      !is_owned &&
      !SEARCH_INDEX.test(name) &&
      name !== "workspaces" &&
      ![...OTHERS, ...UNUSED].includes(name) &&
      !(name in REACHED),
  );
  expect(unknown, "a new table is erased with its workspace, or named here").toEqual([]);
  return results.filter(({ name, is_owned }) => is_owned && !UNUSED.includes(name)).map(({ name }) => name);
}

/** Returns the condition for a workspace's rows in one of these tables. */
function ownedBy(table: string, workspaceId: string): string {
  return table in ROLL_UPS
    ? `owner = unhex('${workspaceId.replaceAll("-", "")}')`
    : `workspace_id = '${workspaceId}'`;
}

/** Adds a row of counts to a table, in the current month and day. The owner is a workspace or a page. */
async function addCounts(table: string, ownerId: string): Promise<void> {
  const now = new Date();
  const recent = {
    day: Math.floor(now.getTime() / DAY_MS),
    month: now.getUTCFullYear() * 12 + now.getUTCMonth(),
  };
  const values = Object.entries(ROLL_UPS[table] ?? {}).map(([name, value]) => [
    name,
    value === 0 && (name === "day" || name === "month") ? recent[name] : value,
  ]);
  await DB.prepare(
    `INSERT INTO ${table} (owner, ${values.map(([name]) => name)})
     VALUES (unhex('${ownerId.replaceAll("-", "")}'), ${values.map(() => "?")})`,
  )
    .bind(...values.map(([, value]) => value))
    .run();
}

async function countRows(table: string, condition: string): Promise<number> {
  return (await DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${condition}`).first<number>(
    "n",
  )) as number;
}

/** Fills every table with rows of a workspace. */
async function fill(workspace: TestWorkspace): Promise<{ assetId: string; pageIds: string[] }> {
  const ids = await createResources(workspace);
  const assetId = ids.asset_id ?? "";
  for (const action of ["confirm", "publish"]) {
    await workspace.call("POST", `/v1/assets/${assetId}/${action}`);
  }
  const pending = { filename: "late.txt", mime_type: "text/plain", file_size: 1 };
  const { data } = await (await workspace.call("POST", "/v1/assets/presign", { body: pending })).json<{
    data: { id: string };
  }>();
  await workspace.call("DELETE", `/v1/assets/${data.id}`);
  const link = await createLink(workspace, { labels: ["a", "b"] }, quietEnv);
  await workspace.call("POST", "/v1/links", {
    body: { url: "https://example.com/" },
    headers: { "Idempotency-Key": "one" },
    env: quietEnv,
  });
  await workspace.visit(`/${link.short_code}`);
  await eventually(
    () => countRows("scan_months", ownedBy("scan_months", workspace.id)),
    (count) => count > 0,
  );
  const deletedPageId = await createPage(workspace);
  const pageIds = [ids.page_id ?? "", deletedPageId];
  for (const owner of [workspace.id, ...pageIds])
    for (const table of Object.keys(ROLL_UPS)) await addCounts(table, owner);
  await workspace.call("DELETE", `/v1/bio/pages/${deletedPageId}`);
  const delivery = await DB.prepare(
    `SELECT d.id FROM event_deliveries d JOIN webhook_lanes l ON l.id = d.lane WHERE l.workspace_id = ? LIMIT 1`,
  )
    .bind(workspace.id)
    .first<string>("id");
  await DB.batch([
    DB.prepare(
      "INSERT OR IGNORE INTO delivery_attempts (delivery_id, number, attempted_at, latency_ms) VALUES (?, 1, 1, 1)",
    ).bind(delivery),
    DB.prepare(
      "INSERT INTO members (id, workspace_id, email, name, created_at) VALUES (?, ?, 'a@b.test', 'A', 1)",
    ).bind(crypto.randomUUID(), workspace.id),
  ]);
  return { assetId, pageIds };
}

async function createPage(workspace: TestWorkspace): Promise<string> {
  const response = await workspace.call("POST", "/v1/bio/pages", { body: { title: "Page" } });
  return (await response.json<{ data: { id: string } }>()).data.id;
}

/** Returns the number of rows of counts that pages have. */
async function countPageRows(pageIds: readonly string[]): Promise<number> {
  const owners = pageIds.map((id) => `unhex('${id.replaceAll("-", "")}')`);
  const counts = Object.keys(ROLL_UPS).map((table) => countRows(table, `owner IN (${owners})`));
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

async function deleteWorkspace({ id, slug }: TestWorkspace, nowMs: number): Promise<void> {
  await DB.batch(buildDeletion(id, slug, nowMs).map((statement) => DB.prepare(statement)));
}

/** Columns that stay the same in tables whose rows the service itself changes. */
const STABLE: Record<string, string> = { webhook_lanes: "id", deleted_assets: "asset_id" };

/** Reads all rows of a workspace, and those reached through them. */
async function readAll(workspaceId: string): Promise<string> {
  // Marks of deleted pages are removed by the same sweep.
  const tables = (await listOwnedTables()).filter((name) => name !== "deleted_series");
  const rows = await DB.batch([
    ...tables.map((table) =>
      DB.prepare(
        `SELECT ${STABLE[table] ?? "*"} FROM ${table} WHERE ${ownedBy(table, workspaceId)}
          ORDER BY ${STABLE[table] ?? "1, 2, 3"}`,
      ),
    ),
  ]);
  return JSON.stringify(rows.map(({ results }) => results));
}

async function listKeys(bucket: R2Bucket, text: string): Promise<string[]> {
  return (await bucket.list()).objects.map(({ key }) => key).filter((key) => key.includes(text));
}

test("a deleted workspace is unusable at once, and erased wholly, while others keep everything", async () => {
  const [workspace, other] = [await newWorkspace(), await newWorkspace()];
  const { assetId, pageIds } = await fill(workspace);
  const { pageIds: otherPageIds } = await fill(other);

  const tables = await listOwnedTables();
  for (const table of tables) {
    expect(await countRows(table, ownedBy(table, workspace.id)), `rows of ${table}`).toBeGreaterThan(0);
  }
  expect(await listKeys(workerEnv.PRIVATE_FILES, workspace.id)).not.toEqual([]);
  expect(await listKeys(workerEnv.PUBLIC_FILES, assetId)).not.toEqual([]);
  expect(await countPageRows(pageIds)).toBe(2 * Object.keys(ROLL_UPS).length);
  const before = await readAll(other.id);

  const deletedAtMs = Date.now();
  await deleteWorkspace(workspace, deletedAtMs);
  await expectError(await workspace.call("GET", "/v1/links"), 401, "INVALID_API_KEY");
  expect((await workspace.visit("/unseen")).status).toBe(404);

  await sweep(quietEnv, deletedAtMs + MINUTE_MS);
  const withFiles = ["deleted_assets"];
  for (const table of tables.filter((name) => !withFiles.includes(name))) {
    expect(await countRows(table, ownedBy(table, workspace.id)), `rows of ${table}`).toBe(0);
  }
  // The first sweep removes the files that the same run has recorded, or the next one does.
  await sweep(quietEnv, deletedAtMs + 2 * MINUTE_MS);
  expect(await listKeys(workerEnv.PRIVATE_FILES, workspace.id)).toEqual([]);
  expect(await listKeys(workerEnv.PUBLIC_FILES, assetId)).toEqual([]);
  expect(await readAll(other.id)).toBe(before);
  expect(await countPageRows(pageIds)).toBe(0);
  const [livePage = "", deletedPage = ""] = otherPageIds;
  expect(await countPageRows([livePage])).toBe(Object.keys(ROLL_UPS).length);
  expect(await countPageRows([deletedPage])).toBe(0);

  // A message that was under way writes a row after the erasure.
  await addCounts("scan_months", workspace.id);
  await sweep(quietEnv, deletedAtMs + DAY_MS);
  await sweep(quietEnv, deletedAtMs + DAY_MS + MINUTE_MS);
  for (const table of tables) {
    expect(await countRows(table, ownedBy(table, workspace.id)), `rows of ${table}`).toBe(0);
  }
  for (const [table, orphans] of Object.entries(REACHED))
    expect(await countRows(table, orphans), table).toBe(0);
  expect(await countRows("workspaces", `id = '${workspace.id}'`)).toBe(0);
});

test("slug and hosts are free again at once", async () => {
  const workspace = await newWorkspace();
  await deleteWorkspace(workspace, Date.now());
  await DB.batch([
    DB.prepare(
      "INSERT INTO workspaces (id, slug, name, plan, created_at) VALUES (?, ?, 'new', 'free', 1)",
    ).bind(crypto.randomUUID(), workspace.slug),
    DB.prepare(
      "INSERT INTO domains (hostname, workspace_id, created_at) SELECT ?, id, 1 FROM workspaces WHERE slug = ?",
    ).bind(workspace.hostname, workspace.slug),
  ]);
  await sweep(quietEnv, Date.now());
  expect(await countRows("workspaces", `slug = '${workspace.slug}'`)).toBe(1);
  expect(await countRows("domains", `hostname = '${workspace.hostname}'`)).toBe(1);
});

test("an erasure that fails in the middle goes on with the next run, in statements of at most 1,000 rows", async () => {
  const workspace = await newWorkspace("enterprise");
  await insertLinks(workspace.id, 2_600);
  await deleteWorkspace(workspace, Date.now());
  let statements = 0;
  const failing = new Proxy(DB, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (name === "prepare" && ++statements > 25) throw new Error("killed");
        return value.apply(target, args);
      };
    },
  });
  await sweep({ ...quietEnv, DB: failing }, Date.now());
  const left = await countRows("links", `workspace_id = '${workspace.id}'`);
  expect(left % 500).toBe(100);
  await sweep(quietEnv, Date.now());
  expect(await countRows("links", `workspace_id = '${workspace.id}'`)).toBe(0);
});

async function insertLinks(workspaceId: string, count: number): Promise<void> {
  const numbers = JSON.stringify(Array.from({ length: count }, (_, number) => number));
  await DB.prepare(
    `INSERT INTO links (id, workspace_id, short_code, code_key, is_custom, destination, destination_host, rule_hosts,
                        enabled, labels, routing_rules, scan_count, created_at, updated_at)
     SELECT ?1 || value, ?1, 'c' || value, 'c' || value, 0, 'https://example.com/', 'example.com', '[]', 1, '[]', '[]', 0, 1, 1
       FROM json_each(?2)`,
  )
    .bind(workspaceId, numbers)
    .run();
}
