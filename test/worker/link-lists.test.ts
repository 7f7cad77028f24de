import fc from "fast-check";
import { expect, test } from "vitest";
import type { LinkResponse } from "../../src/links/link-response.ts";
import { bulkCreateResponse } from "../../src/links/links.schema.ts";
import { createLink, expectData, expectError, newWorkspace, workerEnv } from "../support/harness.ts";
import { LINKS, listLinks, walk } from "../support/link-lists.ts";
import { chooseRuns } from "../support/runs.ts";
import { seedLinks } from "../support/seed-links.ts";

/** Lists of links. `link-list-costs` counts the rows that they read. */

const asciiLower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Returns true if a search for the text should find the link. The index must agree with this definition. */
function isFound({ short_code, destination, title }: LinkResponse, text: string): boolean {
  const [code = "", ...others] = [short_code, destination, title ?? ""].map(asciiLower);
  const needle = asciiLower(text);
  return [...text].length < 3 && /^[A-Za-z0-9-]+$/.test(text)
    ? code.startsWith(needle)
    : [code, ...others].some((searched) => searched.includes(needle));
}

/**
 * Characters with a meaning in FTS5 or LIKE, letters with special case rules, and characters of several
 * bytes.
 */
const CHARACTERS = [..."abABkKiIsSéÉßẞİıſK😀%_\"*'()+-:^\\/?&=.~{}"];
const character = fc.constantFrom(...CHARACTERS);
const path = fc.array(character, { maxLength: 12 }).map((characters) => characters.join(""));
const code = fc.stringMatching(/^[abABkK-]{3,9}$/);

test("a search finds exactly the links with the text, also after changes and deletions", async () => {
  const workspace = await newWorkspace();
  const other = await newWorkspace();
  const items = fc
    .sample(fc.record({ path, title: path, code: fc.option(code, { nil: undefined }) }), {
      numRuns: 100,
      seed: 7,
    })
    .map(({ path, title, code }) => ({
      url: `https://example.com/${path}`,
      ...(title && { title }),
      ...(code && { custom_slug: code }),
    }));
  let links: LinkResponse[] = [];
  for (const owner of [other, workspace]) {
    const response = await owner.call("POST", `${LINKS}/bulk`, { body: { links: items } });
    links = (await expectData(response, bulkCreateResponse, 201)).data.created.toReversed();
  }
  expect(links.length).toBeGreaterThan(60);
  const needle = fc.oneof(
    fc.array(character, { minLength: 1, maxLength: 5 }).map((characters) => characters.join("")),
    fc
      .tuple(fc.nat({ max: 1_000 }), fc.nat(), fc.integer({ min: 1, max: 12 }), fc.func(fc.boolean()))
      .map(([index, start, length, isUpper]) => {
        const link = links[index % links.length] as LinkResponse;
        const texts = [link.short_code, link.destination, link.title ?? link.destination];
        const text = [...(texts[index % 3] as string)];
        const part = text.slice(start % text.length).slice(0, length);
        return part.map((letter) => (isUpper(letter) ? letter.toUpperCase() : letter)).join("");
      }),
  );
  // Several keys share the requests, so that none reaches its rate limit.
  const keys = await Promise.all(Array.from({ length: 10 }, () => workspace.newKey()));
  let calls = 0;
  const nextKey = () => workspace.as(keys[calls++ % keys.length] as string);
  const compare = async () =>
    fc.assert(
      fc.asyncProperty(needle, async (text) => {
        const { data, meta } = await listLinks(nextKey(), { search: text, limit: 200 });
        const expected = links.filter((link) => isFound(link, text));
        expect(data).toEqual(expected);
        expect(meta).toMatchObject({ total: expected.length, total_is_capped: false, next_before: null });
      }),
      { numRuns: chooseRuns(15, 60) },
    );
  await compare();
  for (const [index, link] of links.entries()) {
    const [method, body] =
      index % 3 === 0
        ? ["DELETE", undefined]
        : [
            "PATCH",
            index % 2 === 0 ? { url: `${link.destination}/Kİ` } : { title: `Kİ ${link.title ?? ""}` },
          ];
    if (index % 3 !== 2) await nextKey().call(method as string, `${LINKS}/${link.id}`, { body });
  }
  links = (await listLinks(workspace, { limit: 200 })).data;
  await compare();
}, 60_000);

test("the index has an entry for each link, and none for deleted links", async () => {
  const workspace = await newWorkspace();
  const readIndexed = async () => {
    const terms = await workerEnv.DIRECTORY.prepare(
      "SELECT printf('%xz*', number) FROM workspaces WHERE id = ?",
    )
      .bind(workspace.id)
      .raw<[string]>();
    const { results } = await workspace.shard
      .prepare("SELECT rowid FROM link_search WHERE link_search MATCH ? ORDER BY rowid")
      .bind(terms[0]?.[0])
      .all();
    return results.map(({ rowid }) => rowid);
  };
  const readPositions = async () => {
    const { results } = await workspace.shard
      .prepare("SELECT position FROM links WHERE workspace_id = ? ORDER BY position")
      .bind(workspace.id)
      .all();
    return results.map(({ position }) => position);
  };
  const body = { links: Array.from({ length: 20 }, (_, n) => ({ url: `https://example.com/${n}` })) };
  await workspace.call("POST", `${LINKS}/bulk`, { body });
  const { id } = await createLink(workspace, { url: "https://example.com/last" });
  expect(await readIndexed()).toHaveLength(21);
  expect(await readIndexed()).toEqual(await readPositions());
  // Positions of stored rows: the workspace's number and 28 bits.
  const number = await workspace.shard
    .prepare("SELECT number FROM tenants WHERE id = ?")
    .bind(workspace.id)
    .first<number>("number");
  const first = (number as number) * 2 ** 28 + 1;
  expect(await readPositions()).toEqual(Array.from({ length: 21 }, (_, n) => first + n));
  await workspace.call("PATCH", `${LINKS}/${id}`, { body: { url: "https://example.com/changed" } });
  expect((await listLinks(workspace, { search: "last" })).data).toEqual([]);
  expect((await listLinks(workspace, { search: "changed" })).data).toHaveLength(1);
  const { data } = await listLinks(workspace, {});
  for (const link of data.slice(0, 11)) await workspace.call("DELETE", `${LINKS}/${link.id}`);
  expect(await readIndexed()).toHaveLength(10);
  expect(await readIndexed()).toEqual(await readPositions());
  for (const link of data.slice(11)) await workspace.call("DELETE", `${LINKS}/${link.id}`);
  expect(await readIndexed()).toEqual([]);
  await createLink(workspace, { url: "https://example.com/again" });
  expect((await listLinks(workspace, { search: "again" })).data).toHaveLength(1);
});

test("a failed request leaves no entry in the index", async () => {
  const workspace = await newWorkspace();
  await createLink(workspace, { custom_slug: "taken" });
  const body = { url: "https://example.com/refused", custom_slug: "taken" };
  await expectError(await workspace.call("POST", LINKS, { body }), 409, "SLUG_TAKEN");
  expect((await listLinks(workspace, { search: "refused" })).data).toEqual([]);
});

test.each(["a\u0000bc", "\u0002\u0002t", "\u0002te", "\u0000", "* OR *", '"', "terms:abc", "NEAR(abc)"])(
  "a search for %j finds nothing and does not fail",
  async (search) => {
    const workspace = await newWorkspace();
    await createLink(workspace, { custom_slug: "text" });
    expect((await listLinks(workspace, { search })).data).toEqual([]);
  },
);

test("a search of one or two characters that no code starts with finds titles, newest first", async () => {
  const workspace = await newWorkspace();
  const titles = ["東京 (日本)", "日本", "한국 100%", "Text"];
  for (const title of titles)
    await createLink(workspace, { title, labels: title.includes("日") ? ["asia"] : [] });
  for (const [query, found] of [
    [{ search: "日本" }, ["日本", "東京 (日本)"]],
    [{ search: "日本", label: "asia", domain: "example.com" }, ["日本", "東京 (日本)"]],
    [{ search: "日本", sort: "scan_count" }, ["日本", "東京 (日本)"]],
    [{ search: "국" }, ["한국 100%"]],
    [{ search: "%" }, ["한국 100%"]],
    [{ search: "T-" }, []],
  ] as const) {
    const { data } = await listLinks(workspace, query);
    expect(
      data.map(({ title }) => title),
      JSON.stringify(query),
    ).toEqual(found);
  }
});

test("a search covers the first 1,024 characters of a destination", async () => {
  const workspace = await newWorkspace();
  const start = "https://example.com/";
  // The index has all terms of "early", but the text itself ends one character beyond.
  await createLink(workspace, { url: `${start}rly${"x".repeat(1_017 - start.length)}early` });
  expect((await listLinks(workspace, { search: "xearl" })).data).toHaveLength(1);
  expect((await listLinks(workspace, { search: "early" })).data).toEqual([]);
});

test("a filtered list examines 700 links, in every order", async () => {
  const workspace = await newWorkspace("enterprise");
  await seedLinks({
    workspace,
    count: 701,
    code: "'code-' || n",
    destination: "'https://example.com/'",
    labels: "'[\"a\"]'",
    enabled: "(n < 2)",
  });
  const list = async (query: Record<string, string>) =>
    (await listLinks(workspace, { enabled: "true", ...query })).data.map(({ short_code }) => short_code);
  for (const query of [{}, { label: "a" }, { search: "code" }, { sort: "scan_count" }]) {
    const context = JSON.stringify(query);
    expect(await list(query), context).toEqual(["code-1"]);
    const { meta } = await listLinks(workspace, { ...query, limit: 1 });
    expect(await list({ ...query, before: String(meta.next_before) }), context).toEqual(["code-1", "code-0"]);
  }
  // Each order by scans examines 700 scanned links and 700 others.
  await workspace.shard
    .prepare("UPDATE links SET ranked_scan_count = 1, scan_count = 1 WHERE workspace_id = ?")
    .bind(workspace.id)
    .run();
  expect(await list({ sort: "scan_count" })).toEqual(["code-1"]);
});

test("a list continues after a deleted link, in every order of its index", async () => {
  const workspace = await newWorkspace();
  for (const n of [1, 2, 3, 4]) await createLink(workspace, { custom_slug: `link-${n}`, labels: ["a"] });
  for (const filter of [{}, { label: "a" }, { enabled: "true" }, { search: "link" }, { search: "li" }]) {
    const context = JSON.stringify(filter);
    const removed = await createLink(workspace, { custom_slug: "link-5", labels: ["a"] });
    const first = await listLinks(workspace, { ...filter, limit: 1 });
    expect(first.data, context).toEqual([removed]);
    expect(first.meta.next_before).toBe(removed.id);
    await workspace.call("DELETE", `${LINKS}/${removed.id}`);
    const rest = await listLinks(workspace, { ...filter, before: removed.id });
    expect(
      rest.data.map(({ short_code }) => short_code),
      context,
    ).toEqual(["link-4", "link-3", "link-2", "link-1"]);
    expect(rest.meta.next_before).toBeNull();
  }
});

test("searches and cursors return nothing of another workspace", async () => {
  const [workspace, other] = [await newWorkspace(), await newWorkspace()];
  const foreign = await createLink(other, { custom_slug: "secret-one", labels: ["a"] });
  const own = await createLink(workspace, { custom_slug: "secret-two", labels: ["a"] });
  const newer = await createLink(other, { custom_slug: "secret-three", labels: ["a"] });
  for (const filter of [{}, { search: "secret" }, { search: "s" }, { label: "a" }, { enabled: "true" }]) {
    expect((await listLinks(workspace, filter)).data).toEqual([own]);
    expect((await listLinks(workspace, { ...filter, before: newer.id })).data).toEqual([own]);
    expect((await listLinks(workspace, { ...filter, before: foreign.id })).data).toEqual([]);
  }
  expect((await listLinks(workspace, { search: "three" })).meta.total).toBe(0);
});

test("a search skips up to 500,000 positions at a time and returns a cursor to continue", async () => {
  const workspace = await newWorkspace();
  const seed = (firstPosition: number, code: string) =>
    seedLinks({
      workspace,
      count: 1,
      code: `'${code}'`,
      destination: "'https://example.com/far'",
      firstPosition,
    });
  // The newest link is at 500,002: its search covers positions from 3.
  await seed(2, "oldest-one");
  await seed(3, "middle-one");
  await seed(500_001, "later-one");
  const newest = await createLink(workspace, { custom_slug: "newest-one", url: "https://example.com/far" });
  for (const search of ["far", "one", "exam"]) {
    const first = await listLinks(workspace, { search });
    expect(
      first.data.map(({ short_code }) => short_code),
      search,
    ).toEqual([newest.short_code, "later-one", "middle-one"]);
    expect(first.meta).toMatchObject({ total: 3, total_is_capped: true, next_before: expect.any(String) });
    const rest = await listLinks(workspace, { search, before: String(first.meta.next_before) });
    expect(rest.data.map(({ short_code }) => short_code)).toEqual(["oldest-one"]);
    expect(rest.meta).toMatchObject({ total: 1, next_before: null });
    expect((await walk(workspace, { search })).ids).toHaveLength(4);
  }
  // The search finds a text that only the oldest link has after an empty page.
  const empty = await listLinks(workspace, { search: "oldest" });
  expect(empty.data).toEqual([]);
  expect(empty.meta.next_before).not.toBeNull();
  expect((await walk(workspace, { search: "oldest" })).ids).toHaveLength(1);
  expect((await walk(workspace, { search: "ol" })).ids).toHaveLength(1);
  expect((await walk(workspace, { search: "absent" })).ids).toEqual([]);
});

test("lists exclude archived links by default, with exact totals and full pages", async () => {
  const workspace = await newWorkspace();
  const items = Array.from({ length: 20 }, (_, n) => ({
    url: `https://example.com/${n}`,
    archived: n >= 5 && n < 15,
    labels: n % 2 === 0 ? ["even"] : [],
  }));
  const created = await workspace.call("POST", `${LINKS}/bulk`, { body: { links: items } });
  const links = (await expectData(created, bulkCreateResponse, 201)).data.created.toReversed();
  const select = (isListed: (link: LinkResponse) => boolean) => links.filter(isListed).map(({ id }) => id);
  const expectList = async (query: Record<string, string | number>, expected: string[]) => {
    const { data, meta } = await listLinks(workspace, { limit: 200, ...query });
    expect(data.map(({ id }) => id)).toEqual(expected);
    expect(meta.total).toBe(expected.length);
    expect((await walk(workspace, { limit: 3, ...query })).ids).toEqual(expected);
  };
  await expectList(
    {},
    select(({ archived }) => !archived),
  );
  await expectList(
    { archived: "true" },
    select(({ archived }) => archived),
  );
  await expectList(
    { archived: "all" },
    select(() => true),
  );
  const isEven = ({ labels }: LinkResponse) => labels.length > 0;
  await expectList(
    { label: "even" },
    select((link) => isEven(link) && !link.archived),
  );
  await expectList({ label: "even", archived: "all" }, select(isEven));
  const { pages } = await walk(workspace, { limit: 5 });
  expect(pages).toBe(2);

  const [newest, second] = links as [LinkResponse, LinkResponse];
  await workspace.call("PATCH", `${LINKS}/${newest.id}`, { body: { archived: true } });
  await workspace.call("DELETE", `${LINKS}/${second.id}`);
  expect((await listLinks(workspace, {})).meta.total).toBe(8);
  expect((await listLinks(workspace, { archived: "true" })).meta.total).toBe(11);
  const found = await workspace.call("GET", "/v1/workspace/usage");
  expect(await found.json()).toMatchObject({ data: { usage: { total_links: 19 } } });
});

test.each<[Record<string, string>, string[]]>([
  [{ domain: "example.com" }, ["root", "port", "query", "upper", "below"]],
  [{ domain: "EXAMPLE.com" }, ["root", "port", "query", "upper", "below"]],
  [{ domain: "www.example.com" }, ["below"]],
  [{ domain: "ample.com" }, []],
  [{ domain: "com" }, ["root", "port", "query", "upper", "below", "path"]],
  [{ domain: "de" }, ["unicode"]],
  [{ domain: "bücher.de" }, ["unicode"]],
  [{ domain: "%" }, []],
  [{ domain: "example.com", search: "a=1" }, ["query"]],
  [{ domain: "example.com", created_before: "2021-01-03T00:00:00Z" }, ["root", "port"]],
  [{ created_after: "2021-01-02T00:00:00Z", created_before: "2021-01-04T00:00:00Z" }, ["port", "query"]],
  [{ created_after: "2021-01-06T00:00:00Z" }, ["path", "unicode"]],
  [{ created_before: "2021-01-01T00:00:00.001Z", search: "example" }, ["root"]],
])("a list with %j returns the links %j", async (filter, names) => {
  const workspace = await newWorkspace();
  const urls = {
    root: "https://example.com",
    port: "http://example.com:9999/path",
    query: "https://example.com?a=1",
    upper: "HTTPS://Example.COM/",
    below: "https://www.example.com/#example.org",
    path: "https://other.com/https://example.com/",
    unicode: "https://bücher.de/",
  };
  const links = Object.entries(urls).map(([title, url], index) => ({
    url,
    title,
    created_at: `2021-01-0${index + 1}T00:00:00Z`,
  }));
  await workspace.call("POST", `${LINKS}/bulk`, { body: { links } });
  const { data } = await listLinks(workspace, filter);
  expect(data.map(({ title }) => title).sort()).toEqual(names.toSorted());
});

test("a list by domain warns that it compares destinations if the domain is a short host", async () => {
  const workspace = await newWorkspace();
  const { meta } = await listLinks(workspace, { domain: workspace.hostname });
  expect(meta.warnings).toEqual([expect.stringContaining("domain: filters by destination host")]);
});

test.each(["scan_count", "last_scan_at"] as const)(
  "a list by %s starts with the highest, ends with links without scans, and has every link once",
  async (sort) => {
    const workspace = await newWorkspace();
    await seedLinks({
      workspace,
      count: 1_500,
      code: "'code-' || n",
      destination: "'https://example.com/' || n",
    });
    // Every third link was scanned; some equally often.
    await workspace.shard
      .prepare(
        `UPDATE links SET scan_count = (position % 97) + 1, last_scan_at = 1700000000000 + (position % 41) * 86400000
          WHERE workspace_id = ?1 AND position % 3 = 0`,
      )
      .bind(workspace.id)
      .run();
    const { results } = await workspace.shard
      .prepare(`SELECT id FROM links WHERE workspace_id = ?1 ORDER BY coalesce(${sort}, 0) DESC, id DESC`)
      .bind(workspace.id)
      .all<{ id: string }>();
    const expected = results.map(({ id }) => id);
    expect((await walk(workspace, { sort, limit: 200 })).ids).toEqual(expected);
    const filtered = await walk(workspace, { sort, limit: 50, search: "code-7" });
    expect(filtered.ids).toHaveLength(111);
    expect(filtered.ids).toEqual(expected.filter((id) => filtered.ids.includes(id)));
    const { meta } = await listLinks(workspace, { sort });
    expect(meta).toMatchObject({ total: 1_500, total_is_capped: false });
    // Clients hold cursors in this format.
    expect(meta.next_before).toMatch(/^\d{15}\.[0-9a-f-]{36}$/);

    // The cursor is a position in the order: its link may move or be deleted.
    const last = expected[49] as string;
    await workspace.call("DELETE", `${LINKS}/${last}`);
    const { data } = await listLinks(workspace, { sort, before: String(meta.next_before) });
    expect(data.map(({ id }) => id)).toEqual(expected.slice(50, 100));
    for (const query of [`sort=${sort}&before=${last}`, `before=${meta.next_before}`, "before=x"]) {
      const refused = await expectError(
        await workspace.call("GET", `${LINKS}?${query}`),
        400,
        "VALIDATION_ERROR",
      );
      expect(refused.message).toContain("before: must be");
    }
  },
  60_000,
);

test("links are found by code, as an exact match in any case, up to 100 codes at a time", async () => {
  const workspace = await newWorkspace();
  const other = await newWorkspace();
  const items = Array.from({ length: 100 }, (_, index) => ({
    url: `https://example.com/${index}`,
    custom_slug: `Code-${index}`,
    archived: index === 7,
  }));
  for (const each of [workspace, other]) {
    const response = await each.call("POST", "/v1/links/bulk", { body: { links: items } });
    expect((await expectData(response, bulkCreateResponse, 201)).data.errors).toEqual([]);
  }
  const find = async (codes: string[], more: Record<string, string | number> = {}) => {
    const query = { codes: codes.join(","), limit: 100, archived: "all", ...more };
    const { data, meta } = await listLinks(workspace, query);
    return { codes: data.map(({ short_code }) => short_code).sort(), meta };
  };
  const all = await find(items.map(({ custom_slug }) => custom_slug.toUpperCase()));
  expect(all.codes).toEqual(items.map(({ custom_slug }) => custom_slug).sort());
  expect(all.meta).toMatchObject({ total: 100, next_before: null });
  expect((await find(["code-1", "code-1", "code", "code-11", "none"])).codes).toEqual(["Code-1", "Code-11"]);
  expect((await find(["code-7"], { archived: "false" })).codes).toEqual([]);
  expect((await find(["code-7", "code-8"], { archived: "true" })).codes).toEqual(["Code-7"]);
  expect((await find(["code-7", "code-8"], { search: "com/8" })).codes).toEqual(["Code-8"]);
  const pair = ["code-1", "code-2"];
  const first = await find(pair, { limit: 1 });
  const second = await find(pair, { limit: 1, offset: 1 });
  expect([first.meta.total, [...first.codes, ...second.codes].sort()]).toEqual([2, ["Code-1", "Code-2"]]);
  expect((await find(pair, { before: first.meta.next_before ?? "" })).codes).toEqual(second.codes);
});

test.each([
  [
    `codes=${Array.from({ length: 101 }, (_, index) => `c${index}`)}`,
    "codes: must have at most 100 short codes",
  ],
  ["codes=", "codes"],
  ["codes=a,,b", "codes"],
  [`codes=${"x".repeat(256)}`, "codes"],
  ["codes=abc&sort=scan_count", "sort: must not be combined with `codes`"],
])("a list with %s is rejected", async (query, message) => {
  const workspace = await newWorkspace();
  const response = await workspace.call("GET", `${LINKS}?${query}`);
  const { message: told } = await expectError(response, 400, "VALIDATION_ERROR");
  expect(told).toContain(message);
});
