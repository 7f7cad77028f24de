import { expect, test, vi } from "vitest";
import * as z from "zod";
import { linkResponse } from "../../src/links/link-response.ts";
import { bulkCreateResponse, bulkStatusResponse } from "../../src/links/links.schema.ts";
import {
  addDomain,
  countingEnv,
  createLink,
  expectData,
  expectError,
  newWorkspace,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";

const BULK = "/v1/links/bulk";
const STATUS = "/v1/links/bulk/status";
const SHORT_ADDRESS = "must not be a short URL of this service, because it could cause a redirect loop";

async function createLinks(workspace: TestWorkspace, links: unknown[]) {
  return (await expectData(await workspace.call("POST", BULK, { body: { links } }), bulkCreateResponse, 201))
    .data;
}

async function countLinks(workspace: TestWorkspace): Promise<number> {
  const { meta } = await expectData(await workspace.call("GET", "/v1/links?limit=1"), z.array(linkResponse));
  return meta.total ?? -1;
}

test("POST /v1/links/bulk creates a hundred links in their order", async () => {
  const workspace = await newWorkspace();
  const links = Array.from({ length: 100 }, (_, index) => ({
    url: `https://example.com/${index}`,
    labels: [`l${index}`],
  }));
  const data = await createLinks(workspace, links);
  expect(data.errors).toEqual([]);
  expect(data.created.map(({ destination }) => destination)).toEqual(links.map(({ url }) => url));
  expect(data.created[42]).toMatchObject({
    labels: ["l42"],
    enabled: true,
    expires_at: null,
    routing_rules: [],
  });
  expect(new Set(data.created.map(({ short_code }) => short_code)).size).toBe(100);
  expect((await workspace.visit(`/${data.created[99]?.short_code}`)).headers.get("Location")).toBe(
    "https://example.com/99",
  );
});

test("POST /v1/links/bulk returns each link as it is stored", async () => {
  const workspace = await newWorkspace();
  const rules = [
    {
      name: 'north "é"',
      when: { country: ["CA", "CA"], query: { ref: ["a", "b"], any: true }, after: "2026-01-01T00:00:00Z" },
      destination: "https://example.com/north?q=%22",
    },
  ];
  const { created } = await createLinks(workspace, [
    { url: "https://example.com/\\'\"€", labels: [" a ", "b", "a"], expires_at: "2027-01-01T00:00:00+02:00" },
    { destination: "https://example.com/1", custom_slug: "Mixed-Case", routing_rules: rules },
  ]);
  for (const link of created) {
    const stored = await expectData(await workspace.call("GET", `/v1/links/${link.id}`), linkResponse);
    expect(stored.data).toEqual(link);
  }
  expect(created.map(({ labels }) => labels)).toEqual([["a", "b"], []]);
});

test("POST /v1/links/bulk runs the same statements, in one batch, for one link and for a hundred", async () => {
  const workspace = await newWorkspace();
  const batch = vi.spyOn(workspace.shard, "batch");
  for (const length of [1, 100]) {
    await createLinks(workspace, Array(length).fill({ url: "https://example.com" }));
  }
  const statements = batch.mock.calls.map(([batched]) => batched.length);
  batch.mockRestore();
  // Three statements write and count the links, one logs them, and four write their events and deliveries.
  expect(statements).toEqual([8, 8]);
});

test("POST /v1/links/bulk checks the destinations of all items for own hosts with one query", async () => {
  const workspace = await newWorkspace();
  await addDomain(workspace, "bulk.once.test");
  const links = Array.from({ length: 100 }, (_, n) => ({
    url: n % 2 === 0 ? `https://example.com/${n}` : `http://bulk.once.test:8787/${n}`,
  }));
  // The first use of a key on a day adds a trip.
  await workspace.call("GET", "/v1/workspace");
  const { env, trips } = countingEnv();
  const response = await workspace.call("POST", BULK, { body: { links }, env });
  const { data } = await expectData(response, bulkCreateResponse, 201);
  expect([data.created.length, data.errors.length]).toEqual([50, 50]);
  expect(data.errors[49]).toEqual({
    index: 99,
    error: "validation_error",
    message: `links[99].url: ${SHORT_ADDRESS}`,
  });
  // Trips: the key, the failing batch, the query for own hosts, and the batch without the rejected items.
  expect(trips()).toBe(4);
});

test("POST /v1/links/bulk reports each invalid item and creates the others", async () => {
  const workspace = await newWorkspace();
  await createLink(workspace, { custom_slug: "taken" });
  await addDomain(workspace, "bulk.own.test");
  const { created, errors } = await createLinks(workspace, [
    { url: "https://example.com/0", custom_slug: "first" },
    { url: "ftp://example.com" },
    { url: "https://example.com/2", custom_slug: "TAKEN" },
    { url: "https://example.com/3", custom_slug: "FIRST" },
    "not an object",
    { url: "https://example.com/5", label: ["a"] },
    { url: "http://localhost:8787/own" },
    { url: "http://bulk.own.test:8787/own" },
    {
      url: "https://example.com/8",
      routing_rules: [{ when: { country: ["UK"] }, destination: "https://example.com" }],
    },
    { url: "https://example.com/9" },
  ]);
  expect(created.map(({ destination }) => destination)).toEqual([
    "https://example.com/0",
    "https://example.com/9",
  ]);
  expect(errors).toEqual([
    { index: 1, error: "validation_error", message: "links[1].url: must be an http or https URL" },
    {
      index: 2,
      error: "conflict",
      message: "links[2].custom_slug: TAKEN is already used by another link in this workspace",
    },
    {
      index: 3,
      error: "conflict",
      message: "links[3].custom_slug: FIRST is already used by another link in this workspace",
    },
    { index: 4, error: "validation_error", message: "links[4]: must be an object" },
    {
      index: 5,
      error: "validation_error",
      message: "links[5].label: is not a known field; did you mean `labels`?",
    },
    {
      index: 6,
      error: "validation_error",
      message: `links[6].url: ${SHORT_ADDRESS}`,
    },
    {
      index: 7,
      error: "validation_error",
      message: `links[7].url: ${SHORT_ADDRESS}`,
    },
    {
      index: 8,
      error: "validation_error",
      message: expect.stringMatching(/^links\[8\]\.routing_rules\[0\]\.when\.country\[0\]: /),
    },
  ]);
  expect(await countLinks(workspace)).toBe(3);
});

test("POST /v1/links/bulk returns 201 even if every item fails", async () => {
  const { created, errors } = await createLinks(await newWorkspace(), [{}, { url: 1 }]);
  expect(created).toEqual([]);
  expect(errors.map(({ error }) => error)).toEqual(["validation_error", "validation_error"]);
});

test("parallel POST /v1/links/bulk create exactly as many links as the plan allows and reject the others", async () => {
  const workspace = await newWorkspace();
  await workspace.shard
    .prepare("INSERT INTO usage_counters VALUES (?, 'links', ?, 24993, 25000)")
    .bind(workspace.id, new Date().toISOString().slice(0, 7))
    .run();
  const links = Array.from({ length: 5 }, (_, index) => ({ url: `https://example.com/${index}` }));
  const outcomes = await Promise.all([
    createLinks(workspace, links),
    createLinks(workspace, links),
    createLinks(workspace, links),
  ]);
  expect(outcomes.flatMap(({ created }) => created)).toHaveLength(7);
  const errors = outcomes.flatMap((outcome) => outcome.errors);
  expect(errors.map(({ error }) => error)).toEqual(Array(8).fill("plan_limit_exceeded"));
  expect(await countLinks(workspace)).toBe(7);
  // After a downgrade the usage exceeds the cap. The items still fail one by one, not the whole request.
  await workerEnv.DIRECTORY.prepare("UPDATE workspaces SET plan = 'pro' WHERE id = ?")
    .bind(workspace.id)
    .run();
  expect((await createLinks(workspace, links)).errors.map(({ error }) => error)).toEqual(
    Array(5).fill("plan_limit_exceeded"),
  );
});

test("the slug of a rejected item is free for a later item", async () => {
  const workspace = await newWorkspace();
  await addDomain(workspace, "bulk.slug.test");
  const { created, errors } = await createLinks(workspace, [
    { url: "http://bulk.slug.test:8787/own", custom_slug: "wanted" },
    { url: "https://example.com/1", custom_slug: "Wanted" },
    { url: "https://example.com/2", custom_slug: "wanted" },
  ]);
  expect(created.map(({ destination }) => destination)).toEqual(["https://example.com/1"]);
  expect(errors.map(({ index, error }) => [index, error])).toEqual([
    [0, "validation_error"],
    [2, "conflict"],
  ]);
});

test("an item past the plan's cap fails with plan_limit_exceeded even if its slug is taken", async () => {
  const workspace = await newWorkspace();
  await createLink(workspace, { custom_slug: "taken" });
  await workspace.shard
    .prepare("UPDATE usage_counters SET used = 24998 WHERE workspace_id = ?")
    .bind(workspace.id)
    .run();
  const url = "https://example.com";
  const slugs = ["taken", "one", "one", undefined, "taken", "one", "two", undefined];
  const items = slugs.map((custom_slug) => ({ url, custom_slug }));
  const { created, errors } = await createLinks(workspace, items);
  expect(created).toHaveLength(2);
  expect(errors.map(({ index, error }) => [index, error])).toEqual([
    [0, "conflict"],
    [2, "conflict"],
    [4, "plan_limit_exceeded"],
    [5, "plan_limit_exceeded"],
    [6, "plan_limit_exceeded"],
    [7, "plan_limit_exceeded"],
  ]);
  expect(errors[2]?.message).toBe("links[4]: The business plan allows 25000 links per month.");
  const again = await createLinks(workspace, [{ url, custom_slug: "taken" }]);
  expect(again.errors.map(({ error }) => error)).toEqual(["plan_limit_exceeded"]);
});

test("an item with routing rules on a plan without them fails with feature_not_available", async () => {
  const rules = [{ when: { os: ["ios"] }, destination: "https://example.com" }];
  const { created, errors } = await createLinks(await newWorkspace("pro"), [
    { url: "https://example.com", routing_rules: rules },
    { url: "https://example.com" },
  ]);
  expect(created).toHaveLength(1);
  const message = "links[0].routing_rules: is not included in the pro plan";
  expect(errors).toEqual([{ index: 0, error: "feature_not_available", message }]);
});

test("POST /v1/links/bulk without items or with more than a hundred is rejected", async () => {
  const workspace = await newWorkspace();
  const many = Array.from({ length: 101 }, () => ({ url: "https://example.com" }));
  for (const body of [{ links: [] }, { links: many }, { links: {} }, {}, []]) {
    await expectError(await workspace.call("POST", BULK, { body }), 400, "VALIDATION_ERROR");
  }
  expect(await countLinks(workspace)).toBe(0);
});

test("PATCH /v1/links/bulk/status counts changed links, skips unknown ids and takes effect immediately", async () => {
  const workspace = await newWorkspace();
  const other = await newWorkspace();
  const { created } = await createLinks(workspace, [
    { url: "https://example.com/1" },
    { url: "https://example.com/2" },
  ]);
  const foreign = (await createLinks(other, [{ url: "https://example.com/3" }])).created[0];
  const [first, second] = created;
  const setEnabled = async (ids: unknown[], enabled: boolean) => {
    const response = await workspace.call("PATCH", STATUS, { body: { ids, enabled } });
    return (await expectData(response, bulkStatusResponse)).data.updated;
  };
  expect((await workspace.visit(`/${first?.short_code}`)).status).toBe(302);
  expect(await setEnabled([first?.id, first?.id, foreign?.id, crypto.randomUUID()], false)).toBe(1);
  expect((await workspace.visit(`/${first?.short_code}`)).status).toBe(410);
  expect((await other.visit(`/${foreign?.short_code}`)).status).toBe(302);
  expect(await setEnabled([first?.id.toUpperCase(), second?.id], false)).toBe(2);
  expect((await workspace.visit(`/${first?.short_code}`)).status).toBe(410);
  expect(await setEnabled([first?.id], true)).toBe(1);
  expect((await workspace.visit(`/${first?.short_code}`)).status).toBe(302);
});

test("PATCH /v1/links/bulk/status with an invalid UUID or too many ids is rejected", async () => {
  const workspace = await newWorkspace();
  const { created } = await createLinks(workspace, [{ url: "https://example.com/1" }]);
  const body = { ids: [created[0]?.id, "x"], enabled: false };
  const error = await expectError(await workspace.call("PATCH", STATUS, { body }), 400, "VALIDATION_ERROR");
  expect(error.message).toBe("ids[1]: must be a UUID");
  const many = { ids: Array.from({ length: 201 }, () => crypto.randomUUID()), enabled: false };
  await expectError(await workspace.call("PATCH", STATUS, { body: many }), 400, "VALIDATION_ERROR");
  expect((await workspace.visit(`/${created[0]?.short_code}`)).status).toBe(302);
});
