import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { hashChangeKey } from "../../src/change-feed/change-key.ts";
import { getSettings } from "../../src/env.ts";
import { type LinkResponse, linkResponse } from "../../src/links/link-response.ts";
import { bulkCreateResponse } from "../../src/links/links.schema.ts";
import type { ReadResult } from "../../src/resolving/entry-resolver.ts";
import type { Host } from "../../src/resolving/host-read.ts";
import { forgetAll } from "../../src/resolving/resolve.ts";
import { pickTarget, type TargetEntry } from "../../src/resolving/target.ts";
import { readTarget } from "../../src/resolving/target-read.ts";
import { toCodeKey } from "../../src/routing/short-code.ts";
import {
  countingEnv,
  createLink,
  expectData,
  expectError,
  newWorkspace,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import { buildPlainHost } from "../support/plain-host.ts";
import { evict, visitWithEnv } from "../support/redirects.ts";
import { chooseRuns } from "../support/runs.ts";

/** Aliases and former short codes of links: through the API, the redirects and their caches. */

const LINKS = "/v1/links";

beforeEach(forgetAll);

async function visit(workspace: TestWorkspace, path: string): Promise<string | number> {
  const response = await workspace.visit(path);
  return response.headers.get("Location") ?? response.status;
}

function patch(workspace: TestWorkspace, id: string, body: object): Promise<Response> {
  return workspace.call("PATCH", `${LINKS}/${id}`, { body });
}

async function change(workspace: TestWorkspace, id: string, body: object): Promise<LinkResponse> {
  return (await expectData(await patch(workspace, id, body), linkResponse)).data;
}

test("an alias redirects exactly as written, and with one trailing slash", async () => {
  const workspace = await newWorkspace();
  const aliases = ["Ab", "a/B/c", "café", "100%", "%41", "🙂", "x y", "_", "what?", "menu#1"];
  const link = await createLink(workspace, { aliases: [...aliases, "Ab", "cafe\u0301"] });
  expect(link.aliases).toEqual(aliases);
  for (const path of [
    ...["/Ab", "/Ab/", "/a/B/c", "/a%2FB/c/", "/caf%C3%A9", "/cafe%CC%81", "/100%25", "/100%", "/%2541"],
    ...["/%F0%9F%99%82", "/x%20y", "/_", "/what%3F", "/what%3f?", "/menu%231", "/%41b"],
  ]) {
    expect([path, await visit(workspace, path)]).toEqual([path, link.destination]);
    forgetAll();
    expect([path, await visit(workspace, path)]).toEqual([path, link.destination]);
  }
  for (const path of ["/AB", "/ab", "/Ab//", "/a/b/c", "/a/B", "/A", "/CAF%C3%89", "/what?", "/menu#1"]) {
    expect([path, await visit(workspace, path)]).toEqual([path, 404]);
  }
  expect(await visit(workspace, `/${link.short_code.toUpperCase()}`)).toBe(link.destination);
});

test("a change or removal of an aliased link is seen immediately, and a new link can take its alias", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace, { aliases: ["one", "two/2"] });
  expect(await visit(workspace, "/two/2")).toBe("https://example.com/");
  await change(workspace, id, { url: "https://example.com/new" });
  expect(await visit(workspace, "/two/2")).toBe("https://example.com/new");
  forgetAll();
  expect(await visit(workspace, "/one")).toBe("https://example.com/new");
  expect((await change(workspace, id, { aliases: ["two/2"] })).aliases).toEqual(["two/2"]);
  expect(await visit(workspace, "/one")).toBe(404);
  const { short_code } = await createLink(workspace, { custom_slug: "one", url: "https://example.org/" });
  expect([await visit(workspace, "/one"), await visit(workspace, "/ONE")]).toEqual(
    Array(2).fill("https://example.org/"),
  );
  expect(short_code).toBe("one");
  await workspace.call("DELETE", `${LINKS}/${id}`);
  expect(await visit(workspace, "/two/2")).toBe(404);
  await createLink(workspace, { aliases: ["two/2"] });
  expect(await visit(workspace, "/two/2")).toBe("https://example.com/");
});

test("paths that differ only in case lead to different links, from each layer of caches", async () => {
  const workspace = await newWorkspace();
  const url = (name: string) => `https://example.com/${name}`;
  await createLink(workspace, { custom_slug: "Twin", url: url("code") });
  const { id } = await createLink(workspace, { aliases: ["tWin"], url: url("tWin") });
  await createLink(workspace, { aliases: ["twIn"], url: url("twIn") });
  const seen = async () =>
    Promise.all(["/Twin", "/tWin", "/twIn", "/TWIN", "/twiN"].map((p) => visit(workspace, p)));
  const expected = [url("code"), url("tWin"), url("twIn"), url("code"), url("code")];
  expect(await seen()).toEqual(expected);
  forgetAll();
  expect(await seen()).toEqual(expected);
  await evict(workspace, "twin");
  expect(await seen()).toEqual(expected);
  await change(workspace, id, { aliases: [] });
  expect(await seen()).toEqual(expected.with(1, url("code")));
});

test.each<[string, unknown]>([
  ["a leading slash", ["/menu"]],
  ["21 aliases", Array.from({ length: 21 }, (_, n) => `a${n}`)],
  ["a text in place of a list", "menu"],
])("POST /v1/links rejects %s", async (_, aliases) => {
  const workspace = await newWorkspace();
  const response = await workspace.call("POST", LINKS, { body: { url: "https://example.com", aliases } });
  expect((await expectError(response, 400, "VALIDATION_ERROR")).message).toMatch(/^aliases/);
});

describe("a path belongs to one link", () => {
  const url = "https://example.com/";

  test.each<[string, object, object, string | null]>([
    ["an alias that is an alias", { aliases: ["x"] }, { aliases: ["y", "x"] }, "ALIAS_TAKEN"],
    ["an alias in another case", { aliases: ["x"] }, { aliases: ["X"] }, null],
    ["an alias that is a code", { custom_slug: "aBc" }, { aliases: ["aBc"] }, "ALIAS_TAKEN"],
    ["an alias that is a code in lower case", { custom_slug: "aBc" }, { aliases: ["abc"] }, "ALIAS_TAKEN"],
    ["an alias that is a code in upper case", { custom_slug: "aBc" }, { aliases: ["ABC"] }, "ALIAS_TAKEN"],
    ["an alias that is another mixture", { custom_slug: "aBc" }, { aliases: ["AbC"] }, null],
    ["a slug that is an alias", { aliases: ["aBc"] }, { custom_slug: "aBc" }, "SLUG_TAKEN"],
    ["a slug whose lower case is an alias", { aliases: ["abc"] }, { custom_slug: "aBc" }, "SLUG_TAKEN"],
    ["a slug whose upper case is an alias", { aliases: ["ABC"] }, { custom_slug: "aBc" }, "SLUG_TAKEN"],
    ["a slug that differs from an alias only in case", { aliases: ["AbC"] }, { custom_slug: "aBc" }, null],
    ["a slug in the case of another", { custom_slug: "abc" }, { custom_slug: "aBc" }, "SLUG_TAKEN"],
  ])("%s", async (_, first, second, code) => {
    const workspace = await newWorkspace();
    const holder = await createLink(workspace, first);
    const created = await workspace.call("POST", LINKS, { body: { url, ...second } });
    const { data: bulk } = await expectData(
      await workspace.call("POST", `${LINKS}/bulk`, { body: { links: [{ url }, { url, ...second }] } }),
      bulkCreateResponse,
      201,
    );
    const other = await createLink(workspace);
    const changed = await patch(workspace, other.id, second);
    if (code === null) {
      expect(created.status).toBe(201);
      // The creation just before has the path now.
      expect(bulk.errors.map(({ error }) => error)).toEqual(["conflict"]);
      expect(changed.status).toBe(409);
      return;
    }
    const { message } = await expectError(created, 409, code);
    if (code === "ALIAS_TAKEN") expect(message).toContain(`${holder.short_code} (${holder.id})`);
    expect(bulk.created).toHaveLength(1);
    expect(bulk.errors).toMatchObject([{ index: 1, error: "conflict" }]);
    await expectError(changed, 409, code);
    expect(
      (await expectData(await workspace.call("GET", `${LINKS}/${other.id}`), linkResponse)).data,
    ).toEqual(other);
  });

  test("20 parallel requests for one path give it to one link", async () => {
    const workspace = await newWorkspace("enterprise");
    const requests = Array.from({ length: 20 }, (_, n) => ({
      url,
      ...(n % 2 === 0 ? { custom_slug: "wanted" } : { aliases: ["WANTED"] }),
    }));
    const statuses = await Promise.all(
      requests.map(async (body) => (await workspace.call("POST", LINKS, { body })).status),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
  });

  test("items of a bulk creation conflict with each other, and only 50 aliases may differ only in case", async () => {
    const workspace = await newWorkspace();
    const links = [{ aliases: ["x"] }, { aliases: ["x"] }, { custom_slug: "abc" }, { aliases: ["ABC"] }, {}];
    const body = { links: links.map((link) => ({ url, ...link })) };
    const { data } = await expectData(
      await workspace.call("POST", `${LINKS}/bulk`, { body }),
      bulkCreateResponse,
      201,
    );
    expect(data.errors.map(({ index, error }) => [index, error])).toEqual([
      [1, "conflict"],
      [3, "conflict"],
    ]);
    const cases = Array.from({ length: 51 }, (_, n) =>
      [..."variant"].map((letter, bit) => ((n >> bit) & 1 ? letter.toUpperCase() : letter)).join(""),
    );
    for (const from of [0, 20]) await createLink(workspace, { aliases: cases.slice(from, from + 20) });
    const { id } = await createLink(workspace, { aliases: cases.slice(40, 50) });
    await expectError(await patch(workspace, id, { aliases: cases.slice(40, 51) }), 400, "VALIDATION_ERROR");
  });
});

describe("PATCH with custom_slug", () => {
  test("renames a link, whose old code goes on working in any case", async () => {
    const workspace = await newWorkspace();
    const { id, destination } = await createLink(workspace, { custom_slug: "Old", aliases: ["x"] });
    expect(await visit(workspace, "/new")).toBe(404);
    const renamed = await change(workspace, id, { custom_slug: "New" });
    expect(renamed).toMatchObject({ short_code: "New", aliases: ["x", "Old"] });
    expect(renamed.short_url).toMatch(/\/New$/);
    for (const path of ["/new", "/NEW", "/old", "/oLd", "/x"])
      expect(await visit(workspace, path)).toBe(destination);
    await expectError(
      await workspace.call("POST", LINKS, { body: { url: destination, custom_slug: "oLD" } }),
      409,
      "SLUG_TAKEN",
    );
    // Back again: the code is no alias any more.
    expect(await change(workspace, id, { custom_slug: "Old" })).toMatchObject({ aliases: ["x", "New"] });
    await change(workspace, id, { custom_slug: "third", aliases: ["New"], keep_old_code: false });
    expect([await visit(workspace, "/old"), await visit(workspace, "/nEw")]).toEqual([404, destination]);
    // An alias that is added again matches exactly.
    await change(workspace, id, { aliases: [] });
    await change(workspace, id, { aliases: ["New"] });
    expect([await visit(workspace, "/New"), await visit(workspace, "/new")]).toEqual([destination, 404]);
  });

  test("responds 409 if the list of aliases is full, and 400 for keep_old_code alone", async () => {
    const workspace = await newWorkspace();
    const aliases = Array.from({ length: 20 }, (_, n) => `a${n}`);
    const { id } = await createLink(workspace, { aliases });
    await expectError(await patch(workspace, id, { custom_slug: "new" }), 409, "ALIAS_LIMIT_EXCEEDED");
    await expectError(await patch(workspace, id, { keep_old_code: false }), 400, "VALIDATION_ERROR");
    const renamed = await change(workspace, id, { custom_slug: "new", keep_old_code: false });
    expect(renamed.aliases).toEqual(aliases);
  });

  test("parallel renames of a link keep every code", async () => {
    const workspace = await newWorkspace();
    const { id, short_code, destination } = await createLink(workspace);
    const slugs = Array.from({ length: 8 }, (_, n) => `name-${n}`);
    await Promise.all(slugs.map((custom_slug) => change(workspace, id, { custom_slug })));
    for (const code of [short_code, ...slugs]) expect(await visit(workspace, `/${code}`)).toBe(destination);
  });

  test("is reverted by the history, which keeps both codes and the case-insensitive ones", async () => {
    const workspace = await newWorkspace();
    const { id, destination } = await createLink(workspace, { custom_slug: "first" });
    await change(workspace, id, { custom_slug: "second" });
    await change(workspace, id, { aliases: [] });
    const history = async () => {
      const { data } = await (await workspace.call("GET", `${LINKS}/${id}/history`)).json<{
        data: { id: string }[];
      }>();
      return data.map((entry) => entry.id);
    };
    const [removal, renaming] = await history();
    const revert = async (entry: string | undefined) =>
      (await expectData(await workspace.call("POST", `${LINKS}/${id}/history/${entry}/revert`), linkResponse))
        .data;
    expect(await revert(removal)).toMatchObject({ short_code: "second", aliases: ["first"] });
    expect(await visit(workspace, "/FIRST")).toBe(destination);
    expect(await revert(renaming)).toMatchObject({ short_code: "first", aliases: ["second"] });
    expect(await visit(workspace, "/Second")).toBe(destination);
  });
});

test("search and codes find links by their aliases", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace, { aliases: ["Söder/MENU", "_q"] });
  await createLink(workspace, { aliases: ["other"] });
  const find = async (query: string) => {
    const { data } = await (await workspace.call("GET", `${LINKS}?${query}`)).json<{
      data: { id: string }[];
    }>();
    return data.map((link) => link.id);
  };
  const encoded = (text: string) => encodeURIComponent(text);
  for (const query of ["search=menu", `search=${encoded("söder/m")}`, "search=_q", "search=_Q", "search=_"]) {
    expect([query, await find(query)]).toEqual([query, [id]]);
  }
  expect(await find(`codes=nothing,${encoded("Söder/MENU")}`)).toEqual([id]);
  expect(await find("codes=_Q")).toEqual([]);
  await change(workspace, id, { aliases: ["_q"] });
  expect([await find("search=menu"), await find("search=_q")]).toEqual([[], [id]]);
});

test("external_id is unique in the workspace, and finds its link", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace, { external_id: "order/1", archived: true });
  const other = await createLink(workspace);
  for (const external_id of [".", ".."])
    await expectError(await patch(workspace, other.id, { external_id }), 400, "VALIDATION_ERROR");
  const body = { url: "https://example.com/", external_id: "order/1" };
  await expectError(await workspace.call("POST", LINKS, { body }), 409, "EXTERNAL_ID_TAKEN");
  await expectError(await patch(workspace, other.id, { external_id: "order/1" }), 409, "EXTERNAL_ID_TAKEN");
  const links = [body, { ...body, external_id: "2" }, { ...body, external_id: "2" }, { url: body.url }];
  const { data } = await expectData(
    await workspace.call("POST", `${LINKS}/bulk`, { body: { links } }),
    bulkCreateResponse,
    201,
  );
  expect(data.errors.map(({ index, error }) => [index, error])).toEqual([
    [0, "conflict"],
    [2, "conflict"],
  ]);
  const found = await workspace.call("GET", `${LINKS}?external_id=order%2F1&archived=all`);
  expect((await expectData(found, linkResponse.array())).data.map((link) => link.id)).toEqual([id]);
  await change(workspace, id, { external_id: null });
  expect(await change(workspace, other.id, { external_id: "order/1" })).toMatchObject({
    external_id: "order/1",
  });
});

test("looking up an alias or an unknown path takes one trip to the shard", async () => {
  const workspace = await newWorkspace();
  const { destination } = await createLink(workspace, { aliases: ["printed/Code"] });
  for (const [path, expected] of [
    ["/printed/Code", destination],
    ["/printed/other", null],
  ] as const) {
    await evict(workspace, path.slice(1));
    const { env, counts } = countingEnv(workerEnv);
    expect((await visitWithEnv(workspace, path, env)).headers.get("Location")).toBe(expected);
    expect([path, counts.d1]).toEqual([path, 1]);
  }
});

/** Model of a workspace's addresses. Codes and former codes match in any case. */
class Model {
  readonly links = new Map<string, { code: string; aliases: string[]; formers: string[]; url: string }>();
  readonly trash = new Map(this.links);

  addresses(except?: string): [path: string, anyCase: boolean, id: string][] {
    return [...this.links].flatMap(([id, { code, aliases, formers }]) =>
      id === except
        ? []
        : [
            [code, true, id] as const,
            ...aliases.map((path) => [path, formers.includes(path), id] as const),
          ].map(([path, anyCase]) => [path, anyCase, id] as [string, boolean, string]),
    );
  }

  resolve(path: string): string | undefined {
    const all = this.addresses();
    const found =
      all.find(([own, anyCase]) => own === path && !anyCase) ??
      all.find(([own, anyCase]) => anyCase && own.toLowerCase() === path.toLowerCase());
    return found?.[2];
  }

  isTaken(path: string, anyCase: boolean, id?: string): boolean {
    const isForm = (text: string) => text === text.toLowerCase() || text === text.toUpperCase();
    return this.addresses(id).some(
      ([own, isAny]) =>
        own.toLowerCase() === path.toLowerCase() &&
        (own === path || (isAny && (anyCase || isForm(path))) || (anyCase && isForm(own))),
    );
  }
}

const SLUGS = ["abc", "aBc", "ABC", "xyz"];
const PATHS = [...SLUGS, "abC", "Xyz", "_/b", "_/B"];
const pick = fc.nat(3);
const step = fc.oneof(
  fc.record({
    type: fc.constant("create" as const),
    slug: fc.option(fc.constantFrom(...SLUGS)),
    aliases: fc.uniqueArray(fc.constantFrom(...PATHS), { maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant("alias" as const),
    link: pick,
    aliases: fc.uniqueArray(fc.constantFrom(...PATHS), { maxLength: 3 }),
    isAdded: fc.boolean(),
  }),
  fc.record({
    type: fc.constant("rename" as const),
    link: pick,
    slug: fc.constantFrom(...SLUGS),
    isKept: fc.boolean(),
  }),
  fc.record({ type: fc.constant("edit" as const), link: pick }),
  fc.record({ type: fc.constant("delete" as const), link: pick }),
  fc.record({ type: fc.constant("restore" as const), link: pick }),
  fc.record({ type: fc.constant("forget" as const) }),
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Makes a step through the API and in the model, and compares the statuses. */
async function makeStep(workspace: TestWorkspace, model: Model, made: Step, number: number): Promise<void> {
  if (made.type === "forget") return forgetAll();
  const url = `https://example.com/${number}`;
  if (made.type === "create") {
    const { slug, aliases } = made;
    const body = { url, aliases, ...(slug !== null && { custom_slug: slug }) };
    const response = await workspace.call("POST", LINKS, { body });
    const isTaken =
      (slug !== null && model.isTaken(slug, true)) || aliases.some((alias) => model.isTaken(alias, false));
    expect(response.status).toBe(isTaken ? 409 : 201);
    if (isTaken) return;
    const { data } = await expectData(response, linkResponse, 201);
    model.links.set(data.id, { code: data.short_code, aliases, formers: [], url });
    return;
  }
  const chosen = made.type === "restore" ? model.trash : model.links;
  const ids = [...chosen.keys()];
  const id = ids[made.link % Math.max(ids.length, 1)];
  const link = id === undefined ? undefined : chosen.get(id);
  if (id === undefined || link === undefined) return;
  const isTakenBy = ({ code, aliases, formers }: typeof link) =>
    model.isTaken(code, true, id) ||
    aliases.some((alias) => model.isTaken(alias, formers.includes(alias), id));
  if (made.type === "edit") {
    link.url = (await change(workspace, id, { url })).destination;
    return;
  }
  if (made.type === "delete") {
    expect((await workspace.call("DELETE", `${LINKS}/${id}`)).status).toBe(200);
    model.links.delete(id);
    model.trash.set(id, link);
    return;
  }
  if (made.type === "restore") {
    const isTaken = isTakenBy(link);
    expect((await workspace.call("POST", `${LINKS}/${id}/restore`)).status).toBe(isTaken ? 409 : 200);
    if (isTaken) return;
    model.trash.delete(id);
    model.links.set(id, link);
    return;
  }
  const next = { ...link };
  let body: object;
  if (made.type === "alias") {
    next.aliases = [...new Set([...(made.isAdded ? link.aliases : []), ...made.aliases])];
    body = { aliases: next.aliases };
  } else {
    const kept = made.isKept && made.slug !== link.code ? [link.code] : [];
    next.aliases = [...new Set([...link.aliases, ...kept])].filter(
      (alias) => made.slug === link.code || alias !== made.slug,
    );
    next.formers = [...link.formers, ...kept];
    next.code = made.slug;
    body = { custom_slug: made.slug, keep_old_code: made.isKept };
  }
  next.formers = next.formers.filter((code) => next.aliases.includes(code));
  const response = await patch(workspace, id, body);
  const isTaken = isTakenBy(next);
  expect([made, response.status]).toEqual([made, isTaken ? 409 : 200]);
  if (!isTaken) model.links.set(id, next);
}

/** Entries of another data centre, which are used until the change feed reports a change. */
class OtherDataCentre {
  readonly #entries = new Map<string, ReadResult<TargetEntry>>();
  readonly #workspace: TestWorkspace;
  readonly #host: Host;
  #seq = 0;

  constructor(workspace: TestWorkspace) {
    this.#workspace = workspace;
    this.#host = buildPlainHost(workspace.id, workspace.shardNumber);
  }

  async resolve(path: string): Promise<string | undefined> {
    const key = toCodeKey(path);
    const settings = getSettings(workerEnv);
    const entry =
      this.#entries.get(key) ?? (await readTarget(this.#workspace.shard, settings, this.#host, key, null, 0));
    // Entries for unknown paths are used for some seconds only, whether or not there was a change.
    if (entry.value !== null) this.#entries.set(key, entry);
    return (entry.value && pickTarget(entry.value, path)?.id) ?? undefined;
  }

  async follow(): Promise<void> {
    const { results } = await this.#workspace.shard
      .prepare("SELECT seq, code_key FROM target_changes WHERE seq > ? AND workspace_id = ? ORDER BY seq")
      .bind(this.#seq, this.#workspace.id)
      .all<{ seq: number; code_key: string }>();
    this.#seq = results.at(-1)?.seq ?? this.#seq;
    const changed = new Set(results.map(({ code_key }) => hashChangeKey(this.#host.prefix + code_key)));
    for (const [key, { hashes }] of this.#entries) {
      if (hashes.some((hash) => changed.has(hash))) this.#entries.delete(key);
    }
  }
}

test("every path leads where a model says, after any creations, changes, renames, deletions and restorations", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 15 }), async (steps) => {
      const workspace = await newWorkspace("enterprise");
      const model = new Model();
      const elsewhere = new OtherDataCentre(workspace);
      for (const [number, made] of steps.entries()) {
        await makeStep(workspace, model, made, number);
        await elsewhere.follow();
        const paths = [...PATHS, ...[...model.links.values()].map(({ code }) => code)];
        // Together, because each counted visit waits for the end of its window.
        await Promise.all(
          paths.map(async (path) => {
            const expected = model.resolve(path);
            const url = expected === undefined ? 404 : model.links.get(expected)?.url;
            expect([path, await visit(workspace, `/${encodeURI(path)}`)]).toEqual([path, url]);
            expect([path, await elsewhere.resolve(path)]).toEqual([path, expected]);
          }),
        );
      }
    }),
    { numRuns: chooseRuns(3, 200), seed: 35 },
  );
}, 120_000);
