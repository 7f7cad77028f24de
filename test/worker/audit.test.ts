import { describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { entryResponse } from "../../src/audit/audit.schema.ts";
import type { Entry } from "../../src/audit/entry-columns.ts";
import { buildPage } from "../../src/audit/list-entries.ts";
import { KEPT_MS } from "../../src/audit/sweep-log.ts";
import { formatUuidTime, readUuidTime } from "../../src/core/id.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { sweep } from "../../src/cron.ts";
import { readChanges, readLog } from "../support/audit.ts";
import { answerWithText, dnsEnv, newHostname, setProofAnswer } from "../support/domains.ts";
import {
  breakingEnv,
  createLink,
  expectData,
  expectError,
  newWorkspace,
  type TestWorkspace,
  TRANSIENT_FAILURE,
  workerEnv,
} from "../support/harness.ts";
import { callOperation, createFixture } from "../support/operation-calls.ts";
import { everyOperation, isForPeople, quietEnv } from "../support/resources.ts";

/** Audit log. */

const URL = "https://example.com/";

test("an entry contains the actor, the request, the change and the previous values", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace, { url: URL, title: "One" });
  const response = await workspace.call("PATCH", `/v1/links/${id}`, {
    body: { title: "Two", enabled: true },
  });
  const [entry] = await readLog(workspace);
  const key = await workspace.call("GET", "/v1/workspace");
  expect(key.status).toBe(200);
  expect(entry).toEqual({
    id: expect.any(String),
    at: expect.any(String),
    actor: { type: "key", id: expect.any(String), name: "test" },
    operation: "updateLink",
    resource: { type: "link", id },
    changes: { title: ["One", "Two"] },
    request_id: response.headers.get("X-Request-Id"),
  });
  expect(Date.parse(entry?.at ?? "")).toBe(readUuidTime(entry?.id ?? ""));
});

test("entries show each kind of field as responses show it", async () => {
  const workspace = await newWorkspace("enterprise");
  const fields = {
    labels: ["a", "b"],
    enabled: true,
    routing_rules: [{ when: { country: ["CA"] }, destination: "https://example.ca/" }],
    expires_at: "2126-01-01T00:00:00.000Z",
    title: "Summer “sale” 🙂",
    note: "One\ntwo\u0007",
    archived: true,
    starts_at: "2020-01-01T00:00:00.000Z",
    early_url: "https://example.com/soon",
    expired_url: "https://example.com/over",
    max_scans: 7,
    preview: { title: "T", description: null, image_url: null },
    forward_query: true,
    confirm: true,
    imported_scans: 4_711,
  };
  const unset = {
    aliases: [],
    former_codes: [],
    labels: [],
    routing_rules: [],
    archived: false,
    forward_query: false,
    confirm: false,
    imported_scans: 0,
  };
  const { id, short_code } = await createLink(workspace, { url: URL });
  await workspace.call("PATCH", `/v1/links/${id}`, {
    body: { ...fields, enabled: false, password: "secret-1" },
  });
  await workspace.call("PATCH", `/v1/links/${id}`, { body: { password: "secret-2" } });
  await workspace.call("PATCH", `/v1/links/${id}`, { body: { password: null } });
  await workspace.call("DELETE", `/v1/links/${id}`);
  const changed = Object.entries({ ...fields, enabled: false }).map(([name, value]) => [
    name,
    [name === "enabled" ? true : ((unset as Record<string, unknown>)[name] ?? null), value],
  ]);
  const gone = Object.entries({ ...fields, enabled: false }).map(([name, value]) => [name, [value, null]]);
  const entries = await readChanges(workspace, id);
  expect(entries).toEqual([
    {
      operation: "createLink",
      changes: {
        short_code: [null, short_code],
        destination: [null, URL],
        enabled: [null, true],
        has_password: [null, false],
        ...Object.fromEntries(Object.entries(unset).map(([name, value]) => [name, [null, value]])),
      },
    },
    { operation: "updateLink", changes: { ...Object.fromEntries(changed), has_password: [false, true] } },
    { operation: "updateLink", changes: { password: ["…", "…"] } },
    { operation: "updateLink", changes: { has_password: [true, false] } },
    {
      operation: "deleteLink",
      changes: {
        ...Object.fromEntries(gone),
        aliases: [[], null],
        former_codes: [[], null],
        short_code: [short_code, null],
        destination: [URL, null],
        has_password: [false, null],
      },
    },
  ]);
  const { results } = await workspace.shard
    .prepare("SELECT changes FROM audit_log WHERE workspace_id = ?")
    .bind(workspace.id)
    .all<{ changes: string }>();
  expect(JSON.stringify(results)).not.toMatch(/secret-|pbkdf2/i);
});

test("changes without effect, rejected changes and repeated changes create no entry", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace, { url: URL, custom_slug: "taken" });
  const headers = { "Idempotency-Key": "one" };
  for (const _ of [1, 2]) await workspace.call("POST", "/v1/links", { body: { url: URL }, headers });
  await workspace.call("PATCH", `/v1/links/${id}`, { body: { url: URL, enabled: true, labels: [] } });
  await expectError(
    await workspace.call("POST", "/v1/links", { body: { url: URL, custom_slug: "taken" } }),
    409,
    "SLUG_TAKEN",
  );
  await workspace.call("DELETE", `/v1/links/${crypto.randomUUID()}`);
  expect((await readLog(workspace)).map(({ operation }) => operation)).toEqual(["createLink", "createLink"]);
});

test("a bulk operation creates an entry for each link that it changed", async () => {
  const workspace = await newWorkspace("enterprise");
  const links = [
    { url: URL, custom_slug: "one" },
    { url: URL },
    { url: "nonsense" },
    { url: URL, custom_slug: "one" },
  ];
  const response = await workspace.call("POST", "/v1/links/bulk", { body: { links } });
  const { data } = await response.json<{ data: { created: { id: string }[] } }>();
  const ids = data.created.map((link) => link.id);
  expect(ids).toHaveLength(2);
  await workspace.call("PATCH", `/v1/links/${ids[0]}`, { body: { enabled: false } });
  await workspace.call("PATCH", "/v1/links/bulk/status", { body: { ids, enabled: false } });
  const log = await readLog(workspace);
  expect(log.map(({ operation, resource }) => [operation, resource.id])).toEqual([
    ["bulkUpdateLinkStatus", ids[1]],
    ["updateLink", ids[0]],
    ["bulkCreateLinks", ids[1]],
    ["bulkCreateLinks", ids[0]],
  ]);
});

test("entries of parallel changes form a chain: each starts with the previous entry's result", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace, { url: URL, title: "0" });
  const titles = Array.from({ length: 20 }, (_, index) => String(index + 1));
  await Promise.all(titles.map((title) => workspace.call("PATCH", `/v1/links/${id}`, { body: { title } })));
  const log = (await readLog(workspace, `?resource=${id}`)).reverse().slice(1);
  expect(log.length).toBe(titles.length);
  let last: unknown = "0";
  for (const { changes } of log) {
    expect(changes.title?.[0]).toBe(last);
    last = changes.title?.[1];
  }
  const link = await workspace.call("GET", `/v1/links/${id}`);
  expect(await link.json()).toMatchObject({ data: { title: last } });
});

/** Operations that may succeed without an entry, with the reason. */
const SILENT: Record<string, string> = {
  beginPasskey: "returns a challenge and stores nothing",
  generateQr: "renders a code and stores nothing",
  resolveLink: "explains a link and counts nothing",
  bulkUpdateLinks: "skips the unknown id of its example; bulk-update.test.ts has known ones",
  bulkUpdateLinkStatus: "skips the unknown ids of its example; the test of bulk operations has known ones",
  verifyDomain: "changes a domain only once its proof is found, which has a test of its own",
};

const changing = everyOperation.filter(({ method }) => method !== "GET");

describe("every operation that changes something creates an entry", () => {
  test.each(
    changing
      .filter(({ operation }) => !(operation.operationId in SILENT))
      .map((entry) => [entry.operation.operationId, entry] as const),
  )("%s", async (id, entry) => {
    const fixture = await createFixture(entry);
    const before = await readLog(fixture.workspace);
    const response = await callOperation(entry, fixture, quietEnv, {});
    expect(response.status).toBeLessThan(300);
    const log = (await readLog(fixture.workspace)).slice(0, -before.length || undefined);
    expect(log.length).toBeGreaterThan(0);
    for (const { operation, request_id, actor } of log) {
      expect({ operation, request_id, type: actor.type }).toEqual({
        operation: id,
        request_id: response.headers.get("X-Request-Id"),
        type: isForPeople(entry) ? "person" : "key",
      });
    }
    const text = await response.text();
    const { secret, key, upload } = JSON.parse(text).data as Record<string, string | undefined> & {
      upload?: { url: string };
    };
    for (const value of [secret, key?.split(".")[1], upload?.url]) {
      if (value !== undefined) expect(JSON.stringify(log)).not.toContain(value);
    }
  });

  test("every operation listed as an exception exists", () => {
    const ids = changing.map(({ operation }) => operation.operationId);
    expect(ids).toEqual(expect.arrayContaining(Object.keys(SILENT)));
  });
});

test("a domain's entries record its claim, verification, changes and deletion", async () => {
  const workspace = await newWorkspace("enterprise");
  const call = (method: string, path: string, body?: object) =>
    workspace.call(method, `/v1/domains${path}`, { env: dnsEnv, ...(body && { body }) });
  const hostname = newHostname();
  const { data } = await (await call("POST", "", { hostname })).json<{ data: { id: string } }>();
  await call("POST", `/${data.id}/verify`);
  await setProofAnswer(hostname, answerWithText(hostname, data.id));
  await call("POST", `/${data.id}/verify`);
  const large = { applinks: { details: "x".repeat(20_000) } };
  await call("PATCH", `/${data.id}`, { is_primary: true, assetlinks: [], apple_app_site_association: large });
  const first = await workspace.call("GET", "/v1/domains");
  const others = (await first.json<{ data: { id: string; is_primary: boolean }[] }>()).data;
  await call("PATCH", `/${others.find(({ is_primary }) => !is_primary)?.id}`, { is_primary: true });
  await expectError(
    await call("DELETE", `/${others.find(({ is_primary }) => !is_primary)?.id}x`),
    404,
    "RESOURCE_NOT_FOUND",
  );
  await call("DELETE", `/${data.id}`);
  const omitted = { omitted_bytes: JSON.stringify(large).length };
  expect(await readChanges(workspace, data.id)).toEqual([
    { operation: "createDomain", changes: { hostname: [null, hostname], status: [null, "pending"] } },
    { operation: "verifyDomain", changes: { status: ["pending", "active"] } },
    {
      operation: "updateDomain",
      changes: {
        is_primary: [false, true],
        assetlinks: [null, []],
        apple_app_site_association: [null, omitted],
      },
    },
    {
      operation: "deleteDomain",
      changes: {
        hostname: [hostname, null],
        assetlinks: [[], null],
        apple_app_site_association: [omitted, null],
      },
    },
  ]);
});

test("a webhook's entries never contain its secret or identify which secret it had", async () => {
  const workspace = await newWorkspace();
  const body = { url: "https://hooks.example.com/a" };
  const created = await workspace.call("POST", "/v1/webhooks", { body, env: quietEnv });
  const { data } = await created.json<{ data: { id: string } }>();
  for (const [method, path, patch] of [
    ["POST", "/rotate-secret", {}],
    ["PATCH", "", { enabled: false }],
    ["PATCH", "", { enabled: true, description: "D" }],
    ["POST", "/test", undefined],
    ["DELETE", "", undefined],
  ] as const) {
    const response = await workspace.call(method, `/v1/webhooks/${data.id}${path}`, {
      body: patch,
      env: quietEnv,
    });
    expect(response.status, path).toBeLessThan(300);
  }
  const shown = { url: "https://hooks.example.com/…", description: "D", events: ["*"], enabled: true };
  expect((await readChanges(workspace, data.id)).slice(1)).toEqual([
    { operation: "rotateWebhookSecret", changes: { secret: ["…", "…"] } },
    { operation: "updateWebhook", changes: { enabled: [true, false] } },
    { operation: "updateWebhook", changes: { enabled: [false, true], description: ["", "D"] } },
    { operation: "testWebhook", changes: {} },
    {
      operation: "deleteWebhook",
      changes: Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, [value, null]])),
    },
  ]);
});

test("an entry of a bio page with more than 2 KiB of content contains only the content's size", async () => {
  const workspace = await newWorkspace();
  const page = await workspace.call("POST", "/v1/bio/pages", { body: { title: "A" } });
  const { data } = await page.json<{ data: { id: string; slug: string } }>();
  /** Page data whose JSON has the given size in bytes. */
  const build = (letter: string, bytes: number) => ({ own: letter.repeat(bytes - 10) });
  for (const patch of [
    { page_data: build("a", 2_048) },
    { page_data: build("b", 2_049) },
    { page_data: build("c", 2_049) },
    { page_data_patch: { own: null } },
  ]) {
    const response = await workspace.call("PATCH", `/v1/bio/pages/${data.id}`, { body: patch });
    expect(response.status).toBe(200);
  }
  for (const action of ["publish", "publish", "unpublish"]) {
    await workspace.call("POST", `/v1/bio/pages/${data.id}/${action}`);
  }
  const size = { omitted_bytes: 2_049 };
  expect((await readChanges(workspace, data.id)).map(({ changes }) => changes).slice(1)).toEqual([
    { page_data: [{}, build("a", 2_048)] },
    { page_data: [build("a", 2_048), size] },
    { page_data: [size, size] },
    { page_data: [size, {}] },
    { is_published: [false, true] },
    { is_published: [true, false] },
  ]);
});

describe("history of a link", () => {
  const history = (workspace: TestWorkspace, id: string, query = "") =>
    workspace.call("GET", `/v1/links/${id}/history${query}`);
  const revert = (workspace: TestWorkspace, id: string, entryId: string) =>
    workspace.call("POST", `/v1/links/${id}/history/${entryId}/revert`);
  const readEntries = async (workspace: TestWorkspace, id: string) =>
    (await expectData(await history(workspace, id), z.array(entryResponse))).data;

  test("restores the previous values of one change and keeps later changes of other fields", async () => {
    const workspace = await newWorkspace("enterprise");
    const { id } = await createLink(workspace, { labels: ["a"], title: "One", preview: { title: "P" } });
    const patch = async (body: object) => {
      expect((await workspace.call("PATCH", `/v1/links/${id}`, { body })).status).toBe(200);
    };
    const rules = [
      { when: { country: ["CA"] }, split: [{ destination: "https://example.ca/", percent: 50 }] },
    ];
    await patch({
      url: "https://example.org/",
      labels: [],
      routing_rules: rules,
      preview: null,
      archived: true,
    });
    await patch({ title: "Two", expires_at: "2126-01-01T00:00:00Z" });
    await patch({ routing_rules: [] });
    const [rulesEntry, , firstEntry] = await readEntries(workspace, id);
    const reverted = await revert(workspace, id, firstEntry?.id ?? "");
    expect(await reverted.json()).toMatchObject({
      data: {
        destination: URL,
        labels: ["a"],
        routing_rules: [],
        preview: { title: "P", description: null, image_url: null },
        archived: false,
        title: "Two",
        expires_at: "2126-01-01T00:00:00.000Z",
      },
    });
    const [newest] = await readEntries(workspace, id);
    expect(newest).toMatchObject({
      operation: "revertLink",
      changes: { destination: ["https://example.org/", URL], archived: [true, false] },
    });
    // A second revert changes nothing.
    expect((await revert(workspace, id, firstEntry?.id ?? "")).status).toBe(200);
    expect((await readEntries(workspace, id))[0]?.id).toBe(newest?.id);
    expect(await (await revert(workspace, id, rulesEntry?.id ?? "")).json()).toMatchObject({
      data: { routing_rules: rules },
    });
  });

  test("restores every field except the password, which the log never contains", async () => {
    const workspace = await newWorkspace("enterprise");
    const { id } = await createLink(workspace);
    for (const body of [
      { password: "secret-a", title: "T" },
      { password: "secret-b" },
      { password: null, title: null },
    ]) {
      await workspace.call("PATCH", `/v1/links/${id}`, { body });
    }
    const [removed, replaced, set] = await readEntries(workspace, id);
    await expectError(await revert(workspace, id, replaced?.id ?? ""), 409, "ENTRY_NOT_REVERTIBLE");
    const restored = await revert(workspace, id, removed?.id ?? "");
    expect(await restored.json()).toMatchObject({
      data: { title: "T", has_password: false },
      meta: { warnings: [expect.stringContaining("password was not restored")] },
    });
    await workspace.call("PATCH", `/v1/links/${id}`, { body: { password: "secret-c" } });
    const unprotected = await revert(workspace, id, set?.id ?? "");
    const { data, meta } = await unprotected.json<{ data: object; meta: object }>();
    expect(data).toMatchObject({ title: null, has_password: false });
    expect(meta).not.toHaveProperty("warnings");
  });

  test("rejects entries that are not updates, unknown entries and values that are no longer valid", async () => {
    const workspace = await newWorkspace("enterprise");
    const rules = [{ when: { country: ["CA"] }, block: true }];
    const { id } = await createLink(workspace, { routing_rules: rules });
    const other = await createLink(workspace);
    await workspace.call("PATCH", `/v1/links/${id}`, { body: { routing_rules: [] } });
    const [update, creation] = await readEntries(workspace, id);
    await expectError(await revert(workspace, id, creation?.id ?? ""), 409, "ENTRY_NOT_REVERTIBLE");
    await expectError(await revert(workspace, id, crypto.randomUUID()), 404, "RESOURCE_NOT_FOUND");
    await expectError(await revert(workspace, other.id, update?.id ?? ""), 404, "RESOURCE_NOT_FOUND");
    await workerEnv.DIRECTORY.prepare("UPDATE workspaces SET plan = 'pro' WHERE id = ?")
      .bind(workspace.id)
      .run();
    const { message } = await expectError(
      await revert(workspace, id, update?.id ?? ""),
      403,
      "FEATURE_NOT_AVAILABLE",
    );
    expect(message).toContain("routing_rules");
    await workspace.call("DELETE", `/v1/links/${id}`);
    const [deletion] = await readEntries(workspace, id);
    await expectError(await revert(workspace, id, deletion?.id ?? ""), 409, "ENTRY_NOT_REVERTIBLE");
    await expectError(await revert(workspace, id, update?.id ?? ""), 404, "RESOURCE_NOT_FOUND");
    await expectError(await history(workspace, crypto.randomUUID()), 404, "RESOURCE_NOT_FOUND");
    expect(
      (await history(workspace, id, "?limit=2&before=00000000-0000-7000-8000-000000000000")).status,
    ).toBe(200);
  });
});

test("filters by resource, actor, operation and time; the name of an actor is kept", async () => {
  const workspace = await newWorkspace();
  const other = workspace.as(await workspace.newKey());
  const link = await createLink(workspace);
  await other.call("POST", "/v1/bio/pages", { body: { title: "A" } });
  await workerEnv.DIRECTORY.prepare(
    "DELETE FROM api_keys WHERE workspace_id = ? AND id = (SELECT max(id) FROM api_keys WHERE workspace_id = ?1)",
  )
    .bind(workspace.id)
    .run();
  const [page, created] = await readLog(workspace);
  expect(page).toMatchObject({ actor: { name: "test" }, resource: { type: "bio_page" } });
  const read = async (query: string) => (await readLog(workspace, query)).map(({ id }) => id);
  expect(await read(`?actor=${page?.actor.id}`)).toEqual([page?.id]);
  expect(await read("?operation=createLink")).toEqual([created?.id]);
  expect(await read("?resource_type=bio_page")).toEqual([page?.id]);
  expect(await read(`?resource=${link.id}`)).toEqual([created?.id]);
  expect(await read(`?from=${created?.at}&to=${page?.at}`)).toEqual([created?.id]);
  expect(await read(`?from=${page?.at}`)).toEqual([page?.id]);
  expect(await read(`?before=${page?.id}`)).toEqual([created?.id]);
  expect(await read("?from=1960-01-01T00:00:00Z&to=1970-01-01T00:00:00Z")).toEqual([]);
  const stranger = await newWorkspace();
  expect(await readLog(stranger, `?resource=${link.id}`)).toEqual([]);
  for (const query of ["resource_type=nothing", "resource=x", "limit=101", "offset=1", "from=yesterday"]) {
    await expectError(await workspace.call("GET", `/v1/audit?${query}`), 400, "VALIDATION_ERROR");
  }
});

test("entries are kept for a year on the shard and in the directory; a moving workspace is not swept", async () => {
  const [workspace, moving] = [await newWorkspace(), await newWorkspace("business", 0)];
  expect(KEPT_MS).toBe(365 * DAY_MS);
  const nowMs = Date.now();
  const seed = async ({ id, shard }: TestWorkspace, d1 = shard) => {
    for (const ageMs of [KEPT_MS + 1, KEPT_MS]) {
      const time = formatUuidTime(nowMs - ageMs);
      await d1
        .prepare(
          "INSERT INTO audit_log VALUES (?1, ?2, 0, 'key', 'k', 'K', 'createLink', 'link', ?1, ?1, '{}', 0)",
        )
        .bind(id, `${time}-7000-8000-000000000000`)
        .run();
    }
  };
  await seed(workspace);
  await seed(workspace, workerEnv.DIRECTORY);
  await seed(moving);
  await moving.shard
    .prepare("INSERT INTO transits (workspace_id, epoch, state) VALUES (?, 1, 'fenced')")
    .bind(moving.id)
    .run();
  await sweep(workerEnv, nowMs);
  const list = async ({ id, shard }: TestWorkspace, d1 = shard) =>
    (await d1.prepare("SELECT id FROM audit_log WHERE workspace_id = ?").bind(id).all()).results.length;
  expect([await list(workspace), await list(workspace, workerEnv.DIRECTORY), await list(moving)]).toEqual([
    1, 1, 2,
  ]);
});

test("a filtered page examines 700 entries and returns a cursor to continue", async () => {
  const workspace = await newWorkspace();
  const prefix = `${formatUuidTime(Date.now() - DAY_MS)}-7000-8000-`;
  const seed = (d1: D1Database) =>
    d1
      .prepare(
        `WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 700)
         INSERT INTO audit_log SELECT ?1, ?2 || printf('%012x', n), 0, 'key', 'k', 'K',
                iif(n < 2, 'seldom', 'often'), 'link', ?1, ?1, '{}', 0 FROM numbers`,
      )
      .bind(workspace.id, prefix)
      .run();
  const read = async (query: string) =>
    (await readLog(workspace, `?operation=seldom${query}`)).map(({ id }) => Number(`0x${id.slice(-12)}`));
  await seed(workspace.shard);
  expect(await read("")).toEqual([1]);
  expect(await read(`&before=${prefix}${(700).toString(16).padStart(12, "0")}`)).toEqual([1, 0]);
});

test("entries stay in order if a clock is up to a minute ahead, but ignore a clock that is further ahead", async () => {
  const workspace = await newWorkspace();
  const addEntry = (atMs: number) =>
    workspace.shard
      .prepare(
        "INSERT INTO audit_log VALUES (?1, ?2, ?3, 'key', 'k', 'K', 'createLink', 'link', ?1, ?1, '{}', 0)",
      )
      .bind(workspace.id, `${formatUuidTime(atMs)}-7000-8000-000000000000`, atMs)
      .run();
  const nowMs = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: nowMs });
  onTestFinished(() => void vi.useRealTimers());
  const times = [nowMs + 59_999, nowMs + 60_000, nowMs + DAY_MS];
  for (const timeMs of times) await addEntry(timeMs);
  await createLink(workspace);
  const entries = await readLog(workspace);
  expect(entries).toHaveLength(4);
  const created = entries.find(({ actor }) => actor.name !== "K");
  expect(Date.parse(created?.at ?? "")).toBe(nowMs + 60_000);
});

test("a secret rotated again after a lost response has one entry", async () => {
  const workspace = await newWorkspace();
  const body = { url: "https://hooks.example.com/a" };
  const created = await workspace.call("POST", "/v1/webhooks", { body, env: quietEnv });
  const { data } = await created.json<{ data: { id: string } }>();
  vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  const { env, isBroken } = breakingEnv(2, "response", quietEnv, TRANSIENT_FAILURE);
  const path = `/v1/webhooks/${data.id}/rotate-secret`;
  expect((await workspace.call("POST", path, { body: {}, env })).status).toBe(200);
  expect(isBroken()).toBe(true);
  const rotations = await readLog(workspace, "?operation=rotateWebhookSecret");
  expect(rotations).toHaveLength(1);
  await workspace.call("POST", path, { body: {}, env: quietEnv });
  expect(await readLog(workspace, "?operation=rotateWebhookSecret")).toHaveLength(2);
});

test("names are stored unchanged, with any characters", async () => {
  const workspace = await newWorkspace();
  const name = `'";--\u0001\u200b\u202e🙂${"x".repeat(150)}`;
  await workerEnv.DIRECTORY.prepare("UPDATE api_keys SET name = ? WHERE workspace_id = ?")
    .bind(name, workspace.id)
    .run();
  const { id } = await createLink(workspace, { note: name });
  const [entry] = await readLog(workspace);
  expect(entry).toMatchObject({ actor: { name }, resource: { id }, changes: { note: [null, name] } });
});

test("the history of a link contains no entries of other resources", async () => {
  const workspace = await newWorkspace();
  const page = await workspace.call("POST", "/v1/bio/pages", { body: { title: "A" } });
  const { data } = await page.json<{ data: { id: string } }>();
  await expectError(await workspace.call("GET", `/v1/links/${data.id}/history`), 404, "RESOURCE_NOT_FOUND");
});

describe("a page merged from two logs", () => {
  const entry = (id: string) => ({ id }) as Entry;
  const log = (ids: string, reachedId: string | null = null) => ({
    entries: [...ids].map(entry),
    total: ids.length,
    reachedId,
  });
  test.each([
    ["all entries in order", log("ec"), log("db"), 9, "edcb", null],
    ["the newest ones", log("ec"), log("db"), 2, "ed", "d"],
    ["as many as there are", log("ec"), log("d"), 3, "edc", null],
    ["those before which both logs were examined", log("e", "c"), log("db"), 9, "ed", "c"],
    ["up to the last examined one", log("ec", "c"), log("d", "b"), 9, "edc", "c"],
    ["none, if none of the examined ones match", log("", "c"), log("b"), 9, "", "c"],
  ])("has %s", (_, one, other, limit, ids, nextBefore) => {
    const page = buildPage([one, other], { limit, before: undefined });
    expect(page.entries.map(({ id }) => id).join("")).toBe(ids);
    expect(page.nextBefore).toBe(nextBefore);
    expect(page.total).toBe(one.total + other.total);
    expect(page.isTotalCapped).toBe(one.reachedId !== null || other.reachedId !== null);
    expect(buildPage([one, other], { limit, before: "z" }).isTotalCapped).toBe(true);
  });
});
