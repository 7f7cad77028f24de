import { expect, test, vi } from "vitest";
import * as z from "zod";
import { pageResponse } from "../../src/bio/bio.schema.ts";
import { deletedResponse } from "../../src/http/fields.ts";
import { type LinkResponse, linkResponse } from "../../src/links/link-response.ts";
import { bulkCreateResponse } from "../../src/links/links.schema.ts";
import { CODE_ALPHABET } from "../../src/routing/short-code.ts";
import { createPublishedAsset } from "../support/assets.ts";
import {
  addDomain,
  countingEnv,
  createLink,
  expectData,
  expectError,
  newWorkspace,
  send,
  type TestWorkspace,
  wrapShards,
} from "../support/harness.ts";
import { seedLinks } from "../support/seed-links.ts";

const LINKS = "/v1/links";
const DESTINATION = "https://example.com/page";

async function listLinks(workspace: TestWorkspace, query = "") {
  return expectData(await workspace.call("GET", `${LINKS}${query}`), z.array(linkResponse));
}

test("POST /v1/links with only a URL generates a code without look-alikes and sets the documented defaults", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace, { url: DESTINATION });
  expect(link).toMatchObject({
    short_url: `http://${workspace.hostname}:8787/${link.short_code}`,
    destination: DESTINATION,
    enabled: true,
    labels: [],
    routing_rules: [],
    scan_count: 0,
    last_scan_at: null,
    expires_at: null,
    updated_at: link.created_at,
  });
  expect(link.short_code).toHaveLength(7);
  for (const character of link.short_code) expect(CODE_ALPHABET).toContain(character);
});

test("POST /v1/links keeps the slug's case, removes duplicate labels, and normalises rules and expiry", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace, {
    custom_slug: "Summer-Sale",
    labels: [" a ", "b", "a"],
    expires_at: "2027-01-01T01:00:00+01:00",
    routing_rules: [
      { name: "north", when: { country: ["ca", "US"] }, destination: "https://example.com/north" },
    ],
  });
  expect(link).toMatchObject({
    short_code: "Summer-Sale",
    labels: ["a", "b"],
    expires_at: "2027-01-01T00:00:00.000Z",
    routing_rules: [
      { name: "north", when: { country: ["CA", "US"] }, destination: "https://example.com/north" },
    ],
  });
  const { data } = await expectData(await workspace.call("GET", `${LINKS}/${link.id}`), linkResponse);
  expect(data).toEqual(link);
});

test.each([
  ["creating a link", "POST", () => LINKS, { url: DESTINATION }],
  [
    "creating a hundred links",
    "POST",
    () => `${LINKS}/bulk`,
    { links: Array(100).fill({ url: DESTINATION }) },
  ],
  ["reading a link", "GET", (id: string) => `${LINKS}/${id}`, undefined],
  ["listing links", "GET", () => LINKS, undefined],
  ["listing links by label", "GET", () => `${LINKS}?label=print`, undefined],
])("%s takes two round trips to D1 and one call to the limiter", async (_, method, buildPath, body) => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace, { labels: ["print"] });
  const { env, counts } = countingEnv();
  const response = await workspace.call(method, buildPath(id), { body, env });
  expect(response.ok).toBe(true);
  expect(counts).toMatchObject({ d1: 2, durableObject: 1 });
});

test("POST /v1/links returns 409 for a slug of the same workspace in any case, not of another workspace", async () => {
  const workspace = await newWorkspace();
  await createLink(workspace, { custom_slug: "Spring" });
  const error = await expectError(
    await workspace.call("POST", LINKS, { body: { url: DESTINATION, custom_slug: "sPRING" } }),
    409,
    "SLUG_TAKEN",
  );
  expect(error.message).toContain("custom_slug");
  await createLink(await newWorkspace(), { custom_slug: "spring" });
});

test("a generated code that is taken is replaced up to four times, and then the request fails", async () => {
  const workspace = await newWorkspace();
  vi.spyOn(console, "error").mockReturnValue();
  let inserts = 0;
  const env = wrapShards(
    (d1) =>
      new Proxy(d1, {
        get(target, name) {
          const member = Reflect.get(target, name);
          if (name !== "batch") return typeof member === "function" ? member.bind(target) : member;
          return () => {
            inserts += 1;
            throw new Error("D1_ERROR: UNIQUE constraint failed: links.workspace_id, links.code_key");
          };
        },
      }),
  );
  const response = await workspace.call("POST", LINKS, { body: { url: DESTINATION }, env });
  expect([response.status, inserts]).toEqual([500, 5]);
});

test("only one of several parallel POST /v1/links with one slug succeeds, and only it counts against the plan", async () => {
  const workspace = await newWorkspace();
  const body = { url: DESTINATION, custom_slug: "contested" };
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => workspace.call("POST", LINKS, { body })),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  const { data } = await expectData(await workspace.call("GET", "/v1/workspace/usage"), z.any());
  expect(data.usage).toMatchObject({ links_created_this_month: 1, total_links: 1 });
});

test("parallel POST /v1/links cannot exceed the plan's monthly cap, and a deletion does not restore it", async () => {
  const workspace = await newWorkspace();
  await workspace.shard
    .prepare("INSERT INTO usage_counters VALUES (?, 'links', ?, 24997, 25000)")
    .bind(workspace.id, new Date().toISOString().slice(0, 7))
    .run();
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => workspace.call("POST", LINKS, { body: { url: DESTINATION } })),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, ...Array(5).fill(403)]);
  const refused = responses.find(({ status }) => status === 403) as Response;
  expect((await expectError(refused, 403, "PLAN_LIMIT_EXCEEDED")).message).toContain("25000 links");
  const { data: links } = await listLinks(workspace);
  await workspace.call("DELETE", `${LINKS}/${links[0]?.id}`);
  await expectError(
    await workspace.call("POST", LINKS, { body: { url: DESTINATION } }),
    403,
    "PLAN_LIMIT_EXCEEDED",
  );
});

test("POST /v1/links over the plan's cap returns 403 even if the slug is taken", async () => {
  const workspace = await newWorkspace();
  await createLink(workspace, { custom_slug: "spring" });
  await workspace.shard
    .prepare("UPDATE usage_counters SET used = 25000 WHERE workspace_id = ?")
    .bind(workspace.id)
    .run();
  const again = await workspace.call("POST", LINKS, { body: { url: DESTINATION, custom_slug: "spring" } });
  await expectError(again, 403, "PLAN_LIMIT_EXCEEDED");
});

test("routing rules on a plan without them return 403, and an empty array is accepted", async () => {
  const pro = await newWorkspace("pro");
  const routing_rules = [{ when: { os: ["ios"] }, destination: DESTINATION }];
  await expectError(
    await pro.call("POST", LINKS, { body: { url: DESTINATION, routing_rules } }),
    403,
    "FEATURE_NOT_AVAILABLE",
  );
  const link = await createLink(pro, { routing_rules: [] });
  await expectError(
    await pro.call("PATCH", `${LINKS}/${link.id}`, { body: { routing_rules } }),
    403,
    "FEATURE_NOT_AVAILABLE",
  );
});

const SHORT_ADDRESS = "must not be a short URL of this service, because it could cause a redirect loop";
const CLICK_ADDRESS = "must not be a click URL of a bio page, because it could cause a redirect loop";

test.each([
  ["http://localhost:8787/x", null, SHORT_ADDRESS],
  ["http://LOCALHOST.:8787/x", null, SHORT_ADDRESS],
  ["http://127.1:8787/x", null, SHORT_ADDRESS],
  ["http://nobody.localhost:8787/x", null, SHORT_ADDRESS],
  ["http://go.added.test:8787/x", "go.added.test", SHORT_ADDRESS],
  ["http://GO.spelled.test.:8787/x", "go.spelled.test", SHORT_ADDRESS],
  ["http://bio.localhost:8787/ada/l/0", null, CLICK_ADDRESS],
  ["http://BIO.localhost.:8787/Ada/L/0?a=b", null, CLICK_ADDRESS],
])("the destination %s is rejected everywhere, with its field", async (address, domain, message) => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace);
  if (domain !== null) await addDomain(workspace, domain);
  const rules = [
    { when: { os: ["android"] }, destination: DESTINATION },
    { when: { os: ["ios"] }, destination: address },
  ];
  const faulty: [string, object][] = [
    ["url", { url: address }],
    ["destination", { destination: address }],
    ["routing_rules[1].destination", { url: DESTINATION, routing_rules: rules }],
  ];
  for (const [field, body] of faulty) {
    const fault = { field, message };
    const created = await workspace.call("POST", LINKS, { body });
    expect((await expectError(created, 400, "VALIDATION_ERROR")).details).toEqual([fault]);
    const patched = await workspace.call("PATCH", `${LINKS}/${link.id}`, { body });
    expect((await expectError(patched, 400, "VALIDATION_ERROR")).details).toEqual([fault]);
  }
  const bulk = await workspace.call("POST", `${LINKS}/bulk`, {
    body: { links: faulty.map(([, body]) => body) },
  });
  const { data } = await expectData(bulk, bulkCreateResponse, 201);
  expect(data.errors.map((error) => error.message)).toEqual(
    faulty.map(([field], index) => `links[${index}].${field}: ${message}`),
  );
  expect((await listLinks(workspace)).data).toEqual([link]);
});

test("a destination on another port of a short host is accepted", async () => {
  await createLink(await newWorkspace(), { url: "http://localhost:3000/x" });
});

test("links, their rules, updates and bulk items can redirect to a published bio page and a public file", async () => {
  const workspace = await newWorkspace();
  const page = await createPublishedPage(workspace);
  const file = await createPublishedAsset(workspace);
  const expectVisit = async ({ short_code }: LinkResponse, address: string, headers = {}) => {
    const visited = await workspace.visit(`/${short_code}`, { headers });
    expect(visited.status).toBe(302);
    expect(visited.headers.get("Location")).toBe(address);
    expect((await send(new Request(address))).status).toBe(200);
  };
  const link = await createLink(workspace, {
    url: page,
    routing_rules: [{ when: { country: ["CA"] }, destination: file.url }],
  });
  await expectVisit(link, page);
  await expectVisit(link, file.url, { "CF-IPCountry": "CA" });

  const body = { url: file.url, routing_rules: [{ when: { country: ["CA"] }, destination: page }] };
  await expectData(await workspace.call("PATCH", `${LINKS}/${link.id}`, { body }), linkResponse);
  await expectVisit(link, file.url);
  await expectVisit(link, page, { "CF-IPCountry": "CA" });

  const links = [{ url: page }, { url: file.url }];
  const bulk = await workspace.call("POST", `${LINKS}/bulk`, { body: { links } });
  const { data } = await expectData(bulk, bulkCreateResponse, 201);
  expect(data.created.map(({ destination }) => destination)).toEqual([page, file.url]);
  for (const created of data.created) await expectVisit(created, created.destination);
});

/** Creates a published bio page and returns its URL. */
async function createPublishedPage(workspace: TestWorkspace): Promise<string> {
  const created = await workspace.call("POST", "/v1/bio/pages", { body: { title: "Menu" } });
  const { data } = await expectData(created, pageResponse, 201);
  await workspace.call("POST", `/v1/bio/pages/${data.id}/publish`);
  return data.html_url;
}

test("`destination` is accepted instead of `url`, or together with an equal `url`", async () => {
  const workspace = await newWorkspace();
  const create = async (body: object) =>
    (await expectData(await workspace.call("POST", LINKS, { body }), linkResponse, 201)).data;
  expect((await create({ destination: DESTINATION })).destination).toBe(DESTINATION);
  const link = await create({ url: DESTINATION, destination: DESTINATION });
  expect(link.destination).toBe(DESTINATION);
  const body = { destination: "https://example.com/new" };
  const patched = await workspace.call("PATCH", `${LINKS}/${link.id}`, { body });
  expect((await expectData(patched, linkResponse)).data.destination).toBe("https://example.com/new");
  expect((await workspace.visit(`/${link.short_code}`)).headers.get("Location")).toBe(
    "https://example.com/new",
  );
  const bulk = await workspace.call("POST", `${LINKS}/bulk`, {
    body: { links: [{ destination: DESTINATION }] },
  });
  const { data } = await expectData(bulk, bulkCreateResponse, 201);
  expect(data.created.map(({ destination }) => destination)).toEqual([DESTINATION]);
});

test.each<[object, string[]]>([
  [{ url: DESTINATION, destination: `${DESTINATION}/other` }, ["destination: must equal url"]],
  [{ destination: "ftp://example.com" }, ["destination: must be an http or https URL"]],
  [{ destination: 1 }, ["destination: must be a string"]],
  [{ url: DESTINATION, destination: null }, ["destination: must be a string"]],
])("creation, bulk creation and update reject the link %j: %s", async (body, faults) => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace);
  for (const [method, path] of [
    ["POST", LINKS],
    ["PATCH", `${LINKS}/${id}`],
  ] as const) {
    const response = await workspace.call(method, path, { body });
    const { details = [] } = await expectError(response, 400, "VALIDATION_ERROR");
    expect(details.map(({ field, message }) => `${field}: ${message.split(",")[0]}`)).toEqual(faults);
  }
  const bulk = await workspace.call("POST", `${LINKS}/bulk`, { body: { links: [body] } });
  const { data } = await expectData(bulk, bulkCreateResponse, 201);
  expect(data.errors[0]?.message).toContain(`links[0].${faults[0]}`);
});

test.each<[object, string[]]>([
  [{}, ["url: is required"]],
  [{ labels: ["print"] }, ["url: is required"]],
  [{ custom_slug: "a b", stray: 1 }, ["custom_slug: ", "stray: ", "url: is required"]],
])("POST /v1/links without url and destination is rejected: %j", async (body, faults) => {
  const response = await (await newWorkspace()).call("POST", LINKS, { body });
  const { details = [] } = await expectError(response, 400, "VALIDATION_ERROR");
  expect(details.map(({ field, message }) => `${field}: ${message}`)).toEqual(
    faults.map((fault) => expect.stringMatching(`^${fault}`)),
  );
});

test("a link with one destination that became a short host can be changed in other fields", async () => {
  const workspace = await newWorkspace();
  const buildRules = (destination: string) => [{ when: { country: ["CA"] }, destination }];
  const { id } = await createLink(workspace, {
    url: "http://go.became.test:8787/x",
    routing_rules: buildRules("http://go.stays.test:8787/x"),
  });
  await addDomain(workspace, "go.became.test");
  const patch = (body: object) => workspace.call("PATCH", `${LINKS}/${id}`, { body });
  await expectData(await patch({ enabled: false }), linkResponse);
  await expectData(await patch({ routing_rules: buildRules("https://example.com/") }), linkResponse);
  await expectError(await patch({ url: "http://go.became.test:8787/y" }), 400, "VALIDATION_ERROR");
  await expectError(
    await patch({ routing_rules: buildRules("http://go.became.test:8787/") }),
    400,
    "VALIDATION_ERROR",
  );
  await expectData(await patch({ url: "https://example.com/" }), linkResponse);
});

test("GET /v1/links lists newest first, in pages, with the total", async () => {
  const workspace = await newWorkspace();
  const links: LinkResponse[] = [];
  for (const n of [1, 2, 3, 4, 5]) links.unshift(await createLink(workspace, { custom_slug: `link-${n}` }));
  const all = await listLinks(workspace);
  expect(all.data).toEqual(links);
  expect(all.meta).toMatchObject({ total: 5, limit: 50, offset: 0 });
  const page = await listLinks(workspace, "?limit=2&offset=3");
  expect(page.data).toEqual(links.slice(3));
  expect(page.meta).toMatchObject({ total: 5, limit: 2, offset: 3 });
  expect((await listLinks(workspace, "?offset=99")).data).toEqual([]);
});

test("GET /v1/links combines its filters and matches text literally", async () => {
  const workspace = await newWorkspace();
  const red = await createLink(workspace, {
    custom_slug: "Red-One",
    labels: ["colour", "50%_off"],
    url: "https://example.com/Foo",
  });
  const blue = await createLink(workspace, { custom_slug: "blue-one", labels: ["colour"] });
  await workspace.call("PATCH", `${LINKS}/${blue.id}`, { body: { enabled: false } });
  const listCodes = async (query: string) =>
    (await listLinks(workspace, query)).data.map(({ short_code }) => short_code);
  expect(await listCodes("?label=colour")).toEqual(["blue-one", "Red-One"]);
  expect(await listCodes("?label=colou")).toEqual([]);
  expect(await listCodes("?label=50%25_off")).toEqual(["Red-One"]);
  expect(await listCodes("?enabled=false")).toEqual(["blue-one"]);
  expect(await listCodes("?enabled=true&label=colour")).toEqual([red.short_code]);
  expect(await listCodes("?search=RED-")).toEqual(["Red-One"]);
  expect(await listCodes("?search=foo")).toEqual(["Red-One"]);
  expect(await listCodes("?search=%25")).toEqual([]);
  expect((await listLinks(workspace, "?search=one&limit=1")).meta.total).toBe(2);
});

test("GET /v1/links?label= follows changes and deletions of the workspace's links", async () => {
  const workspace = await newWorkspace();
  const other = await newWorkspace();
  await createLink(other, { labels: ["a"] });
  const body = {
    links: ["1", "2", "3"].map((n) => ({ url: DESTINATION, custom_slug: `bulk-${n}`, labels: ["a"] })),
  };
  await workspace.call("POST", `${LINKS}/bulk`, { body });
  const link = await createLink(workspace, { custom_slug: "one", labels: ["a", "b"] });
  const listByLabel = async (query: string) => {
    const { data, meta } = await listLinks(workspace, `?label=${query}`);
    return { codes: data.map(({ short_code }) => short_code), total: meta.total };
  };
  expect(await listByLabel("a")).toEqual({ codes: ["one", "bulk-3", "bulk-2", "bulk-1"], total: 4 });
  expect(await listByLabel("a&limit=2&offset=1")).toEqual({ codes: ["bulk-3", "bulk-2"], total: 4 });
  expect(await listByLabel("a&search=BULK&limit=1")).toEqual({ codes: ["bulk-3"], total: 3 });
  expect(await listByLabel("A")).toEqual({ codes: [], total: 0 });

  const patch = (labels: string[]) => workspace.call("PATCH", `${LINKS}/${link.id}`, { body: { labels } });
  await patch(["b", "c"]);
  expect((await listByLabel("a")).total).toBe(3);
  expect(await listByLabel("b")).toEqual({ codes: ["one"], total: 1 });
  expect(await listByLabel("c")).toEqual({ codes: ["one"], total: 1 });
  await patch([]);
  expect((await listByLabel("b")).total).toBe(0);
  await patch(["a"]);
  await workspace.call("DELETE", `${LINKS}/${link.id}`);
  expect((await listByLabel("a")).total).toBe(3);
  expect((await listLinks(workspace)).meta.total).toBe(3);
  expect((await listLinks(other, "?label=a")).meta.total).toBe(1);
  const remaining = await workspace.shard
    .prepare("SELECT * FROM link_labels WHERE link_id = ?")
    .bind(link.id)
    .all();
  expect(remaining.results).toEqual([]);
});

test("PATCH /v1/links/{link_id} changes the given fields, replaces all labels and advances updated_at", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace, { labels: ["a", "b"], expires_at: "2027-01-01T00:00:00Z" });
  const path = `${LINKS}/${link.id}`;
  const patch = async (body: object) =>
    (await expectData(await workspace.call("PATCH", path, { body }), linkResponse)).data;
  const labelled = await patch({ labels: ["c"], expires_at: null });
  expect(labelled).toEqual({ ...link, labels: ["c"], expires_at: null, updated_at: labelled.updated_at });
  expect(labelled.updated_at > link.updated_at).toBe(true);
  expect(await patch({ url: "https://example.com/new" })).toMatchObject({
    destination: "https://example.com/new",
    labels: ["c"],
  });
});

test("a change of a link advances updated_at even if the clock is behind it", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace);
  const aheadMs = Date.now() + 3_600_000;
  await workspace.shard.prepare("UPDATE links SET updated_at = ? WHERE id = ?").bind(aheadMs, id).run();
  const patched = await workspace.call("PATCH", `${LINKS}/${id}`, { body: { labels: ["a"] } });
  const { data } = await expectData(patched, linkResponse);
  expect(data.updated_at).toBe(new Date(aheadMs + 1).toISOString());
  await workspace.call("PATCH", `${LINKS}/bulk/status`, { body: { ids: [id], enabled: false } });
  const { data: after } = await expectData(await workspace.call("GET", `${LINKS}/${id}`), linkResponse);
  expect(after.updated_at).toBe(new Date(aheadMs + 2).toISOString());
  // Disabling a disabled link changes nothing.
  await workspace.call("PATCH", `${LINKS}/bulk/status`, { body: { ids: [id], enabled: false } });
  const { data: again } = await expectData(await workspace.call("GET", `${LINKS}/${id}`), linkResponse);
  expect(again.updated_at).toBe(after.updated_at);
});

test("importing a link with an old creation time sets updated_at to now", async () => {
  const workspace = await newWorkspace();
  const startMs = Date.now();
  const link = await createLink(workspace, { created_at: "2021-05-01T10:00:00Z" });
  expect(link.created_at).toBe("2021-05-01T10:00:00.000Z");
  expect(Date.parse(link.updated_at)).toBeGreaterThanOrEqual(startMs);
});

test("PATCH /v1/links/{link_id} with an empty body returns the link unchanged, including updated_at", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace);
  const { data } = await expectData(
    await workspace.call("PATCH", `${LINKS}/${link.id}`, { body: {} }),
    linkResponse,
  );
  expect(data).toEqual(link);
  await expectError(
    await workspace.call("PATCH", `${LINKS}/unknown`, { body: {} }),
    404,
    "RESOURCE_NOT_FOUND",
  );
});

test("DELETE /v1/links/{link_id} removes the link and frees its slug", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace, { custom_slug: "spring" });
  const { data } = await expectData(await workspace.call("DELETE", `${LINKS}/${link.id}`), deletedResponse);
  expect(data).toEqual({ id: link.id, deleted: true });
  await expectError(await workspace.call("DELETE", `${LINKS}/${link.id}`), 404, "RESOURCE_NOT_FOUND");
  expect((await workspace.visit("/spring")).status).toBe(404);
  const again = await createLink(workspace, { custom_slug: "SPRING" });
  expect((await workspace.visit("/spring")).status).toBe(302);
  expect(again.id).not.toBe(link.id);
});

test("GET /v1/links/export returns every link as quoted CSV, without cells that spreadsheets evaluate", async () => {
  const workspace = await newWorkspace();
  const body = {
    links: [
      { url: 'https://example.com/?q="a",b', labels: ["=cmd()", "b"], custom_slug: "csv-one" },
      { url: "https://example.com/two" },
    ],
  };
  await workspace.call("POST", "/v1/links/bulk", { body });
  // A batch of the export has 500 links.
  const [code, destination] = ["'code' || n", "'https://example.com/' || n"];
  await seedLinks({ workspace, count: 550, code, destination, firstPosition: 100 });
  const response = await workspace.call("GET", `${LINKS}/export`);
  expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("Content-Disposition")).toMatch(
    /^attachment; filename="links-\d{4}-\d\d-\d\d\.csv"$/,
  );
  expect(response.headers.get("X-RateLimit-Remaining")).not.toBeNull();
  const lines = (await response.text()).trimEnd().split("\r\n");
  expect(lines[0]).toMatch(/^id,short_url,short_code,destination,enabled,labels,/);
  expect(lines).toHaveLength(1 + 2 + 550);
  expect(new Set(lines).size).toBe(lines.length);
  const exported = lines.find((line) => line.includes("csv-one"));
  expect(exported).toContain(',"https://example.com/?q=""a"",b",true,\'=cmd();b,');
});
