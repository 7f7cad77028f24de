import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { buildDeletion } from "../../src/cli/deletion-statements.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/core/time.ts";
import { sweep } from "../../src/cron.ts";
import { openDatabase } from "../../src/db/database.ts";
import { eraseDeletedWorkspaces } from "../../src/erasure.ts";
import { forgetAll } from "../../src/resolving/resolve.ts";
import { sweepHeldNames } from "../../src/tenant/held-names.ts";
import { sweepTrash } from "../../src/trash/trash.ts";
import { KEPT_MS } from "../../src/trash/trash-limits.ts";
import { createPublishedAsset, fetchFile, presignAsset, uploadFile } from "../support/assets.ts";
import { useEmptyDatabases } from "../support/databases.ts";
import {
  answerWithText,
  countProofQueries,
  createActiveDomain,
  createDomain,
  dnsEnv,
  newHostname,
  readDomain,
  setProofAnswer,
  sweepClaimsAt,
} from "../support/domains.ts";
import {
  createLink,
  expectData,
  expectError,
  newWorkspace,
  onEachShard,
  send,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import { moveWorkspace } from "../support/moves.ts";
import { blockInDirectory, moveElsewhere, setBanned, setBlocked, setSuspended } from "../support/safety.ts";
import { provision, USER } from "../support/scim.ts";

/** Bans of links, suspended workspaces, blocked destinations, and hosts that are kept for their last workspace. */

// A sweep erases a limited number of items, and other files leave many.
useEmptyDatabases();

const CONTACT = "mailto:abuse@signpost.example";
const withContact: Env = Object.assign({ ...workerEnv }, { ABUSE_CONTACT: CONTACT.slice(7) });
const AS_JSON = { headers: { Accept: "application/json" } };

beforeEach(forgetAll);
afterEach(() => void vi.restoreAllMocks());

/** Visits a path from a place without caches. Returns the status and where it redirects. */
async function visit(workspace: TestWorkspace, path: string, ...codes: string[]) {
  await moveElsewhere(workspace, path.slice(1).toLowerCase(), ...codes);
  const response = await workspace.visit(path);
  return [response.status, response.headers.get("Location")];
}

const FREE = [302, "https://example.com/"];
const STOPPED = [451, null];

/** Visits a page of the bio host. */
const visitPage = (path: string) =>
  send(new Request(`http://bio.localhost:8787/${path}`, { redirect: "manual" }));

let pageCount = 0;
/** Creates a published bio page with links, and returns its id and slug. */
async function publishPage({ call }: TestWorkspace, page_data: object) {
  pageCount += 1;
  const slug = `safety-${pageCount}-${crypto.randomUUID().slice(0, 8)}`;
  const created = await call("POST", "/v1/bio/pages", { body: { title: "Page", slug, page_data } });
  const { id } = (await expectData(created, z.looseObject({ id: z.string() }), 201)).data;
  expect((await call("POST", `/v1/bio/pages/${id}/publish`)).status).toBe(200);
  return { id, slug };
}

describe("a banned link", () => {
  test("responds with 451 on all its paths, also as a page that says how to report it", async () => {
    const workspace = await newWorkspace();
    const { id } = await createLink(workspace, { custom_slug: "one", aliases: ["Two/2"] });
    expect(await visit(workspace, "/one")).toEqual(FREE);
    await setBanned(workspace, id, true);
    expect(await visit(workspace, "/one")).toEqual(STOPPED);
    expect(await visit(workspace, "/Two/2")).toEqual(STOPPED);
    const url = `http://${workspace.hostname}:8787/one?token=1`;
    const response = await send(new Request(url, { headers: { Accept: "text/html" } }), withContact);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "cache-control": "private, no-store",
      "x-robots-tag": "noindex",
    });
    const page = await response.text();
    expect(page).toContain("This link has been blocked");
    const subject = encodeURIComponent(`Report: ${workspace.hostname}:8787/one`);
    expect(page).toContain(`<a href="${CONTACT}?subject=${subject}"`);
    expect(page).not.toContain("example.com/");
    expect(await (await workspace.visit("/one", AS_JSON)).json()).toMatchObject({
      error: { code: "LINK_BANNED" },
    });
    await setBanned(workspace, id, false);
    expect(await visit(workspace, "/one")).toEqual(FREE);
  });

  test.each([
    [
      "expired with a URL for that case",
      { expires_at: "2020-01-01T00:00:00Z", expired_url: "https://example.com/over" },
    ],
    [
      "not started, with a URL before",
      { starts_at: "2099-01-01T00:00:00Z", early_url: "https://example.com/" },
    ],
    ["with a password", { password: "correct horse" }],
    ["with a scan limit", { max_scans: 1 }],
  ])("responds with 451 if it is %s", async (_, fields) => {
    const workspace = await newWorkspace();
    const { id } = await createLink(workspace, { custom_slug: "one", ...fields });
    await setBanned(workspace, id, true);
    expect(await visit(workspace, "/one")).toEqual(STOPPED);
  });

  test("in the trash stays there until it is restored, and is still banned then", async () => {
    const workspace = await newWorkspace();
    const { id } = await createLink(workspace, { custom_slug: "one" });
    const path = `/v1/links/${id}`;
    await workspace.call("DELETE", path);
    await setBanned(workspace, id, true);
    await expectError(await workspace.call("DELETE", `${path}?permanent=true`), 403, "LINK_BANNED");
    const db = openDatabase(workspace.shard);
    await sweepTrash(db, Date.now() + 2 * KEPT_MS);
    expect((await workspace.call("POST", `${path}/restore`)).status).toBe(200);
    expect(await visit(workspace, "/one")).toEqual(STOPPED);
    await setBanned(workspace, id, false);
    expect(await visit(workspace, "/one")).toEqual(FREE);
    await workspace.call("DELETE", path);
    await sweepTrash(db, Date.now() + 2 * KEPT_MS);
    expect((await workspace.call("POST", `${path}/restore`)).status).toBe(404);
  });

  test("can be read but not changed, and its paths stay taken", async () => {
    const workspace = await newWorkspace();
    const { call } = workspace;
    const link = await createLink(workspace, {
      custom_slug: "one",
      aliases: ["two"],
      external_id: "order-1",
    });
    const other = await createLink(workspace, { custom_slug: "other" });
    await call("PATCH", `/v1/links/${link.id}`, { body: { title: "New" } });
    await setBanned(workspace, link.id, true);
    const read = async () => (await (await call("GET", `/v1/links/${link.id}`)).json()) as { data: object };
    const before = await read();
    expect(before.data).toMatchObject({ banned_at: expect.stringMatching(/Z$/), enabled: true });

    const history = (await (await call("GET", `/v1/links/${link.id}/history`)).json()) as {
      data: { id: string; operation: string; actor: object; changes: object }[];
    };
    const [ban, update] = history.data;
    expect(ban).toMatchObject({
      operation: "link ban",
      actor: { type: "admin" },
      changes: { banned_at: [null, expect.any(String)] },
    });

    const path = `/v1/links/${link.id}`;
    for (const [method, suffix, body] of [
      ["PATCH", "", { enabled: false }],
      ["PATCH", "", { url: "https://example.org/" }],
      ["PATCH", "", { custom_slug: "three" }],
      ["PATCH", "", { aliases: [] }],
      ["DELETE", "", undefined],
      ["POST", `/history/${update?.id}/revert`, undefined],
    ] as const) {
      const response = await call(method, path + suffix, body && { body });
      await expectError(response, 403, "LINK_BANNED");
    }
    const upsert = call("PUT", "/v1/links/external/order-1", { body: { url: "https://example.org/" } });
    await expectError(await upsert, 403, "LINK_BANNED");
    const bulk = { ids: [link.id, other.id], enabled: false };
    await expectError(await call("PATCH", "/v1/links/bulk/status", { body: bulk }), 403, "LINK_BANNED");
    const lift = await call("POST", `${path}/history/${ban?.id}/revert`);
    const { message } = await expectError(lift, 409, "ENTRY_NOT_REVERTIBLE");
    expect(message).toBe("Only the administrator of this service can ban a link or lift a ban.");
    await expectError(await call("PATCH", path, { body: { banned_at: null } }), 400, "VALIDATION_ERROR");
    const again = (body: object) =>
      call("POST", "/v1/links", { body: { url: "https://example.com/", ...body } });
    await expectError(await again({ custom_slug: "ONE" }), 409, "SLUG_TAKEN");
    await expectError(await again({ aliases: ["two"] }), 409, "ALIAS_TAKEN");
    await expectError(await again({ banned_at: null }), 400, "VALIDATION_ERROR");
    await expectError(
      await call("PATCH", `/v1/links/${other.id}`, { body: { aliases: ["one"] } }),
      409,
      "ALIAS_TAKEN",
    );
    expect(await read()).toMatchObject({ data: before.data });
    expect((await (await call("GET", "/v1/links/export")).text()).includes(link.id)).toBe(true);
    const resolved = await call("POST", `${path}/resolve`);
    expect(await resolved.json()).toMatchObject({
      data: { status: 451, outcome: "banned", destination: null },
    });
    // Counts of scans and QR codes go on.
    expect((await call("GET", `${path}/qr`)).status).toBe(200);
    await workspace.shard.prepare("UPDATE links SET scan_count = 5 WHERE id = ?").bind(link.id).run();

    await setBanned(workspace, link.id, false);
    await expectData(
      await call("PATCH", path, { body: { title: "Free" } }),
      z.looseObject({ banned_at: z.null() }),
    );
    await expectData(await call("DELETE", path), z.looseObject({ deleted: z.literal(true) }));
  });

  test("stays banned when its workspace moves, and is erased with its workspace", async () => {
    const workspace = await newWorkspace();
    const { id } = await createLink(workspace, { custom_slug: "one" });
    await setBanned(workspace, id, true);
    const moved = await moveWorkspace(workspace);
    expect(await visit(moved, "/one")).toEqual(STOPPED);
    await expectError(await moved.call("DELETE", `/v1/links/${id}`), 403, "LINK_BANNED");
    const other = await newWorkspace("business", moved.shardNumber);
    const kept = await createLink(other, { custom_slug: "one" });
    await setBanned(other, kept.id, true);
    await workerEnv.DIRECTORY.batch(
      buildDeletion(workspace.id, workspace.slug, Date.now()).map((statement) =>
        workerEnv.DIRECTORY.prepare(statement),
      ),
    );
    const nowMs = Date.now();
    for (let step = 0; step < 3; step++) await eraseDeletedWorkspaces(workerEnv, nowMs + HOUR_MS);
    expect(await onEachShard("SELECT id FROM links WHERE id = ?", id)).toEqual([]);
    expect(await visit(other, "/one")).toEqual(STOPPED);
  });

  test("is refused alone in a bulk change, and the other links are changed", async () => {
    const workspace = await newWorkspace();
    const [banned, other] = [await createLink(workspace), await createLink(workspace)];
    await setBanned(workspace, banned.id, true);
    const response = await workspace.call("PATCH", "/v1/links/bulk", {
      body: { links: [banned, other].map(({ id }) => ({ id, title: "New" })) },
    });
    expect(await response.json()).toMatchObject({
      data: { updated: [{ id: other.id, title: "New" }], errors: [{ index: 0, error: "link_banned" }] },
    });
  });
});

describe("a suspended workspace", () => {
  test("responds with 451 for links, unknown paths and its host's fallbacks", async () => {
    const workspace = await newWorkspace();
    await createLink(workspace, { custom_slug: "one" });
    const { data } = (await (await workspace.call("GET", "/v1/domains")).json()) as {
      data: { id: string }[];
    };
    const urls = { root_url: "https://example.com/root", not_found_url: "https://example.com/none" };
    await workspace.call("PATCH", `/v1/domains/${data[0]?.id}`, { body: urls });
    expect(await visit(workspace, "/")).toEqual([302, urls.root_url]);
    await setSuspended(workspace, true);
    for (const path of ["/one", "/unknown", "/", "/%00"])
      expect(await visit(workspace, path)).toEqual(STOPPED);
    await setSuspended(workspace, false);
    expect(await visit(workspace, "/one")).toEqual(FREE);
    expect(await visit(workspace, "/")).toEqual([302, urls.root_url]);
  });

  test("can be changed by its identity provider only to remove people", async () => {
    const { workspace, scim, patch } = await provision();
    const create = (userName: string) => scim("POST", "/Users", { schemas: [USER], userName });
    const [{ body: first }, { body: second }] = [await create("a@acme.test"), await create("b@acme.test")];
    await setSuspended(workspace, true);
    expect((await create("c@acme.test")).status).toBe(403);
    const setActive = (value: boolean) =>
      patch(`/Users/${first.id}`, { op: "replace", path: "active", value });
    expect((await scim("GET", `/Users/${first.id}`)).status).toBe(200);
    expect((await setActive(false)).status).toBe(200);
    expect((await setActive(true)).status).toBe(403);
    expect((await scim("DELETE", `/Users/${second.id}`)).status).toBe(204);
    await setSuspended(workspace, false);
    expect((await setActive(true)).status).toBe(200);
  });

  test("responds with 451 for bio pages, their clicks and files", async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    const { slug } = await publishPage(workspace, { links: [{ label: "A", url: "https://example.com/" }] });
    const file = await createPublishedAsset(workspace);
    const otherFile = await createPublishedAsset(other);
    const old = await createPublishedAsset(workspace);
    const key = decodeURIComponent(new URL(old.url).pathname.slice(1));
    const stored = await workerEnv.PUBLIC_FILES.get(key);
    await workerEnv.PUBLIC_FILES.put(key, await (stored as R2ObjectBody).arrayBuffer());
    const statuses = async () => {
      await moveElsewhere(workspace);
      const pages = [await visitPage(slug), await visitPage(`${slug}/l/0`)];
      const files = [await fetchFile(file.url), await fetchFile(old.url), await fetchFile(otherFile.url)];
      return [...pages, ...files].map(({ status }) => status);
    };
    expect(await statuses()).toEqual([200, 302, 200, 200, 200]);
    await setSuspended(workspace, true);
    expect(await statuses()).toEqual([451, 451, 451, 451, 200]);
    const stopped = await fetchFile(file.url);
    expect(stopped.headers.get("Cache-Control")).toBe("no-store");
    expect((await fetchFile(`${file.url}x`)).status).toBe(404);
    await setSuspended(workspace, false);
    expect(await statuses()).toEqual([200, 302, 200, 200, 200]);
  });

  test("can be read and exported, but not changed, and its keys can be revoked", async () => {
    const workspace = await newWorkspace();
    const { call } = workspace;
    const { id } = await createLink(workspace, { custom_slug: "one" });
    const asset = await presignAsset(workspace);
    await setSuspended(workspace, true);
    const { data } = (await (await call("GET", "/v1/workspace")).json()) as { data: object };
    expect(data).toMatchObject({ suspended_at: expect.stringMatching(/Z$/) });
    for (const [method, path, body] of [
      ["POST", "/v1/links", { url: "https://example.com/" }],
      ["PATCH", `/v1/links/${id}`, { enabled: true }],
      ["DELETE", `/v1/links/${id}`, undefined],
      ["POST", "/v1/bio/pages", { title: "Page" }],
      ["POST", "/v1/webhooks", { url: "https://example.com/", events: ["link.created"] }],
    ] as const) {
      await expectError(await call(method, path, body && { body }), 403, "WORKSPACE_SUSPENDED");
    }
    await expectError(await uploadFile(asset.upload), 403, "WORKSPACE_SUSPENDED");
    for (const path of [
      "/v1/links",
      `/v1/links/${id}`,
      "/v1/links/export",
      `/v1/links/${id}/qr`,
      "/v1/audit",
    ]) {
      expect((await call("GET", path)).status, path).toBe(200);
    }
    const resolved = await call("POST", `/v1/links/${id}/resolve`);
    expect(await resolved.json()).toMatchObject({ data: { outcome: "banned" } });
    const log = (await (await call("GET", "/v1/audit")).json()) as { data: { operation: string }[] };
    expect(log.data[0]).toMatchObject({
      operation: "workspace suspend",
      changes: { suspended_at: [null, expect.any(String)] },
    });
    await setSuspended(workspace, false);
    expect((await call("PATCH", `/v1/links/${id}`, { body: { enabled: true } })).status).toBe(200);
  });
});

describe("a blocked destination", () => {
  const FORMS = [
    "https://blocked.test/",
    "HTTPS://BLOCKED.TEST/x?y#z",
    "https://blocked.test:8443/",
    "https://blocked.test./",
    "https://blocked.test:8787/",
    "https://a.b.blocked.test",
    "https://b%6cocked.test/",
    "https://ｂlocked.test/",
    "https:///blocked.test/",
    "https:////blocked.test/",
    "https://\\blocked.test/",
    "https://bücher.test/",
    "https://www.xn--bcher-kva.test/",
    "http://3325256711/",
    "http://0xc6336407/",
    "http://198.51.100.7:80/",
    "http://[2001:DB8:0::7]/",
  ];
  const OTHERS = [
    "https://notblocked.test/",
    "https://blocked.test.example/",
    "https://test/",
    "https://example.com/https://blocked.test/?url=https://blocked.test/",
    "http://198.51.100.70/",
    "http://[2001:db8::70]/",
  ];
  const block = async (isBlocked: boolean) => {
    for (const name of ["blocked.test", "xn--bcher-kva.test", "198.51.100.7", "[2001:db8::7]"]) {
      await setBlocked(name, isBlocked);
    }
  };

  test("is refused in every spelling when a link is created, and other hosts are not", async () => {
    const { call } = await newWorkspace();
    await block(true);
    const create = (url: string) => call("POST", "/v1/links", { body: { url } });
    for (const url of FORMS) {
      const error = await expectError(await create(url), 400, "VALIDATION_ERROR");
      expect(error.message, url).toMatch(/^url: must not be on \S+, which is blocked$/);
    }
    for (const url of OTHERS) expect((await create(url)).status, url).toBe(201);
    await block(false);
    for (const url of FORMS) expect((await create(url)).status, url).toBe(201);
  });

  const BLOCKED = "https://www.blocked-field.test/";
  const FIELDS: [string, object][] = [
    ["url", { url: BLOCKED }],
    ["early_url", { early_url: BLOCKED }],
    ["expired_url", { expired_url: BLOCKED }],
    [
      "routing_rules[0].destination",
      { routing_rules: [{ when: { country: ["CA"] }, destination: BLOCKED }] },
    ],
    [
      "routing_rules[0].split[0].destination",
      { routing_rules: [{ when: {}, split: [{ destination: BLOCKED, percent: 5 }] }] },
    ],
  ];

  test("keeps links and bio pages that lead there in the trash", async () => {
    const workspace = await newWorkspace("business");
    const { call } = workspace;
    const link = await createLink(workspace, { url: "https://blocked-trash.test/" });
    const made = await call("POST", "/v1/bio/pages", {
      body: { title: "Page", page_data: { links: [{ label: "A", url: "https://blocked-trash.test/" }] } },
    });
    const { data: page } = await made.json<{ data: { id: string } }>();
    const paths = [`/v1/links/${link.id}`, `/v1/bio/pages/${page.id}`];
    for (const path of paths) expect((await call("DELETE", path)).status).toBe(200);
    await setBlocked("blocked-trash.test", true);
    for (const path of paths) {
      const error = await expectError(await call("POST", `${path}/restore`), 400, "VALIDATION_ERROR");
      expect(error.message).toContain("blocked-trash.test, which is blocked");
    }
    await setBlocked("blocked-trash.test", false);
    for (const path of paths) expect((await call("POST", `${path}/restore`)).status).toBe(200);
  });

  test("is refused in every field of creations, bulk creations and changes", async () => {
    const workspace = await newWorkspace();
    const { call } = workspace;
    const { id } = await createLink(workspace);
    await setBlocked("blocked-field.test", true);
    for (const [field, body] of FIELDS) {
      const details = [{ field, message: "must not be on blocked-field.test, which is blocked" }];
      const link = { url: "https://example.com/", ...body };
      for (const response of [
        await call("POST", "/v1/links", { body: link }),
        await call("PATCH", `/v1/links/${id}`, { body }),
      ]) {
        expect((await expectError(response, 400, "VALIDATION_ERROR")).details).toEqual(details);
      }
      const bulk = await call("POST", "/v1/links/bulk", {
        body: { links: [link, { url: "https://example.com/" }] },
      });
      expect(await bulk.json()).toMatchObject({
        data: { created: [{}], errors: [{ index: 0, error: "validation_error" }] },
      });
    }
    await setBlocked("blocked-field.test", false);
    for (const [, body] of FIELDS) {
      expect((await call("PATCH", `/v1/links/${id}`, { body })).status).toBe(200);
    }
  });

  test.each([
    ["the destination", { url: "https://blocked-visit.test/" }],
    [
      "the URL before the start",
      { starts_at: "2099-01-01T00:00:00Z", early_url: "https://blocked-visit.test/" },
    ],
    [
      "the URL after expiry",
      { expires_at: "2020-01-01T00:00:00Z", expired_url: "https://x.blocked-visit.test/" },
    ],
    [
      "a rule",
      { routing_rules: [{ when: { query: { a: ["1"] } }, destination: "https://blocked-visit.test:1/" }] },
    ],
    [
      "a split",
      {
        routing_rules: [{ when: {}, split: [{ destination: "https://blocked-visit.test/", percent: 100 }] }],
      },
    ],
    ["the destination behind a password", { url: "https://blocked-visit.test/", password: "correct horse" }],
    ["the destination of a preview", { url: "https://blocked-visit.test/", preview: { title: "T" } }],
  ])("stops visits to links that have it as %s", async (_, fields) => {
    const workspace = await newWorkspace();
    const { id } = await createLink(workspace, { custom_slug: "one", ...fields });
    await setBlocked("blocked-visit.test", true);
    await moveElsewhere(workspace, "one");
    const headers = { "User-Agent": "facebookexternalhit/1.1" };
    expect((await workspace.visit("/one?a=1", { headers })).status).toBe(451);
    // The change is written to the caches here, still blocked.
    expect((await workspace.call("PATCH", `/v1/links/${id}`, { body: { title: "T" } })).status).toBe(200);
    expect((await workspace.visit("/one?a=1")).status).toBe(451);
    const resolved = await workspace.call("POST", `/v1/links/${id}/resolve`, { body: { query: { a: "1" } } });
    expect(await resolved.json()).toMatchObject({ data: { outcome: "banned", destination: null } });
    await setBlocked("blocked-visit.test", false);
    await moveElsewhere(workspace, "one");
    expect((await workspace.visit("/one?a=1")).status).not.toBe(451);
  });

  test("does not stop visitors of the link's other destinations", async () => {
    const workspace = await newWorkspace();
    const routing_rules = [{ when: { query: { a: ["1"] } }, destination: "https://blocked-rule.test/" }];
    await createLink(workspace, { custom_slug: "one", routing_rules });
    await setBlocked("blocked-rule.test", true);
    expect(await visit(workspace, "/one")).toEqual(FREE);
  });

  test("is refused and ignored as a fallback of a domain", async () => {
    const workspace = await newWorkspace();
    const { call } = workspace;
    const { data } = (await (await call("GET", "/v1/domains")).json()) as { data: { id: string }[] };
    const path = `/v1/domains/${data[0]?.id}`;
    const body = { root_url: "https://blocked-root.test/" };
    expect((await call("PATCH", path, { body })).status).toBe(200);
    await setBlocked("blocked-root.test", true);
    expect(await visit(workspace, "/")).toEqual([404, null]);
    const error = await expectError(await call("PATCH", path, { body }), 400, "VALIDATION_ERROR");
    expect(error.details).toEqual([
      { field: "root_url", message: "must not be on blocked-root.test, which is blocked" },
    ]);
    const added = { hostname: "blocked-new.test", not_found_url: body.root_url };
    await expectError(await call("POST", "/v1/domains", { body: added }), 400, "VALIDATION_ERROR");
    await setBlocked("blocked-root.test", false);
    expect(await visit(workspace, "/")).toEqual([302, "https://blocked-root.test/"]);
  });

  test.each([false, true])(
    "is refused and hidden on bio pages, also of older versions (%j)",
    async (isOld) => {
      const workspace = await newWorkspace();
      const { call } = workspace;
      const url = "https://x.blocked-bio.test/";
      const page_data = {
        links: [
          { label: "Bad", url },
          { label: "Good", url: "https://example.com/" },
          { label: "Mail", url: "mailto:a@blocked-bio.test" },
        ],
        socials: [{ network: "github", url }],
      };
      const { id, slug } = await publishPage(workspace, page_data);
      if (isOld)
        await workspace.shard.prepare("UPDATE bio_pages SET link_hosts = NULL WHERE id = ?").bind(id).run();
      await setBlocked("blocked-bio.test", true);
      const html = await (await visitPage(slug)).text();
      expect(html).not.toContain("Bad");
      expect(html).not.toContain(url);
      expect(html).toContain("Mail");
      expect([(await visitPage(`${slug}/l/0`)).status, (await visitPage(`${slug}/l/1`)).status]).toEqual([
        451, 302,
      ]);
      const create = () =>
        call("POST", "/v1/bio/pages", { body: { title: "Page", slug: `${slug}-2`, page_data } });
      const refused = await expectError(await create(), 400, "VALIDATION_ERROR");
      expect(refused.details?.map(({ field }) => field)).toEqual([
        "page_data.links[0].url",
        "page_data.socials[0].url",
      ]);
      const patch = { page_data_patch: { socials: [{ network: "github", url }] } };
      const patched = await expectError(
        await call("PATCH", `/v1/bio/pages/${id}`, { body: patch }),
        400,
        "VALIDATION_ERROR",
      );
      expect(patched.details?.map(({ field }) => field)).toContain("page_data_patch.socials[0].url");
      expect((await call("PATCH", `/v1/bio/pages/${id}`, { body: { title: "New" } })).status).toBe(200);
      await setBlocked("blocked-bio.test", false);
      expect(await (await visitPage(slug)).text()).toContain("Bad");
      expect((await visitPage(`${slug}/l/0`)).status).toBe(302);
      // The refused creation left its slug free.
      expect((await create()).status).toBe(201);
    },
  );

  test("is copied to the shards by the cron if the command was interrupted", async () => {
    const read = () =>
      onEachShard("SELECT is_blocked FROM blocked_hosts WHERE hostname = 'blocked-late.test'");
    await blockInDirectory("blocked-late.test", true);
    // A later command doesn't hide the interrupted one.
    await setBlocked("blocked-later.test", true);
    expect(await read()).toEqual([]);
    await sweep(workerEnv, Date.now());
    expect(await read()).toEqual([{ is_blocked: 1 }, { is_blocked: 1 }]);
    await blockInDirectory("blocked-late.test", false);
    await sweep(workerEnv, Date.now());
    expect(await read()).toEqual([{ is_blocked: 0 }, { is_blocked: 0 }]);
  });
});

test.each([
  "localhost:8787",
  "app.localhost:8787",
  "bio.localhost:8787",
  "cdn.localhost:8787",
  "acme.localhost:8787",
  "unknown.test",
])(
  "security.txt of %s has the contact and an expiry date (RFC 9116), and is 404 without a contact",
  async (host) => {
    const request = () => new Request(`http://${host}/.well-known/security.txt`);
    const response = await send(request(), withContact);
    expect([response.status, response.headers.get("Content-Type")]).toEqual([
      200,
      "text/plain; charset=utf-8",
    ]);
    const text = await response.text();
    expect(text).toContain(`Contact: ${CONTACT}\n`);
    const days = (Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? "") - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(178);
    expect(days).toBeLessThan(365);
    const none = await send(request());
    expect([none.status, none.headers.get("Content-Type")]).toEqual([404, "text/plain; charset=utf-8"]);
  },
);

describe("a host that another workspace had", () => {
  async function removeHost(workspace: TestWorkspace, { id }: { id: string }): Promise<void> {
    expect((await workspace.call("DELETE", `/v1/domains/${id}`)).status).toBe(200);
  }

  test("stays with that workspace for a year", async () => {
    const [ours, theirs] = [await newWorkspace(), await newWorkspace()];
    const hostname = `y${crypto.randomUUID().slice(-8)}.localhost`;
    const claim = () => ours.call("POST", "/v1/domains", { body: { hostname } });
    await removeHost(theirs, await createDomain(theirs, hostname));
    const error = await expectError(await claim(), 409, "DOMAIN_TAKEN");
    expect(error.message).toContain(`${hostname} was used by another workspace`);
    await removeHost(theirs, await createDomain(theirs, hostname));
    const directory = openDatabase(workerEnv.DIRECTORY);
    const held = workerEnv.DIRECTORY.prepare("SELECT held_until FROM held_names WHERE name = ?").bind(
      hostname,
    );
    const heldUntil = (await held.first<number>("held_until")) ?? 0;
    expect(Math.abs(heldUntil - Date.now() - 365 * DAY_MS)).toBeLessThan(MINUTE_MS);
    await sweepHeldNames(directory, heldUntil - 1);
    await expectError(await claim(), 409, "DOMAIN_TAKEN");
    await sweepHeldNames(directory, heldUntil);
    expect((await claim()).status).toBe(201);
  });

  test("is given to a workspace that proves an earlier claim of the host only after it was released", async () => {
    const [ours, theirs] = [await newWorkspace(), await newWorkspace()];
    const hostname = newHostname();
    const claim = await createDomain(ours, hostname);
    await removeHost(theirs, await createActiveDomain(theirs, {}, hostname));
    await setProofAnswer(hostname, answerWithText(hostname, claim.id));
    const verifying = await ours.call("POST", `/v1/domains/${claim.id}/verify`, { env: dnsEnv });
    await expectError(verifying, 409, "DOMAIN_TAKEN");
    await expectError(
      await (await newWorkspace()).call("POST", "/v1/domains", { body: { hostname } }),
      409,
      "DOMAIN_TAKEN",
    );
    const asked = await countProofQueries(hostname);
    const sweepClaim = async () => {
      // A run looks up the most overdue claims only.
      await workerEnv.DIRECTORY.prepare("UPDATE domain_claims SET check_at = 0 WHERE id = ?")
        .bind(claim.id)
        .run();
      await sweepClaimsAt(Date.now());
      return [(await readDomain(ours, claim.id)).status, (await countProofQueries(hostname)) - asked];
    };
    expect(await sweepClaim()).toEqual(["pending", 0]);
    await workerEnv.DIRECTORY.prepare("DELETE FROM held_names WHERE name = ?").bind(hostname).run();
    expect(await sweepClaim()).toEqual(["active", 1]);
  });

  test("is refused as reserved if the administrator reserved it, and given out if they allowed it", async () => {
    const workspace = await newWorkspace();
    const label = `r${crypto.randomUUID().slice(-8)}`;
    const rule = workerEnv.DIRECTORY.prepare("INSERT INTO held_names (name, rule) VALUES (?, ?)");
    await rule.bind(`${label}.localhost`, "reserved").run();
    const claim = (hostname: string) => workspace.call("POST", "/v1/domains", { body: { hostname } });
    const refused = await expectError(await claim(`${label}.localhost`), 400, "VALIDATION_ERROR");
    expect(refused.message).toContain("is reserved");
    await expectError(await claim("mta-sts.localhost"), 400, "VALIDATION_ERROR");
    await rule.bind("mta-sts.localhost", "allowed").run();
    expect((await claim("mta-sts.localhost")).status).toBe(201);
  });
});
