import { beforeEach, describe, expect, test } from "vitest";
import { pageResponse } from "../../src/bio/bio.schema.ts";
import { countVisitBatch } from "../../src/bio/page-counts.ts";
import { formatUuidTime, generateUuidv7 } from "../../src/core/id.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { openDatabase } from "../../src/db/database.ts";
import { type LinkResponse, linkResponse } from "../../src/links/link-response.ts";
import { templateResponse } from "../../src/qr/templates.schema.ts";
import { forgetAll } from "../../src/resolving/resolve.ts";
import { sweepTrash } from "../../src/trash/trash.ts";
import { ITEMS_MAX, KEPT_MS } from "../../src/trash/trash-limits.ts";
import { readChanges, readLog } from "../support/audit.ts";
import { deliverScans } from "../support/deliver-scans.ts";
import {
  addDomain,
  createLink,
  expectData,
  expectError,
  newWorkspace,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import { quietEnv } from "../support/resources.ts";
import { buildScan, packWindow } from "../support/scans.ts";

/** Deleted links, bio pages and QR templates, which can be restored for 30 days. */

const LINKS = "/v1/links";
const PAGES = "/v1/bio/pages";
const TEMPLATES = "/v1/qr/templates";

/** Kinds of items: their path, the body of a creation, their schema, and the resource of plans that they use. */
const KINDS = [
  { path: LINKS, body: { url: "https://example.com/" }, schema: linkResponse, kind: "link" },
  { path: PAGES, body: { title: "Page" }, schema: pageResponse, kind: "bio_page" },
  { path: TEMPLATES, body: { name: "Brand" }, schema: templateResponse, kind: "qr_template" },
] as const;

beforeEach(forgetAll);

async function remove(workspace: TestWorkspace, path: string, query = ""): Promise<void> {
  expect((await workspace.call("DELETE", path + query, { env: quietEnv })).status).toBe(200);
}

function restore(workspace: TestWorkspace, path: string, body?: object): Promise<Response> {
  return workspace.call("POST", `${path}/restore`, { env: quietEnv, ...(body && { body }) });
}

async function restoreLink(workspace: TestWorkspace, id: string, body?: object): Promise<LinkResponse> {
  return (await expectData(await restore(workspace, `${LINKS}/${id}`, body), linkResponse)).data;
}

async function listIds(workspace: TestWorkspace, path: string, query: string) {
  const { data, meta } = await (await workspace.call("GET", `${path}${query}`)).json<{
    data: { id: string }[];
    meta: { total: number; next_before: string | null };
  }>();
  return { ids: data.map(({ id }) => id), total: meta.total, nextBefore: meta.next_before };
}

async function visit(workspace: TestWorkspace, path: string): Promise<string | number> {
  const response = await workspace.visit(path);
  return response.headers.get("Location") ?? response.status;
}

/** Changes the time of an item's deletion. */
async function setDeletedAt({ shard }: TestWorkspace, id: string, atMs: number): Promise<void> {
  await shard
    .prepare("UPDATE trash SET deletion_id = ? || substr(deletion_id, 14) WHERE item_id = ?")
    .bind(formatUuidTime(atMs), id)
    .run();
}

describe.each(KINDS)("$path", ({ path, body, schema, kind }) => {
  test("a deleted item leaves its list, appears in the trash, and is the same after it is restored", async () => {
    const workspace = await newWorkspace();
    const create = async () =>
      (await expectData(await workspace.call("POST", path, { body, env: quietEnv }), schema, 201)).data;
    const [item, other] = [await create(), await create()];
    await remove(workspace, `${path}/${other.id}`);
    const beforeMs = Date.now();
    await remove(workspace, `${path}/${item.id}`);
    expect((await listIds(workspace, path, "")).ids).toEqual([]);
    await expectError(await workspace.call("GET", `${path}/${item.id}`), 404, "RESOURCE_NOT_FOUND");
    await expectError(await workspace.call("DELETE", `${path}/${item.id}`), 404, "RESOURCE_NOT_FOUND");

    const listed = await workspace.call("GET", `${path}?deleted=true`);
    const { data: deleted } = await expectData(listed, schema.array());
    expect(deleted.map(({ id }) => id)).toEqual([item.id, other.id]);
    const { deleted_at = "", erase_at = "", ...shown } = deleted[0] ?? {};
    expect(shown).toEqual(item);
    expect(Date.parse(deleted_at)).toBeGreaterThanOrEqual(beforeMs);
    expect(Date.parse(erase_at)).toBe(Date.parse(deleted_at) + 30 * DAY_MS);

    const { data: restored } = await expectData(await restore(workspace, `${path}/${item.id}`), schema);
    expect({ ...restored, updated_at: item.updated_at }).toEqual(item);
    const read = await workspace.call("GET", `${path}/${item.id}`);
    expect((await expectData(read, schema)).data).toEqual(restored);
    // An item that isn't deleted is returned as it is.
    const again = await restore(workspace, `${path}/${item.id}`);
    expect((await expectData(again, schema)).data).toEqual(restored);
    const changes = await readChanges(workspace, item.id);
    const verbs = changes.map(({ operation }) => operation.replace(/[A-Z].*/, ""));
    expect(verbs).toEqual(["create", "delete", "restore"]);
    expect(changes[2]?.changes).toEqual(changes[0]?.changes);
    expect(await listIds(workspace, path, "?deleted=true")).toEqual({
      ids: [other.id],
      total: 1,
      nextBefore: null,
    });
  });

  test("an item is erased permanently, whether it is in the trash or not, and only in its workspace", async () => {
    const [workspace, stranger] = [await newWorkspace(), await newWorkspace()];
    const create = async () =>
      (await expectData(await workspace.call("POST", path, { body, env: quietEnv }), schema, 201)).data.id;
    const [live, trashed, kept] = [await create(), await create(), await create()];
    for (const id of [trashed, kept]) await remove(workspace, `${path}/${id}`);
    for (const id of [live, trashed]) {
      await expectError(
        await stranger.call("DELETE", `${path}/${id}?permanent=true`),
        404,
        "RESOURCE_NOT_FOUND",
      );
      await expectError(await restore(stranger, `${path}/${id}`), 404, "RESOURCE_NOT_FOUND");
      await remove(workspace, `${path}/${id}`, "?permanent=true");
      await expectError(await restore(workspace, `${path}/${id}`), 404, "RESOURCE_NOT_FOUND");
      await expectError(
        await workspace.call("DELETE", `${path}/${id}?permanent=true`),
        404,
        "RESOURCE_NOT_FOUND",
      );
      expect((await readChanges(workspace, id)).at(-1)).toMatchObject({
        operation: expect.stringMatching(/^delete/),
        changes: { permanent: [false, true] },
      });
    }
    expect((await listIds(stranger, path, "?deleted=true")).ids).toEqual([]);
    expect(await listIds(workspace, path, "?deleted=true")).toMatchObject({ ids: [kept], total: 1 });
    const marks = await workspace.shard
      .prepare("SELECT lower(hex(owner)) AS owner FROM deleted_series WHERE workspace_id = ?")
      .bind(workspace.id)
      .all<{ owner: string }>();
    const expected = kind === "bio_page" ? [live, trashed].map((id) => id.replaceAll("-", "")) : [];
    expect(marks.results.map(({ owner }) => owner).sort()).toEqual(expected.sort());
  });

  test("the trash has pages, and no more than 10,000 items of each kind", async () => {
    const workspace = await newWorkspace();
    const create = async () =>
      (await expectData(await workspace.call("POST", path, { body, env: quietEnv }), schema, 201)).data.id;
    const ids = [await create(), await create(), await create(), await create()];
    for (const id of ids.slice(0, 3)) await remove(workspace, `${path}/${id}`);
    const first = await listIds(workspace, path, "?deleted=true&limit=2");
    expect(first).toMatchObject({ ids: [ids[2], ids[1]], total: 3 });
    const second = await listIds(workspace, path, `?deleted=true&limit=2&before=${first.nextBefore}`);
    expect(second).toMatchObject({ ids: [ids[0]], nextBefore: null });

    await workspace.shard
      .prepare(
        `INSERT INTO trash (deletion_id, workspace_id, kind, item_id, item)
         WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)
         SELECT printf('00000000-%04x', n), ?1, ?3, hex(randomblob(16)), '{}' FROM numbers`,
      )
      .bind(workspace.id, ITEMS_MAX - 4, kind)
      .run();
    const readEdge = () =>
      workspace.shard
        .prepare(
          "SELECT count(*) AS items, min(deletion_id) AS oldest FROM trash WHERE workspace_id = ? AND kind = ?",
        )
        .bind(workspace.id, kind)
        .first();
    await remove(workspace, `${path}/${ids[3]}`);
    expect(await readEdge()).toEqual({ items: ITEMS_MAX, oldest: "00000000-0001" });
    const another = await create();
    await remove(workspace, `${path}/${another}`);
    expect(await readEdge()).toEqual({ items: ITEMS_MAX, oldest: "00000000-0002" });
    expect((await listIds(workspace, path, "?deleted=true&limit=1")).total).toBe(ITEMS_MAX);
  });

  const parallel = kind === "link" ? 50 : 10;
  test(`${parallel} parallel restorations bring an item back once`, async () => {
    const workspace = await newWorkspace("enterprise");
    const created = await workspace.call("POST", path, { body, env: quietEnv });
    const { id } = (await expectData(created, schema, 201)).data;
    await remove(workspace, `${path}/${id}`);
    const responses = await Promise.all(
      Array.from({ length: parallel }, () => restore(workspace, `${path}/${id}`)),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(
      (await readLog(workspace, `?resource=${id}`)).filter(({ operation }) => /^restore/.test(operation)),
    ).toHaveLength(1);
    expect(await listIds(workspace, path, "")).toMatchObject({ ids: [id], total: 1 });
    expect((await listIds(workspace, path, "?deleted=true")).total).toBe(0);
  });
});

test("a restored link has its paths, scans, search terms, event and position in lists again", async () => {
  const workspace = await newWorkspace();
  const hook = { url: "https://hooks.example.com/", events: ["link.restored"] };
  await workspace.call("POST", "/v1/webhooks", { body: hook, env: quietEnv });
  const fields = {
    aliases: ["menu/1"],
    labels: ["print"],
    title: "Findable",
    external_id: "7",
    max_scans: 9,
    password: "pass-word",
  };
  const link = await createLink(workspace, fields, quietEnv);
  await workspace.call("PATCH", `${LINKS}/${link.id}`, { body: { custom_slug: "renamed" }, env: quietEnv });
  await createLink(workspace, {}, quietEnv);
  await remove(workspace, `${LINKS}/${link.id}`);
  for (const path of ["/renamed", "/menu/1", `/${link.short_code}`])
    expect(await visit(workspace, path)).toBe(404);
  await createLink(workspace, {}, quietEnv);
  const scan = buildScan({ workspaceId: workspace.id, linkId: link.id, scannedAtMs: Date.now() });
  await deliverScans(quietEnv, packWindow([scan, scan]));

  const restored = await restoreLink(workspace, link.id);
  expect(restored).toMatchObject({
    aliases: ["menu/1", link.short_code],
    labels: ["print"],
    external_id: "7",
    max_scans: 9,
    has_password: true,
    short_code: "renamed",
    scan_count: 2,
  });
  expect(Date.parse(restored.updated_at)).toBeGreaterThan(Date.parse(link.updated_at));
  for (const path of ["/renamed", "/menu/1", `/${link.short_code.toUpperCase()}`])
    expect((await workspace.visit(path)).status).toBe(200);
  for (const query of ["?search=findable", "?label=print", "?external_id=7"])
    expect((await listIds(workspace, LINKS, query)).ids).toEqual([link.id]);
  expect((await listIds(workspace, LINKS, "")).ids.at(-1)).toBe(link.id);
  const { results } = await workspace.shard
    .prepare("SELECT payload FROM webhook_events WHERE workspace_id = ?")
    .bind(workspace.id)
    .all<{ payload: string }>();
  expect(results.map(({ payload }) => JSON.parse(payload).data)).toEqual([
    expect.objectContaining({ link_id: link.id, short_code: "renamed", has_password: true }),
  ]);
});

test("a link can't take back a path or an id that another link has, and gets another one", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace, { custom_slug: "one", aliases: ["a", "b"], external_id: "7" });
  await remove(workspace, `${LINKS}/${link.id}`);
  const url = "https://example.org/";
  await createLink(workspace, { custom_slug: "ONE", url });
  const holder = await createLink(workspace, { aliases: ["b"], external_id: "7" });
  const fail = async (body: object, code: string) =>
    (await expectError(await restore(workspace, `${LINKS}/${link.id}`, body), 409, code)).message;
  expect(await fail({ external_id: null }, "SLUG_TAKEN")).toContain("one");
  expect(await fail({ custom_slug: "two", external_id: null }, "ALIAS_TAKEN")).toContain(
    `b already belongs to the link ${holder.short_code}`,
  );
  expect(await fail({ custom_slug: "two", aliases: ["a"] }, "EXTERNAL_ID_TAKEN")).toContain("7");
  const body = { custom_slug: "two", aliases: ["a"], external_id: null };
  expect(await restoreLink(workspace, link.id, body)).toMatchObject({
    short_code: "two",
    aliases: ["a"],
    external_id: null,
  });
  expect([
    await visit(workspace, "/two"),
    await visit(workspace, "/a"),
    await visit(workspace, "/one"),
  ]).toEqual([link.destination, link.destination, url]);
});

test("of 20 parallel restorations and creations with one short code, one succeeds", async () => {
  const workspace = await newWorkspace("enterprise");
  const { id } = await createLink(workspace, { custom_slug: "wanted" }, quietEnv);
  await remove(workspace, `${LINKS}/${id}`);
  // Nine more deleted links with the same short code.
  const numbered = (text: string) => `substr(${text}, 1, 24) || printf('%012d', number.value)`;
  const { results } = await workspace.shard
    .prepare(
      `INSERT INTO trash (deletion_id, workspace_id, kind, item_id, item)
       SELECT ${numbered("deletion_id")}, workspace_id, kind, ${numbered("item_id")}, json_set(item, '$.id', ${numbered("item_id")})
         FROM trash JOIN json_each(?2) AS number WHERE item_id = ?1 RETURNING item_id AS id`,
    )
    .bind(id, JSON.stringify(Array.from({ length: 9 }, (_, n) => n)))
    .all<{ id: string }>();
  const ids = [id, ...results.map((row) => row.id)];
  const body = { url: "https://example.com/", custom_slug: "wanted" };
  const responses = await Promise.all([
    ...ids.map((id) => restore(workspace, `${LINKS}/${id}`)),
    ...ids.map(() => workspace.call("POST", LINKS, { body, env: quietEnv })),
  ]);
  const statuses = responses.map(({ status }) => status);
  expect(statuses.filter((status) => status < 300)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(19);
  expect((await listIds(workspace, LINKS, "")).total).toBe(1);
});

test("a link whose destination is a short host by now can't be restored", async () => {
  const workspace = await newWorkspace();
  const hostname = `later-${crypto.randomUUID()}.example.com`;
  const link = await createLink(workspace, { url: `http://${hostname}:8787/x` });
  await remove(workspace, `${LINKS}/${link.id}`);
  await addDomain(workspace, hostname);
  const error = await expectError(await restore(workspace, `${LINKS}/${link.id}`), 400, "VALIDATION_ERROR");
  expect(error.message).toMatch(/^destination: must not be a short URL/);
  expect((await listIds(workspace, LINKS, "?deleted=true")).ids).toEqual([link.id]);
});

test("items in the trash don't count against the plan, and are restored only within it", async () => {
  // The calls of this test are more than the pro plan allows in a second.
  const workspace = await newWorkspace("business");
  const exceeds = async (response: Response) => expectError(response, 403, "PLAN_LIMIT_EXCEEDED");
  for (const { path, body, schema, kind } of KINDS) {
    const { id } = (await expectData(await workspace.call("POST", path, { body }), schema, 201)).data;
    if (kind === "link") expect((await workspace.call("GET", `${LINKS}/${id}/qr`)).status).toBe(200);
    const resource = { link: "dynamic_qr", bio_page: "bio_pages", qr_template: "qr_templates" }[kind];
    const setCap = (cap: string) =>
      workspace.shard
        .prepare(`UPDATE usage_counters SET cap = 1e9, used = ${cap} WHERE workspace_id = ? AND resource = ?`)
        .bind(workspace.id, resource)
        .run();
    const readUsed = () =>
      workspace.shard
        .prepare("SELECT used FROM usage_counters WHERE workspace_id = ? AND resource = ?")
        .bind(workspace.id, resource)
        .first<number>("used");
    expect(await readUsed()).toBe(1);
    await remove(workspace, `${path}/${id}`);
    expect(await readUsed()).toBe(0);
    await setCap("1e6");
    await exceeds(await restore(workspace, `${path}/${id}`));
    expect((await listIds(workspace, path, "?deleted=true")).ids).toEqual([id]);
    await setCap("0");
    expect((await restore(workspace, `${path}/${id}`)).status).toBe(200);
    expect(await readUsed()).toBe(1);
  }
});

test("a page gets its slug and its state back, or another slug if it is taken", async () => {
  const [workspace, stranger] = [await newWorkspace(), await newWorkspace()];
  const slug = `page-${crypto.randomUUID().slice(0, 8)}`;
  const create = (by: TestWorkspace) => by.call("POST", PAGES, { body: { title: "Page", slug } });
  const { data: page } = await expectData(await create(workspace), pageResponse, 201);
  await workspace.call("POST", `${PAGES}/${page.id}/publish`);
  await remove(workspace, `${PAGES}/${page.id}`);
  // The slug is free for this workspace only.
  await expectError(await create(stranger), 409, "SLUG_TAKEN");
  const visits = {
    body: {
      id: generateUuidv7(Date.now()),
      groups: [
        { facts: { workspaceId: workspace.id, pageId: page.id, kind: "view" }, timesMs: [Date.now()] },
      ],
    },
    attempts: 1,
    retry() {},
  };
  await countVisitBatch({ messages: [visits], ackAll() {} } as never, workerEnv, Date.now());
  const { data: restored } = await expectData(await restore(workspace, `${PAGES}/${page.id}`), pageResponse);
  expect(restored).toMatchObject({ slug, is_published: true, view_count: 1 });
  await remove(workspace, `${PAGES}/${page.id}`);
  const { data: other } = await expectData(await create(workspace), pageResponse, 201);
  const error = await expectError(await restore(workspace, `${PAGES}/${page.id}`), 409, "SLUG_TAKEN");
  expect(error.message).toContain(slug);
  const renamed = await restore(workspace, `${PAGES}/${page.id}`, { slug: `${slug}-2` });
  expect((await expectData(renamed, pageResponse)).data).toMatchObject({ slug: `${slug}-2`, view_count: 1 });
  await remove(workspace, `${PAGES}/${other.id}`);
  expect((await restore(workspace, `${PAGES}/${other.id}`)).status).toBe(200);
});

test("items are erased by the cron after 30 days, and the counts of erased pages are marked", async () => {
  const workspace = await newWorkspace();
  const { data: page } = await expectData(
    await workspace.call("POST", PAGES, { body: { title: "Page" } }),
    pageResponse,
    201,
  );
  const links = [await createLink(workspace), await createLink(workspace)] as const;
  const nowMs = Date.now();
  const items: [string, number][] = [
    [`${PAGES}/${page.id}`, nowMs - KEPT_MS - 1],
    [`${LINKS}/${links[0].id}`, nowMs - KEPT_MS - 1],
    [`${LINKS}/${links[1].id}`, nowMs - KEPT_MS],
  ];
  for (const [path, deletedMs] of items) {
    await remove(workspace, path);
    await setDeletedAt(workspace, path.split("/").at(-1) ?? "", deletedMs);
  }
  const locked = (state: string) =>
    workspace.shard
      .prepare("INSERT OR REPLACE INTO transits (workspace_id, epoch, state) VALUES (?, 1, ?)")
      .bind(workspace.id, state)
      .run();
  await locked("fenced");
  await sweepTrash(openDatabase(workspace.shard), nowMs);
  expect((await listIds(workspace, PAGES, "?deleted=true")).ids).toEqual([page.id]);
  await locked("settled");
  await sweepTrash(openDatabase(workspace.shard), nowMs);
  expect((await listIds(workspace, PAGES, "?deleted=true")).ids).toEqual([]);
  expect((await listIds(workspace, LINKS, "?deleted=true")).ids).toEqual([links[1].id]);
  const marks = "SELECT count(*) AS n FROM deleted_series WHERE workspace_id = ?";
  expect(await workspace.shard.prepare(marks).bind(workspace.id).first("n")).toBe(1);
});

test("an item from before a column was added gets the column's default", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace);
  await remove(workspace, `${LINKS}/${id}`);
  await workspace.shard
    .prepare(
      "UPDATE trash SET item = json_remove(item, '$.aliases', '$.forward_query', '$.external_id') WHERE item_id = ?",
    )
    .bind(id)
    .run();
  expect(await restoreLink(workspace, id)).toMatchObject({
    aliases: [],
    forward_query: false,
    external_id: null,
  });
});

test.each(["search=a", "label=a", "sort=scan_count", "archived=all", "enabled=true"])(
  "the trash can't be filtered by %s",
  async (filter) => {
    const workspace = await newWorkspace();
    const response = await workspace.call("GET", `${LINKS}?deleted=true&${filter}`);
    expect((await expectError(response, 400, "VALIDATION_ERROR")).message).toContain(filter.split("=")[0]);
  },
);
