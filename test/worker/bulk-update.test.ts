import { describe, expect, test, vi } from "vitest";
import { linkResponse } from "../../src/links/link-response.ts";
import { bulkCreateResponse, bulkUpdateResponse } from "../../src/links/links.schema.ts";
import {
  addDomain,
  countingEnv,
  createLink,
  expectData,
  expectError,
  newWorkspace,
  type TestWorkspace,
} from "../support/harness.ts";

const BULK = "/v1/links/bulk";
const URL = "https://example.com/";

async function change(workspace: TestWorkspace, links: unknown[]) {
  const response = await workspace.call("PATCH", BULK, { body: { links } });
  return (await expectData(response, bulkUpdateResponse)).data;
}

async function createLinks(workspace: TestWorkspace, count: number, fields: object = {}) {
  const links = Array.from({ length: count }, (_, n) => ({ url: `${URL}${n}`, ...fields }));
  const response = await workspace.call("POST", BULK, { body: { links } });
  return (await expectData(response, bulkCreateResponse, 201)).data.created;
}

async function visit(workspace: TestWorkspace, path: string): Promise<string | number> {
  const response = await workspace.visit(path);
  return response.headers.get("Location") ?? response.status;
}

test("PATCH /v1/links/bulk gives each link its own values, as single updates do, and redirects at once", async () => {
  const workspace = await newWorkspace("enterprise");
  const links = await createLinks(workspace, 4, { title: "Before", password: "secret-1" });
  const twins = await createLinks(workspace, 4, { title: "Before", password: "secret-1" });
  for (const { short_code } of links) await workspace.visit(`/${short_code}`);
  const preview = { title: "P", description: null, image_url: null };
  const rules = [{ name: 'é "q"', when: { country: ["CA"] }, destination: "https://example.com/ca" }];
  const patches = [
    { url: "https://example.com/new?utm_source=a&b=%22", password: null, title: null },
    { labels: ["ü", "b"], archived: true, starts_at: "2020-01-01T00:00:00Z", password: "secret-2" },
    { preview, password: null, enabled: false, max_scans: 5, note: "n" },
    { routing_rules: rules, expired_url: "https://example.com/late", password: null },
  ];
  const { updated, errors } = await change(
    workspace,
    links.map(({ id }, n) => ({ id: id.toUpperCase(), ...patches[n] })),
  );
  expect(errors).toEqual([]);
  for (const [n, twin] of twins.entries()) {
    const single = await workspace.call("PATCH", `/v1/links/${twin.id}`, { body: patches[n] });
    const { id, short_code, short_url, created_at, updated_at, ...expected } = (
      await expectData(single, linkResponse)
    ).data;
    expect(updated[n]).toMatchObject({ ...expected, ...(n > 0 && { destination: `${URL}${n}` }) });
    const stored = await expectData(await workspace.call("GET", `/v1/links/${links[n]?.id}`), linkResponse);
    expect(stored.data).toEqual(updated[n]);
    const log = async (link: string | undefined) => {
      const history = await workspace.call("GET", `/v1/links/${link}/history`);
      return (await history.json<{ data: { operation: string; changes: object }[] }>()).data[0];
    };
    const [bulk, one] = [await log(links[n]?.id), await log(twin.id)];
    expect(bulk?.operation).toBe("bulkUpdateLinks");
    expect(bulk?.changes).toEqual(JSON.parse(JSON.stringify(one?.changes)));
  }
  expect(await visit(workspace, `/${links[0]?.short_code}`)).toBe(patches[0]?.url);
});

test("PATCH /v1/links/bulk reports each invalid item and changes the others", async () => {
  const workspace = await newWorkspace("pro");
  const other = await newWorkspace();
  const foreign = await createLink(other);
  await createLink(workspace, { custom_slug: "taken", aliases: ["_t"], external_id: "t" });
  await addDomain(workspace, "bulk-update.own.test");
  const links = await createLinks(workspace, 9);
  const id = (n: number) => ({ id: links[n]?.id });
  const { updated, errors } = await change(workspace, [
    { ...id(0), title: "0" },
    { ...id(1), url: "ftp://example.com" },
    { ...id(2), custom_slug: "TAKEN" },
    { ...id(3), aliases: ["_t"] },
    { ...id(4), external_id: "t" },
    { ...id(5), url: "http://bulk-update.own.test:8787/x" },
    "not an object",
    { ...id(0), title: "again" },
    { id: foreign.id, title: "foreign" },
    { id: foreign.id.replace(/^./, "f"), custom_slug: "unknown" },
    { title: "no id" },
    { ...id(6), titel: "6" },
    { ...id(7), routing_rules: [{ when: { country: ["CA"] }, destination: URL }] },
    { ...id(8), title: "8", custom_slug: "eight" },
    { ...id(6) },
  ]);
  expect(updated.map((link) => [link.id, link.title])).toEqual([
    [links[0]?.id, "0"],
    [links[8]?.id, "8"],
    [links[6]?.id, null],
  ]);
  const found = errors.map(({ index, error, message }) => [index, error, message.slice(0, 40)]);
  expect(found).toEqual([
    [1, "validation_error", "links[1].url: must be an http or https U"],
    [2, "conflict", "links[2].custom_slug: TAKEN is already u"],
    [3, "conflict", "links[3].aliases: _t already belongs to "],
    [4, "conflict", "links[4].external_id: t is already used "],
    [5, "validation_error", "links[5].url: must not be a short URL of"],
    [6, "validation_error", "links[6]: must be an object"],
    [7, "validation_error", "links[7].id: must not be repeated in the"],
    [8, "not_found", expect.stringMatching(/^links\[8\]: /)],
    [9, "not_found", expect.stringMatching(/^links\[9\]: /)],
    [10, "validation_error", "links[10].id: must be a UUID"],
    [11, "validation_error", "links[11].titel: is not a known field; d"],
    [12, "feature_not_available", "links[12].routing_rules: is not included"],
  ]);
  expect((await expectData(await other.call("GET", `/v1/links/${foreign.id}`), linkResponse)).data).toEqual(
    foreign,
  );
});

describe("renames of one call", () => {
  test("keep the old codes, and pass a code on to a later item", async () => {
    const workspace = await newWorkspace();
    const [first, second, third] = await createLinks(workspace, 3);
    await change(workspace, [{ id: first?.id, custom_slug: "one" }]);
    expect(await visit(workspace, "/two")).toBe(404);
    const { updated, errors } = await change(workspace, [
      { id: first?.id, custom_slug: "two", keep_old_code: false },
      { id: second?.id, custom_slug: "ONE", aliases: ["_x"] },
      { id: third?.id, aliases: ["_X", "_x"] },
    ]);
    expect(errors).toMatchObject([{ index: 2, error: "conflict" }]);
    expect(updated.map(({ aliases }) => aliases)).toEqual([[first?.short_code], ["_x", second?.short_code]]);
    for (const [path, url] of [
      ["/two", first?.destination],
      [`/${first?.short_code}`, first?.destination],
      ["/one", second?.destination],
      [`/${second?.short_code}`, second?.destination],
      ["/_x", second?.destination],
    ]) {
      expect([path, await visit(workspace, path ?? "")]).toEqual([path, url]);
    }
  });

  test("lose nothing to parallel renames of the same links", async () => {
    const workspace = await newWorkspace();
    const links = await createLinks(workspace, 3);
    const calls = ["a", "b", "c"].map((name) =>
      change(
        workspace,
        links.map(({ id }, n) => ({ id, custom_slug: `${name}-${n}` })),
      ),
    );
    expect((await Promise.all(calls)).flatMap(({ errors }) => errors)).toEqual([]);
    for (const [n, { short_code, destination }] of links.entries()) {
      for (const code of [short_code, `a-${n}`, `b-${n}`, `c-${n}`]) {
        expect([code, await visit(workspace, `/${code}`)]).toEqual([code, destination]);
      }
    }
  });
});

test("PATCH /v1/links/bulk changes a hundred links in one batch and one trip, and large ones in several", async () => {
  const workspace = await newWorkspace("enterprise");
  const links = await createLinks(workspace, 100);
  const batch = vi.spyOn(workspace.shard, "batch");
  const { env, trips } = countingEnv();
  const body = {
    links: links.map(({ id, destination }) => ({ id, url: `${destination}?utm_source=poster` })),
  };
  const response = await workspace.call("PATCH", BULK, { body, env });
  expect((await expectData(response, bulkUpdateResponse)).data.updated).toHaveLength(100);
  // The key, and the batch.
  expect(trips()).toBe(2);
  const note = "é".repeat(1_000);
  const large = `${URL}?${"x".repeat(8_000)}`;
  batch.mockClear();
  const { updated } = await change(
    workspace,
    links.map(({ id }) => ({ id, note, expired_url: large })),
  );
  expect(updated).toHaveLength(100);
  expect(batch.mock.calls.length).toBe(2);
  batch.mockRestore();
  await expectError(
    await workspace.call("PATCH", BULK, { body: { links: Array(101).fill({ id: links[0]?.id }) } }),
    400,
    "VALIDATION_ERROR",
  );
});

test("PATCH /v1/links/bulk leaves a link alone whose destination is on a host that a workspace added since", async () => {
  const workspace = await newWorkspace();
  const old = await createLink(workspace, { url: "http://bulk-update.later.test:8787/" });
  const link = await createLink(workspace);
  await addDomain(workspace, "bulk-update.later.test");
  const { updated, errors } = await change(workspace, [
    { id: old.id, title: "Old" },
    { id: link.id, url: `${URL}new` },
  ]);
  expect([updated.map(({ title, destination }) => [title, destination]), errors]).toEqual([
    [
      ["Old", old.destination],
      [null, `${URL}new`],
    ],
    [],
  ]);
});
