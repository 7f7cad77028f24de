import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { generateUuidv7, ID_AHEAD_MAX_MS, readUuidTime } from "../../src/core/id.ts";
import { MINUTE_MS, toIso } from "../../src/core/time.ts";
import { type LinkResponse, linkResponse } from "../../src/links/link-response.ts";
import { bulkCreateResponse, bulkUpdateResponse } from "../../src/links/links.schema.ts";
import { resolveLinkResponse } from "../../src/links/resolve.schema.ts";
import { templateResponse } from "../../src/qr/templates.schema.ts";
import { forgetAll } from "../../src/resolving/resolve.ts";
import type { PlanName } from "../../src/tenant/plans.ts";
import {
  addDomain,
  createLink,
  eventually,
  expectData,
  expectError,
  newWorkspace,
  type TestWorkspace,
} from "../support/harness.ts";
import { evict } from "../support/redirects.ts";
import { TestQueue } from "../support/test-queue.ts";

/** Link fields for people, schedules and visitors. */

const LINKS = "/v1/links";
const DESTINATION = "https://example.com/";
const FUTURE = "2126-01-01T00:00:00.000Z";
const PAST = "2020-01-01T00:00:00.000Z";

beforeEach(forgetAll);
afterEach(() => void vi.restoreAllMocks());

const FIELDS = {
  title: "Summer “sale” 🙂",
  note: "For the flyer.\nAsk Ada first.",
  archived: true,
  starts_at: PAST,
  early_url: "https://example.com/soon",
  expired_url: "https://example.com/over",
  forward_query: true,
  confirm: true,
  imported_scans: 4_711,
};

const UNSET = {
  title: null,
  note: null,
  archived: false,
  starts_at: null,
  early_url: null,
  expired_url: null,
  forward_query: false,
  confirm: false,
  qr_template_id: null,
  imported_scans: 0,
};

async function patchLink(workspace: TestWorkspace, id: string, body: object): Promise<LinkResponse> {
  return (await expectData(await workspace.call("PATCH", `${LINKS}/${id}`, { body }), linkResponse)).data;
}

async function getLink(workspace: TestWorkspace, id: string): Promise<LinkResponse> {
  return (await expectData(await workspace.call("GET", `${LINKS}/${id}`), linkResponse)).data;
}

/** Waits until the only scan of a link is counted. */
async function waitForScan(workspace: TestWorkspace, id: string): Promise<void> {
  const { scan_count } = await eventually(
    () => getLink(workspace, id),
    (link) => link.scan_count > 0,
  );
  expect(scan_count).toBe(1);
}

async function visit(workspace: TestWorkspace, path: string, init?: RequestInit) {
  const response = await workspace.visit(path, init);
  return [response.status, response.headers.get("Location")];
}

async function createTemplate(workspace: TestWorkspace): Promise<string> {
  const created = await workspace.call("POST", "/v1/qr/templates", { body: { name: "Card" } });
  return (await expectData(created, templateResponse, 201)).data.id;
}

async function expectRefused(response: Response, message: string): Promise<void> {
  expect((await expectError(response, 400, "VALIDATION_ERROR")).message).toBe(message);
}

test("only QR templates of the workspace are accepted, and a link may keep a deleted one", async () => {
  const workspace = await newWorkspace();
  const own = await createTemplate(workspace);
  const foreign = await createTemplate(await newWorkspace());
  const message = "qr_template_id: must be the ID of a QR template in this workspace";
  const { id } = await createLink(workspace, { qr_template_id: own, external_id: "42" });
  const put = (body: object) =>
    workspace.call("PUT", `${LINKS}/external/42`, { body: { url: DESTINATION, ...body } });
  const patch = (qr_template_id: string) => ({ id, qr_template_id, title: "Card" });
  const change = (qr_template_id: string) =>
    workspace.call("PATCH", `${LINKS}/bulk`, { body: { links: [patch(qr_template_id)] } });
  const createBulk = (...ids: string[]) =>
    workspace.call("POST", `${LINKS}/bulk`, {
      body: { links: ids.map((qr_template_id) => ({ url: DESTINATION, qr_template_id })) },
    });
  for (const unknown of [foreign, crypto.randomUUID()]) {
    const body = { url: DESTINATION, qr_template_id: unknown };
    await expectRefused(await workspace.call("POST", LINKS, { body }), message);
    const patched = await workspace.call("PATCH", `${LINKS}/${id}`, { body: { qr_template_id: unknown } });
    await expectRefused(patched, message);
    await expectRefused(await put({ qr_template_id: unknown }), message);
    const refused = { index: 0, error: "validation_error", message: `links[0].${message}` };
    const created = await expectData(await createBulk(unknown, own), bulkCreateResponse, 201);
    expect([created.data.created.length, created.data.errors]).toEqual([1, [refused]]);
    const changed = await expectData(await change(unknown), bulkUpdateResponse);
    expect([changed.data.updated, changed.data.errors]).toEqual([[], [refused]]);
  }
  await workspace.call("DELETE", `/v1/qr/templates/${own}`);
  const kept = await patchLink(workspace, id, { qr_template_id: own, title: "Still there" });
  expect(kept).toMatchObject({ qr_template_id: own, title: "Still there" });
  expect((await expectData(await change(own), bulkUpdateResponse)).data.updated).toMatchObject([patch(own)]);
  expect((await put({ qr_template_id: own, title: "Again" })).status).toBe(200);
  const another = { url: DESTINATION, qr_template_id: own };
  await expectRefused(await workspace.call("POST", LINKS, { body: another }), message);
});

test("the fields are set at creation, changed by updates, cleared by null, and returned in every response", async () => {
  const workspace = await newWorkspace();
  expect(await createLink(workspace)).toMatchObject(UNSET);
  const fields = { ...FIELDS, qr_template_id: await createTemplate(workspace) };
  const created = await createLink(workspace, fields);
  expect(created).toMatchObject(fields);
  expect(await getLink(workspace, created.id)).toEqual(created);
  const bulk = await workspace.call("POST", `${LINKS}/bulk`, {
    body: { links: [{ url: DESTINATION, ...fields }, { url: DESTINATION }] },
  });
  expect((await expectData(bulk, bulkCreateResponse, 201)).data.created).toMatchObject([fields, UNSET]);

  const nulls = Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
  expect(await patchLink(workspace, created.id, nulls)).toMatchObject(UNSET);
  expect(await createLink(workspace, nulls)).toMatchObject(UNSET);
  for (const [name, value] of Object.entries(fields)) {
    const before = await getLink(workspace, created.id);
    const changed = await patchLink(workspace, created.id, { [name]: value });
    expect(changed).toEqual({ ...before, [name]: value, updated_at: changed.updated_at });
  }
  const csv = await (await workspace.call("GET", `${LINKS}/export`)).text();
  expect(csv).toContain('"For the flyer.\nAsk Ada first."');
});

const URL_FAULT = "must be an http or https URL";
const BOOLEAN = "must be a boolean";

test.each<[Record<string, unknown>, string]>([
  [{ title: "" }, "title: must have at least 1 character"],
  [{ title: "x".repeat(201) }, "title: must have at most 200 characters"],
  [{ title: "a\nb" }, "title: must not contain control characters"],
  [{ title: 1 }, "title: must be a string"],
  [{ note: "x".repeat(2_049) }, "note: must have at most 2048 characters"],
  [{ archived: "true" }, `archived: ${BOOLEAN}`],
  [{ forward_query: 1 }, `forward_query: ${BOOLEAN}`],
  [{ confirm: "yes" }, `confirm: ${BOOLEAN}`],
  [{ starts_at: "tomorrow" }, "starts_at: must be an ISO 8601 date-time with an offset or Z"],
  [{ early_url: "javascript:alert(1)" }, `early_url: ${URL_FAULT}`],
  [{ early_url: "https://a:b@example.com/" }, "early_url: must not contain a user name or password"],
  [{ expired_url: "data:text/html,x" }, `expired_url: ${URL_FAULT}`],
  [{ expired_url: "http://localhost:8787/x" }, "expired_url: must not be a short URL"],
  [{ early_url: "http://bio.localhost:8787/ada/l/0" }, "early_url: must not be a click URL"],
  [{ imported_scans: -1 }, "imported_scans: must be at least 0"],
  [{ imported_scans: 1.5 }, "imported_scans: must be a whole number"],
  [
    { routing_rules: [{ split: [{ destination: "http://localhost:8787/x", percent: 1 }] }] },
    "routing_rules[0].split[0].destination: must not be a short URL",
  ],
])("creation, update and bulk creation reject %j with the field's name", async (fields, fault) => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace);
  const body = { url: DESTINATION, ...fields };
  for (const [method, path] of [
    ["POST", LINKS],
    ["PATCH", `${LINKS}/${link.id}`],
  ] as const) {
    const refused = await workspace.call(method, path, { body });
    expect((await expectError(refused, 400, "VALIDATION_ERROR")).message).toContain(fault);
  }
  const bulk = await workspace.call("POST", `${LINKS}/bulk`, {
    body: { links: [body, { url: DESTINATION }] },
  });
  const { data } = await expectData(bulk, bulkCreateResponse, 201);
  expect(data.errors).toMatchObject([{ index: 0, error: "validation_error" }]);
  expect(data.errors[0]?.message).toContain(`links[0].${fault}`);
  expect(data.created).toHaveLength(1);
  expect(await getLink(workspace, link.id)).toEqual(link);
});

test("an early or expired URL on a host that a workspace added is rejected with the field's name", async () => {
  const workspace = await newWorkspace();
  await addDomain(await newWorkspace(), "go.fields.test");
  const link = await createLink(workspace);
  const url = "http://go.fields.test:8787/x";
  for (const name of ["early_url", "expired_url"]) {
    for (const [method, path] of [
      ["POST", LINKS],
      ["PATCH", `${LINKS}/${link.id}`],
    ] as const) {
      const refused = await workspace.call(method, path, { body: { url: DESTINATION, [name]: url } });
      expect((await expectError(refused, 400, "VALIDATION_ERROR")).details).toEqual([
        {
          field: name,
          message: "must not be a short URL of this service, because it could cause a redirect loop",
        },
      ]);
    }
  }
  expect(await getLink(workspace, link.id)).toEqual(link);
});

const SPLIT = [{ split: [{ destination: DESTINATION, percent: 50 }] }];
const BLOCK = [{ when: { country: ["CA"] }, block: true }];

test.each<[PlanName, object, boolean]>([
  ["pro", { ...FIELDS, expired_url: null, created_at: PAST }, true],
  ["pro", { expired_url: DESTINATION }, true],
  ["pro", { routing_rules: SPLIT }, true],
  ["pro", { routing_rules: [{ ...SPLIT[0], when: {} }] }, true],
  ["pro", { routing_rules: [{ ...SPLIT[0], when: { country: ["CA"] } }] }, false],
  ["pro", { routing_rules: [...SPLIT, ...BLOCK] }, false],
  ["business", { routing_rules: [...SPLIT, ...BLOCK] }, true],
])("on %s, whether %j is accepted: %j", async (plan, fields, isAccepted) => {
  const workspace = await newWorkspace(plan);
  const body = { url: DESTINATION, ...fields };
  const created = await workspace.call("POST", LINKS, { body });
  if (isAccepted) expect(created.status).toBe(201);
  else {
    const { message } = await expectError(created, 403, "FEATURE_NOT_AVAILABLE");
    expect(message).toBe("routing_rules: is not included in the pro plan");
  }
});

test("a link before its start redirects to early_url or returns an error, and counts scans only afterwards", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace, { custom_slug: "launch", starts_at: FUTURE });
  const missing = await (await workspace.visit("/missing")).text();
  const early = await workspace.visit("/launch");
  expect(early.status).toBe(404);
  expect(await early.text()).toBe(missing);
  await patchLink(workspace, link.id, { early_url: "https://example.com/soon" });
  expect(await visit(workspace, "/launch")).toEqual([302, "https://example.com/soon"]);
  await evict(workspace, "launch");
  expect(await visit(workspace, "/launch")).toEqual([302, "https://example.com/soon"]);
  await patchLink(workspace, link.id, { starts_at: PAST });
  expect(await visit(workspace, "/launch")).toEqual([302, DESTINATION]);
  await waitForScan(workspace, link.id);
});

test("an expired or disabled link redirects to expired_url and counts no scan", async () => {
  const workspace = await newWorkspace();
  const expired_url = "https://example.com/over?a=b";
  const link = await createLink(workspace, { custom_slug: "ended", expires_at: PAST, expired_url });
  expect(await visit(workspace, "/ended?utm=1")).toEqual([302, expired_url]);
  expect(await visit(workspace, "/ended", { method: "HEAD" })).toEqual([302, expired_url]);
  await patchLink(workspace, link.id, { expires_at: null, enabled: false });
  await evict(workspace, "ended");
  expect(await visit(workspace, "/ended")).toEqual([302, expired_url]);
  await patchLink(workspace, link.id, { expired_url: null });
  expect(await visit(workspace, "/ended")).toEqual([410, null]);
  const other = await createLink(workspace);
  expect(await visit(workspace, `/${other.short_code}`)).toEqual([302, DESTINATION]);
  // This scan is later than the visits that must not be counted.
  await waitForScan(workspace, other.id);
  expect((await getLink(workspace, link.id)).scan_count).toBe(0);
});

test("a fallback URL that became a short host is not used for redirects", async () => {
  const workspace = await newWorkspace();
  const url = "http://go.later.test:8787/x";
  await createLink(workspace, { custom_slug: "early", starts_at: FUTURE, early_url: url });
  await createLink(workspace, { custom_slug: "late", expires_at: PAST, expired_url: url });
  await addDomain(workspace, "go.later.test");
  for (const [code, status] of [
    ["early", 404],
    ["late", 410],
  ] as const) {
    await evict(workspace, code);
    expect(await visit(workspace, `/${code}`)).toEqual([status, null]);
  }
});

test("rules block visitors with 451, and a split always sends a visitor to the same destination", async () => {
  const workspace = await newWorkspace();
  const split = ["a", "b"].map((name) => ({ destination: `https://example.com/${name}`, percent: 50, name }));
  const routing_rules = [
    { when: { country: ["CA"] }, block: true },
    { when: {}, split },
  ];
  const link = await createLink(workspace, { custom_slug: "rules", routing_rules });
  expect(link.routing_rules).toEqual(routing_rules);
  await evict(workspace, "rules");
  const blocked = await workspace.visit("/rules", { headers: { "CF-IPCountry": "CA" } });
  expect([blocked.status, blocked.headers.get("Location")]).toEqual([451, null]);
  const seen = new Set<unknown>();
  for (let n = 0; n < 20; n++) {
    const headers = { "User-Agent": "curl/8", "CF-Connecting-IP": `203.0.113.${n}` };
    const [first, second] = [
      await visit(workspace, "/rules", { method: "HEAD", headers }),
      await visit(workspace, "/rules", { method: "HEAD", headers }),
    ];
    expect(second).toEqual(first);
    seen.add(first[1]);
  }
  expect([...seen].sort()).toEqual(["https://example.com/a", "https://example.com/b"]);
  const [, location] = await visit(workspace, "/rules");
  const breakdownPath = `/v1/analytics/breakdown?by=rule&link_id=${link.id}`;
  await waitForScan(workspace, link.id);
  const breakdown = await (await workspace.call("GET", breakdownPath)).json();
  expect(breakdown).toMatchObject({ data: { items: [{ value: String(location).at(-1), scans: 1 }] } });
});

test("a link forwards the visitor's query, and analytics contain the destination without it", async () => {
  const workspace = await newWorkspace();
  const queue = new TestQueue();
  const url = "https://example.com/?a=1&b=2#part";
  await createLink(workspace, { custom_slug: "forward", url, forward_query: true }, queue.env);
  expect(await visit(workspace, "/forward?a=3&pw=x&c=ü")).toEqual([
    302,
    "https://example.com/?b=2&a=3&c=%C3%BC#part",
  ]);
  await evict(workspace, "forward");
  expect(await visit(workspace, "/forward?a=3")).toEqual([302, "https://example.com/?b=2&a=3#part"]);
  expect(await visit(workspace, "/forward")).toEqual([302, url]);
});

test("an imported link keeps its time and its position in lists, and later links follow it", async () => {
  const workspace = await newWorkspace();
  const now = await createLink(workspace);
  const links = [
    { url: DESTINATION, created_at: "2021-05-01T10:00:00+02:00", imported_scans: 5 },
    { url: DESTINATION, created_at: "1970-01-01T00:00:00Z" },
    { url: DESTINATION, created_at: "2021-05-01T08:00:00Z" },
    { url: DESTINATION, created_at: "2126-01-01T00:00:00Z" },
    { url: DESTINATION, created_at: "1969-12-31T23:59:59Z" },
  ];
  const bulk = await workspace.call("POST", `${LINKS}/bulk`, { body: { links } });
  const { created, errors } = (await expectData(bulk, bulkCreateResponse, 201)).data;
  expect(errors.map(({ message }) => message)).toEqual([
    "links[3].created_at: must not be more than 5 minutes in the future",
    "links[4].created_at: must not be before 1970",
  ]);
  const single = await createLink(workspace, { created_at: "2020-01-01T00:00:00Z" });
  expect(created.map(({ created_at }) => created_at)).toEqual([
    "2021-05-01T08:00:00.000Z",
    "1970-01-01T00:00:00.000Z",
    "2021-05-01T08:00:00.000Z",
  ]);
  expect(created[0]).toMatchObject({ scan_count: 0, imported_scans: 5 });
  const { data } = (await (await workspace.call("GET", LINKS)).json()) as { data: LinkResponse[] };
  const [first, epoch, second] = created;
  expect(data.map(({ id }) => id)).toEqual([now, second, first, single, epoch].map((link) => link?.id));
  const refused = await workspace.call("PATCH", `${LINKS}/${now.id}`, { body: { created_at: PAST } });
  await expectError(refused, 400, "VALIDATION_ERROR");
});

test("a created_at up to 5 minutes in the future becomes the request's time, a later one is rejected", async () => {
  const workspace = await newWorkspace();
  const nowMs = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(nowMs);
  const createAt = (timeMs: number) =>
    workspace.call("POST", LINKS, { body: { url: DESTINATION, created_at: toIso(timeMs) } });
  const created: LinkResponse[] = [];
  for (const timeMs of [nowMs - 1, nowMs, nowMs + 1, nowMs + 5 * MINUTE_MS]) {
    created.push((await expectData(await createAt(timeMs), linkResponse, 201)).data);
  }
  expect(created.map(({ created_at }) => created_at)).toEqual([nowMs - 1, nowMs, nowMs, nowMs].map(toIso));
  expect(created.map(({ updated_at }) => updated_at)).toEqual(Array(4).fill(toIso(nowMs)));
  const error = await expectError(await createAt(nowMs + 5 * MINUTE_MS + 1), 400, "VALIDATION_ERROR");
  expect(error.message).toBe("created_at: must not be more than 5 minutes in the future");
  const { data } = (await (await workspace.call("GET", LINKS)).json()) as { data: LinkResponse[] };
  expect(data.at(-1)?.id).toBe(created[0]?.id);
});

test("a link has the time of its request even if ids are ahead of the clock", async () => {
  const workspace = await newWorkspace();
  const nowMs = Date.now();
  generateUuidv7(nowMs + ID_AHEAD_MAX_MS - 1);
  vi.spyOn(Date, "now").mockReturnValue(nowMs);
  const link = await createLink(workspace);
  expect([link.created_at, link.updated_at]).toEqual([toIso(nowMs), toIso(nowMs)]);
  expect(readUuidTime(link.id)).toBeGreaterThan(nowMs);
});

test("an imported link is created once if the request is repeated after a lost response", async () => {
  const workspace = await newWorkspace();
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  // The clock of the previous service is ahead.
  const nowMs = Date.now();
  const clock = vi.spyOn(Date, "now").mockReturnValue(nowMs);
  const body = { url: DESTINATION, created_at: toIso(nowMs + 1_000) };
  await workspace.call("POST", LINKS, { body, headers });
  clock.mockReturnValue(nowMs + 2_000);
  await workspace.shard
    .prepare("UPDATE idempotency_keys SET status = NULL, body = NULL, held_until = 0 WHERE workspace_id = ?")
    .bind(workspace.id)
    .run();
  await workspace.call("POST", LINKS, { body, headers });
  const { meta } = (await (await workspace.call("GET", LINKS)).json()) as { meta: { total: number } };
  expect(meta.total).toBe(1);

  const bulk = { links: [body, { ...body, created_at: "2022-05-01T08:00:00Z" }] };
  const bulkHeaders = { "Idempotency-Key": crypto.randomUUID() };
  const first = await workspace.call("POST", `${LINKS}/bulk`, { body: bulk, headers: bulkHeaders });
  await workspace.shard
    .prepare("UPDATE idempotency_keys SET status = NULL, body = NULL, held_until = 0 WHERE workspace_id = ?")
    .bind(workspace.id)
    .run();
  const second = await workspace.call("POST", `${LINKS}/bulk`, { body: bulk, headers: bulkHeaders });
  const { data } = await expectData(first, bulkCreateResponse, 201);
  expect((await expectData(second, bulkCreateResponse, 201)).data).toEqual(data);
});

test("an update returns warnings about times and URLs that never take effect", async () => {
  const workspace = await newWorkspace();
  const readWarnings = async (response: Response) =>
    ((await response.json()) as { meta: { warnings?: string[] } }).meta.warnings?.map(
      (text) => text.split(":")[0],
    );
  const body = { url: DESTINATION, early_url: DESTINATION };
  expect(await readWarnings(await workspace.call("POST", LINKS, { body }))).toEqual(["early_url"]);
  const { id } = await createLink(workspace, { starts_at: PAST });
  const ended = { expires_at: PAST };
  expect(await readWarnings(await workspace.call("PATCH", `${LINKS}/${id}`, { body: ended }))).toEqual([
    "starts_at",
  ]);
  const good = { expires_at: FUTURE };
  expect(await readWarnings(await workspace.call("PATCH", `${LINKS}/${id}`, { body: good }))).toBeUndefined();
});

async function resolveLink(workspace: TestWorkspace, id: string, body?: object) {
  const response = await workspace.call("POST", `${LINKS}/${id}/resolve`, { body });
  return (await expectData(response, resolveLinkResponse)).data;
}

test("POST /v1/links/{link_id}/resolve returns the result of a visit without counting it", async () => {
  const workspace = await newWorkspace();
  const routing_rules = [
    { name: "blocked", when: { country: ["DE"] }, block: true },
    { when: { country: ["CA"], language: ["fr"] }, destination: "https://example.com/ca" },
  ];
  const link = await createLink(workspace, { custom_slug: "resolved", routing_rules, forward_query: true });
  for (const [description, headers] of [
    [
      { country: "CA", languages: ["fr-CA"] },
      { "CF-IPCountry": "CA", "Accept-Language": "fr-CA" },
    ],
    [{ country: "CA" }, { "CF-IPCountry": "CA" }],
    [{ region: "DE-BE" }, { "CF-IPCountry": "DE" }],
    [{}, {}],
  ] as [object, Record<string, string>][]) {
    const { status, destination } = await resolveLink(workspace, link.id, {
      ...description,
      query: { a: ["1", "ü"] },
    });
    const visited = await visit(workspace, "/resolved?a=1&a=%C3%BC", { method: "HEAD", headers });
    expect([status, destination]).toEqual(visited);
  }
  expect(await resolveLink(workspace, link.id, { country: "US", at: "2027-01-01T00:00:00+01:00" })).toEqual({
    status: 302,
    outcome: "found",
    destination: DESTINATION,
    rule: null,
    rules: [
      { name: "blocked", matched: false, failed: "country", seen: "US" },
      { name: "#2", matched: false, failed: "country", seen: "US" },
    ],
    at: "2026-12-31T23:00:00.000Z",
  });
  await patchLink(workspace, link.id, { starts_at: FUTURE, early_url: "https://example.com/soon" });
  expect(await resolveLink(workspace, link.id)).toMatchObject({ status: 302, outcome: "early" });
  expect(await resolveLink(workspace, link.id, { at: FUTURE })).toMatchObject({ outcome: "found" });
  await patchLink(workspace, link.id, { enabled: false });
  expect(await resolveLink(workspace, link.id)).toMatchObject({
    status: 410,
    outcome: "gone",
    destination: null,
  });

  const sentinel = await createLink(workspace);
  await visit(workspace, `/${sentinel.short_code}`);
  await waitForScan(workspace, sentinel.id);
  expect((await getLink(workspace, link.id)).scan_count).toBe(0);
});

test.each<[object, string]>([
  [{ country: "UK" }, "country: UK is not an ISO 3166-1 code; use GB"],
  [{ country: "CA", region: "US-CA" }, "region: must be in `country`"],
  [{ ip: "203.0.113" }, "ip: must be an IPv4 or IPv6 address"],
  [{ user_agent: "ü" }, "user_agent: must have only printable ASCII characters"],
  [{ languages: ["fr_CA"] }, "languages[0]: must be a BCP 47 language such as fr or zh-Hant-TW"],
  [{ query: { a: 1 } }, "query.a: must be a string or an array of strings"],
  [{ at: "now" }, "at: must be an ISO 8601 date-time with an offset or Z"],
  [{ city: "Bonn" }, "city: is not a known field"],
])("POST /v1/links/{link_id}/resolve rejects %j", async (body, fault) => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace);
  const refused = await workspace.call("POST", `${LINKS}/${id}/resolve`, { body });
  expect((await expectError(refused, 400, "VALIDATION_ERROR")).message).toBe(fault);
});
