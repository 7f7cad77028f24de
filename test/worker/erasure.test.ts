import { expect, test } from "vitest";
import { eraseDeletedSeries } from "../../src/analytics/deleted-series.ts";
import { eraseAssets } from "../../src/assets/sweep.ts";
import { erasePages } from "../../src/bio/page-removal.ts";
import { buildDeletion, buildWebhookStop } from "../../src/cli/deletion-statements.ts";
import { DAY_MS, MINUTE_MS } from "../../src/core/time.ts";
import { sweep } from "../../src/cron.ts";
import { openDatabase } from "../../src/db/database.ts";
import { eraseLinks } from "../../src/links/link-writes.ts";
import { eraseEndpoints } from "../../src/webhooks/erase-endpoints.ts";
import { useEmptyDatabases } from "../support/databases.ts";
import { eventually } from "../support/eventually.ts";
import {
  createLink,
  expectError,
  newWorkspace,
  onEachShard,
  type TestWorkspace,
  workerEnv,
  wrapShards,
} from "../support/harness.ts";
import { createResources, quietEnv } from "../support/resources.ts";

/** Erasure of deleted workspaces. */

useEmptyDatabases();

/**
 * Tables whose rows belong to a workspace through another table, with the condition that selects orphaned
 * rows.
 */
const REACHED: Record<string, string> = {
  event_deliveries: "lane NOT IN (SELECT id FROM webhook_lanes)",
  delivery_attempts: "delivery_id NOT IN (SELECT id FROM event_deliveries)",
};
/** Tables of counts, owned by the id of a workspace or bio page as bytes, with the values of one row. */
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
/** Tables without data of workspaces. */
const OTHERS = [
  "counted_buckets",
  "blocked_hosts",
  "d1_migrations",
  "dead_letters",
  "host_changes",
  "own_hosts",
  "request_counts",
  "scan_costs",
  // Sessions and passkeys belong to people: people.test.ts, passkeys.test.ts.
  "sessions",
  "passkeys",
  "sweep_runs",
  "unsettled_hosts",
];
/** Tables whose rows a sweep deletes after a day, and tables with rows of a workspace only while it moves. */
const PASSING = ["target_changes", "moved_rows"];
/** Tables of workspaces. */
const WORKSPACES = ["workspaces", "tenants"];
/** Tables of the search index, which triggers on `links` keep up to date. */
const SEARCH_INDEX = /^link_search(_|$)/;
/** Databases with rows of a workspace: its shard and the directory. */
type Databases = readonly [shard: D1Database, directory: D1Database];

/** Table of one of the databases. */
interface Table {
  d1: D1Database;
  name: string;
}

function listDatabases({ shard }: Pick<TestWorkspace, "shard">): Databases {
  return [shard, workerEnv.DIRECTORY];
}

/** Lists the tables whose rows name their workspace. */
async function listOwnedTables(databases: Databases): Promise<Table[]> {
  const lists = await Promise.all(databases.map(listOwnedTablesOf));
  return lists.flat();
}

/** Lists the tables of a database whose rows name their workspace. Fails for tables that this file does not list. */
async function listOwnedTablesOf(d1: D1Database): Promise<Table[]> {
  const { results } = await d1
    .prepare(
      `SELECT t.name, EXISTS (SELECT 1 FROM pragma_table_info(t.name) WHERE name IN ('workspace_id', 'owner')) AS is_owned
       FROM sqlite_master t WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE '_cf_%'`,
    )
    .all<{ name: string; is_owned: number }>();
  const unknown = results.filter(
    ({ name, is_owned }) =>
      !is_owned &&
      !SEARCH_INDEX.test(name) &&
      ![...OTHERS, ...WORKSPACES].includes(name) &&
      !(name in REACHED),
  );
  expect(unknown, "a new table is erased with its workspace, or named here").toEqual([]);
  return results
    .filter(({ name, is_owned }) => is_owned && !PASSING.includes(name))
    .map(({ name }) => ({ d1, name }));
}

/** Returns the condition for a workspace's rows in one of these tables. */
function ownedBy(table: string, workspaceId: string): string {
  return table in ROLL_UPS
    ? `owner = unhex('${workspaceId.replaceAll("-", "")}')`
    : `workspace_id = '${workspaceId}'`;
}

/** Adds a row of counts to a table, in the current month and day. The owner is a workspace or a page. */
async function addCounts(table: string, { shard }: TestWorkspace, ownerId: string): Promise<void> {
  const now = new Date();
  const recent = {
    day: Math.floor(now.getTime() / DAY_MS),
    month: now.getUTCFullYear() * 12 + now.getUTCMonth(),
  };
  const values = Object.entries(ROLL_UPS[table] ?? {}).map(([name, value]) => [
    name,
    value === 0 && (name === "day" || name === "month") ? recent[name] : value,
  ]);
  await shard
    .prepare(
      `INSERT INTO ${table} (owner, ${values.map(([name]) => name)})
     VALUES (unhex('${ownerId.replaceAll("-", "")}'), ${values.map(() => "?")})`,
    )
    .bind(...values.map(([, value]) => value))
    .run();
}

async function countRows({ d1, name }: Table, condition: string): Promise<number> {
  return (await d1
    .prepare(`SELECT count(*) AS n FROM ${name} WHERE ${condition}`)
    .first<number>("n")) as number;
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
  const link = await createLink(workspace, { labels: ["a", "b"], aliases: ["x"] }, quietEnv);
  await workspace.call("POST", "/v1/links", {
    body: { url: "https://example.com/" },
    headers: { "Idempotency-Key": "one" },
    env: quietEnv,
  });
  await workspace.visit(`/${link.short_code}`);
  await eventually(
    () => countRows({ d1: workspace.shard, name: "scan_months" }, ownedBy("scan_months", workspace.id)),
    (count) => count > 0,
  );
  const deletedPageId = await createPage(workspace);
  const trashedPageId = await createPage(workspace);
  const pageIds = [ids.page_id ?? "", deletedPageId, trashedPageId];
  for (const owner of [workspace.id, ...pageIds])
    for (const table of Object.keys(ROLL_UPS)) await addCounts(table, workspace, owner);
  await workspace.call("DELETE", `/v1/bio/pages/${deletedPageId}?permanent=true`);
  await workspace.call("DELETE", `/v1/bio/pages/${trashedPageId}`);
  const delivery = await workspace.shard
    .prepare(
      `SELECT d.id FROM event_deliveries d JOIN webhook_lanes l ON l.id = d.lane WHERE l.workspace_id = ? LIMIT 1`,
    )
    .bind(workspace.id)
    .first<string>("id");
  await workspace.shard
    .prepare(
      "INSERT OR IGNORE INTO delivery_attempts (delivery_id, number, attempted_at, latency_ms) VALUES (?, 1, 1, 1)",
    )
    .bind(delivery)
    .run();
  await workspace.shard
    .prepare("INSERT INTO transits (workspace_id, epoch, state) VALUES (?, 1, 'settled')")
    .bind(workspace.id)
    .run();
  await workerEnv.DIRECTORY.prepare(
    `INSERT INTO workspace_moves (workspace_id, from_shard, to_shard, phase, requested_at, moved_at)
     VALUES (?, ?, ?, 'done', 1, ?)`,
  )
    .bind(workspace.id, 1 - workspace.shardNumber, workspace.shardNumber, Date.now())
    .run();
  const memberId = crypto.randomUUID();
  await workerEnv.DIRECTORY.prepare(
    "INSERT INTO members (id, workspace_id, email, name, created_at) VALUES (?, ?, 'a@b.test', 'A', 1)",
  )
    .bind(memberId, workspace.id)
    .run();
  await workerEnv.DIRECTORY.batch(
    [
      "INSERT INTO sign_in_links VALUES (?2, ?1, 'a@b.test', 9e15)",
      "INSERT INTO scim_tokens (token_hash, workspace_id, created_at, id, prefix) VALUES (?2, ?1, 1, ?2, ?2)",
      "INSERT INTO scim_groups (id, workspace_id, display_name, created_at, updated_at) VALUES (?2, ?1, 'Staff', 1, 1)",
      "INSERT INTO scim_group_members VALUES (?1, ?2, ?2)",
      "INSERT INTO reports (id, token_hash, workspace_id, title, label, days, created_at) VALUES (?2, ?2, ?1, 'T', 'a', 7, 1)",
      "INSERT INTO invitations VALUES (?2, ?2, ?1, ?2, 'a@b.test', 'viewer', 'x', 'X', 1, 9e15)",
    ].map((statement) => workerEnv.DIRECTORY.prepare(statement).bind(workspace.id, memberId)),
  );
  return { assetId, pageIds };
}

async function createPage(workspace: TestWorkspace): Promise<string> {
  const response = await workspace.call("POST", "/v1/bio/pages", { body: { title: "Page" } });
  return (await response.json<{ data: { id: string } }>()).data.id;
}

/** Returns the number of count rows owned by pages. */
async function countPageRows({ shard }: TestWorkspace, pageIds: readonly string[]): Promise<number> {
  const owners = pageIds.map((id) => `unhex('${id.replaceAll("-", "")}')`);
  const counts = Object.keys(ROLL_UPS).map((name) => countRows({ d1: shard, name }, `owner IN (${owners})`));
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

async function deleteWorkspace({ id, slug, shard }: TestWorkspace, nowMs: number): Promise<void> {
  const { DIRECTORY } = workerEnv;
  await DIRECTORY.batch(buildDeletion(id, slug, nowMs).map((statement) => DIRECTORY.prepare(statement)));
  await shard.prepare(buildWebhookStop(id)).run();
}

/** Columns that stay the same in tables whose rows the service itself changes. */
const STABLE: Record<string, string> = {
  webhook_lanes: "id",
  deleted_assets: "asset_id",
  domain_claims: "id",
  delivery_backlogs: "workspace_id",
};

/** Reads all rows of a workspace, including rows linked to them. */
async function readAll(workspace: TestWorkspace): Promise<string> {
  // The same sweep removes the marks of deleted pages.
  const owned = await listOwnedTables(listDatabases(workspace));
  const tables = owned.filter(({ name }) => name !== "deleted_series");
  const rows = await Promise.all(
    tables.map(({ d1, name }) =>
      d1
        .prepare(
          `SELECT ${STABLE[name] ?? "*"} FROM ${name} WHERE ${ownedBy(name, workspace.id)}
            ORDER BY ${STABLE[name] ?? "1, 2, 3"}`,
        )
        .all(),
    ),
  );
  return JSON.stringify(rows.map(({ results }) => results));
}

async function listKeys(bucket: R2Bucket, text: string): Promise<string[]> {
  return (await bucket.list()).objects.map(({ key }) => key).filter((key) => key.includes(text));
}

test("a deleted workspace is unusable immediately and erased completely, and others keep everything", async () => {
  const [workspace, other] = [await newWorkspace(), await newWorkspace()];
  const { assetId, pageIds } = await fill(workspace);
  const { pageIds: otherPageIds } = await fill(other);
  const databases = listDatabases(workspace);
  const tables = await listOwnedTables(databases);
  for (const table of tables) {
    expect(
      await countRows(table, ownedBy(table.name, workspace.id)),
      `rows of ${table.name}`,
    ).toBeGreaterThan(0);
  }
  expect(await listKeys(workerEnv.PRIVATE_FILES, workspace.id)).not.toEqual([]);
  expect(await listKeys(workerEnv.PUBLIC_FILES, assetId)).not.toEqual([]);
  expect(await countPageRows(workspace, pageIds)).toBe(3 * Object.keys(ROLL_UPS).length);
  const before = await readAll(other);

  const deletedAtMs = Date.now();
  await deleteWorkspace(workspace, deletedAtMs);
  await expectError(await workspace.call("GET", "/v1/links"), 401, "INVALID_API_KEY");
  expect((await workspace.visit("/unseen")).status).toBe(404);

  await sweep(quietEnv, deletedAtMs + MINUTE_MS);
  // Recorded files are removed first. Names are kept for a year, so that no other workspace gets them.
  const kept = ["deleted_assets", "held_names"];
  for (const table of tables.filter(({ name }) => !kept.includes(name))) {
    expect(await countRows(table, ownedBy(table.name, workspace.id)), `rows of ${table.name}`).toBe(0);
  }
  expect(await onEachShard("SELECT 1 FROM own_hosts WHERE hostname = ?", workspace.hostname)).toEqual([]);
  // The first sweep or the next one removes the recorded files.
  await sweep(quietEnv, deletedAtMs + 2 * MINUTE_MS);
  expect(await listKeys(workerEnv.PRIVATE_FILES, workspace.id)).toEqual([]);
  expect(await listKeys(workerEnv.PUBLIC_FILES, assetId)).toEqual([]);
  expect(await readAll(other)).toBe(before);
  expect(await countPageRows(workspace, pageIds)).toBe(0);
  const [livePage = "", deletedPage = "", trashedPage = ""] = otherPageIds;
  for (const page of [livePage, trashedPage])
    expect(await countPageRows(other, [page])).toBe(Object.keys(ROLL_UPS).length);
  expect(await countPageRows(other, [deletedPage])).toBe(0);

  // A message in transit writes a row after the erasure.
  await addCounts("scan_months", workspace, workspace.id);
  await sweep(quietEnv, deletedAtMs + DAY_MS);
  await sweep(quietEnv, deletedAtMs + DAY_MS + MINUTE_MS);
  for (const table of tables.filter(({ name }) => name !== "held_names")) {
    expect(await countRows(table, ownedBy(table.name, workspace.id)), `rows of ${table.name}`).toBe(0);
  }
  const [shard, directory] = databases;
  for (const [name, orphans] of Object.entries(REACHED))
    expect(await countRows({ d1: shard, name }, orphans), name).toBe(0);
  expect(await countRows({ d1: directory, name: "workspaces" }, `id = '${workspace.id}'`)).toBe(0);
  expect(await countRows({ d1: shard, name: "tenants" }, `id = '${workspace.id}'`)).toBe(0);
});

test("slug and hosts are free again immediately", async () => {
  const workspace = await newWorkspace();
  await deleteWorkspace(workspace, Date.now());
  const d1 = workerEnv.DIRECTORY;
  await d1.batch([
    d1
      .prepare(
        "INSERT INTO workspaces (id, slug, name, plan, shard, created_at) VALUES (?, ?, 'new', 'free', 0, 1)",
      )
      .bind(crypto.randomUUID(), workspace.slug),
    d1
      .prepare(
        "INSERT INTO domains (hostname, workspace_id, created_at) SELECT ?, id, 1 FROM workspaces WHERE slug = ?",
      )
      .bind(workspace.hostname, workspace.slug),
  ]);
  await sweep(quietEnv, Date.now());
  expect(await countRows({ d1, name: "workspaces" }, `slug = '${workspace.slug}'`)).toBe(1);
  expect(await countRows({ d1, name: "domains" }, `hostname = '${workspace.hostname}'`)).toBe(1);
});

test("an erasure that fails halfway continues in the next run, in statements of at most 1,000 rows", async () => {
  const workspace = await newWorkspace("enterprise");
  await insertLinks(workspace, 2_600);
  await deleteWorkspace(workspace, Date.now());
  let statements = 0;
  const failing = (d1: D1Database) =>
    new Proxy(d1, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (name === "prepare" && String(args[0]).includes('"links"') && ++statements > 3) {
            throw new Error("killed");
          }
          return value.apply(target, args);
        };
      },
    });
  const links = { d1: workspace.shard, name: "links" };
  await sweep(wrapShards(failing, quietEnv), Date.now());
  const left = await countRows(links, `workspace_id = '${workspace.id}'`);
  expect(left % 500).toBe(100);
  await sweep(quietEnv, Date.now());
  expect(await countRows(links, `workspace_id = '${workspace.id}'`)).toBe(0);
});

async function insertLinks({ id, shard }: TestWorkspace, count: number): Promise<void> {
  const numbers = JSON.stringify(Array.from({ length: count }, (_, number) => number));
  await shard
    .prepare(
      `INSERT INTO links (id, workspace_id, short_code, code_key, is_custom, destination, destination_host, rule_hosts,
                        enabled, labels, routing_rules, scan_count, created_at, updated_at)
     SELECT ?1 || value, ?1, 'c' || value, 'c' || value, 0, 'https://example.com/', 'example.com', '[]', 1, '[]', '[]', 0, 1, 1
       FROM json_each(?2)`,
    )
    .bind(id, numbers)
    .run();
}

test("erasing a workspace keeps the counts of other workspaces' deleted pages", async () => {
  const [workspace, other] = [await newWorkspace(), await newWorkspace()];
  const db = openDatabase(workspace.shard);
  const mark = "INSERT INTO deleted_series (workspace_id, owner) VALUES (?, randomblob(16))";
  await workspace.shard.batch([workspace, other].map(({ id }) => workspace.shard.prepare(mark).bind(id)));
  const countMarks = ({ id }: TestWorkspace) =>
    countRows({ d1: workspace.shard, name: "deleted_series" }, `workspace_id = '${id}'`);
  while ((await eraseDeletedSeries(db, workspace.id, Date.now())) > 0);
  expect([await countMarks(workspace), await countMarks(other)]).toEqual([0, 1]);
  while ((await eraseDeletedSeries(db, other.id, Date.now())) > 0);
  expect(await countMarks(other)).toBe(0);
});

test("erasing a workspace waits for its own files and not for other workspaces' files", async () => {
  const [workspace, other] = [await newWorkspace(), await newWorkspace()];
  const db = openDatabase(workspace.shard);
  const addFile = ({ id }: TestWorkspace) =>
    workspace.shard
      .prepare(
        "INSERT INTO deleted_assets (asset_id, workspace_id, filename, deleted_at, due_at) VALUES (?, ?, 'a', 1, 9e15)",
      )
      .bind(crypto.randomUUID(), id)
      .run();
  await addFile(other);
  expect(await eraseAssets(db, workspace.id, Date.now())).toEqual({ deleted: 0, areFilesLeft: false });
  await addFile(workspace);
  expect(await eraseAssets(db, workspace.id, Date.now())).toEqual({ deleted: 0, areFilesLeft: true });
  await createResources(workspace);
  expect(await eraseAssets(db, workspace.id, Date.now())).toEqual({ deleted: 1, areFilesLeft: true });
  await workspace.shard.prepare("DELETE FROM deleted_assets WHERE due_at = 9e15").run();
});

test("erasing links keeps the links of other workspaces and their scan gates", async () => {
  const [workspace, other] = [await newWorkspace("enterprise"), await newWorkspace("enterprise")];
  const limited = await createLink(other, { max_scans: 1 }, quietEnv);
  await createLink(workspace, {}, quietEnv);
  const db = openDatabase(workspace.shard);
  expect(await eraseLinks(db, quietEnv.SCAN_GATE, workspace.id)).toBe(1);
  expect(await eraseLinks(db, quietEnv.SCAN_GATE, workspace.id)).toBe(0);
  const headers = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0" };
  expect((await other.visit(`/${limited.short_code}`, { headers })).status).toBe(302);
});

test("erasing pages and endpoints reports what it deleted, and keeps other workspaces' pages and events", async () => {
  const [workspace, other] = [await newWorkspace("enterprise"), await newWorkspace("enterprise")];
  await createResources(workspace);
  await createResources(other);
  const { shard } = workspace;
  const db = openDatabase(shard);
  await shard.prepare("UPDATE webhook_events SET fanned_out = 0 WHERE workspace_id = ?").bind(other.id).run();
  const countOthers = () =>
    Promise.all(
      ["bio_pages", "webhook_events"].map((name) =>
        countRows({ d1: shard, name }, `workspace_id = '${other.id}'`),
      ),
    );
  const before = await countOthers();
  expect(before[1]).toBeGreaterThan(0);
  expect(await erasePages(db, workspace.id)).toBe(1);
  expect(await erasePages(db, workspace.id)).toBe(0);
  while ((await eraseEndpoints(db, quietEnv.ENDPOINT_HEALTH, workspace.id, Date.now())) > 0);
  expect(await countOthers()).toEqual(before);
  await shard
    .prepare("UPDATE webhook_events SET fanned_out = NULL WHERE workspace_id = ?")
    .bind(other.id)
    .run();
});
