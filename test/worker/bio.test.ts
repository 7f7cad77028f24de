import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { pageResponse } from "../../src/bio/bio.schema.ts";
import { countVisitBatch, type PageVisit } from "../../src/bio/page-counts.ts";
import { claimSlug, releaseSlug } from "../../src/bio/slug-claims.ts";
import { THEMES } from "../../src/bio/theme-registry.ts";
import { generateUuidv7 } from "../../src/core/id.ts";
import { DAY_MS } from "../../src/core/time.ts";
import type { Window } from "../../src/counting/window.ts";
import { sweep } from "../../src/cron.ts";
import { readBioUrl } from "../../src/dashboard/screens/pages/bio-url.ts";
import { type PreviewPage, renderPreview } from "../../src/dashboard/screens/pages/preview-page.ts";
import { openDatabase } from "../../src/db/database.ts";
import { deletedResponse } from "../../src/http/fields.ts";
import {
  breakingEnv,
  call,
  countingEnv,
  eventually,
  expectData,
  expectError,
  newWorkspace,
  send,
  type TestWorkspace,
  workerEnv,
  wrapShards,
} from "../support/harness.ts";
import { ignoreWrites } from "../support/ignored-writes.ts";
import { quietEnv } from "../support/resources.ts";

const PAGES = "/v1/bio/pages";
const UNKNOWN_ID = "019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f";
const BROWSER =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36";

type Page = z.output<typeof pageResponse>;

async function createPage(workspace: TestWorkspace, body: object): Promise<Page> {
  return (await expectData(await workspace.call("POST", PAGES, { body }), pageResponse, 201)).data;
}

async function publishPage(workspace: TestWorkspace, { id }: Page): Promise<Page> {
  return (await expectData(await workspace.call("POST", `${PAGES}/${id}/publish`), pageResponse)).data;
}

async function readPage(workspace: TestWorkspace, { id }: Page): Promise<Page> {
  return (await expectData(await workspace.call("GET", `${PAGES}/${id}`), pageResponse)).data;
}

async function createPublishedPage(workspace: TestWorkspace, body: object): Promise<Page> {
  return publishPage(workspace, await createPage(workspace, body));
}

/** Requests a public URL as a browser. Does not follow redirects. */
function visit(address: string, init: RequestInit = {}, env?: Env): Promise<Response> {
  const headers = { "User-Agent": BROWSER, ...(init.headers as Record<string, string>) };
  return send(new Request(address, { redirect: "manual", ...init, headers }), env);
}

const WORDS = "a weekend in the studio with paper and pigments from the harbour to the hills".split(" ");
let titles = 0;
/** Returns a title that no other test uses. All pages share one host, so equal titles would get a suffix. */
function newTitle(): string {
  titles += 1;
  return `Title ${titles}`;
}

describe("/v1/bio/pages", () => {
  test("POST creates an unpublished page and returns the rate limit as remaining and reset_at", async () => {
    const workspace = await newWorkspace();
    const { data, meta } = await expectData(
      await workspace.call("POST", PAGES, { body: { title: "Zoë & the Émigrés" } }),
      pageResponse.strict(),
      201,
    );
    expect(data).toMatchObject({
      title: "Zoë & the Émigrés",
      description: "",
      slug: "zoe-and-the-emigres",
      page_data: {},
      is_published: false,
      published_at: null,
      view_count: 0,
      click_count: 0,
      html_url: "http://bio.localhost:8787/zoe-and-the-emigres",
    });
    expect(data.created_at).toBe(data.updated_at);
    expect(Object.keys(meta.rate_limit)).toEqual(["remaining", "reset_at"]);
    expect((await visit(data.html_url)).status).toBe(404);
  });

  test("publish and unpublish are idempotent", async () => {
    const workspace = await newWorkspace();
    const page = await createPage(workspace, { title: newTitle() });
    const first = await publishPage(workspace, page);
    expect(first).toMatchObject({ is_published: true });
    expect(first.published_at).not.toBeNull();
    expect((await visit(page.html_url)).status).toBe(200);
    // The visit may be counted already.
    expect(await publishPage(workspace, page)).toEqual({ ...first, view_count: expect.any(Number) });

    const unpublish = async () =>
      (await expectData(await workspace.call("POST", `${PAGES}/${page.id}/unpublish`), pageResponse)).data;
    const unpublished = await unpublish();
    expect(unpublished).toMatchObject({ is_published: false, published_at: first.published_at });
    expect(await unpublish()).toEqual({ ...unpublished, view_count: expect.any(Number) });
    expect((await visit(page.html_url)).status).toBe(404);
  });

  test("PATCH changes a published page for the next request", async () => {
    const workspace = await newWorkspace();
    const page = await createPublishedPage(workspace, { title: newTitle(), description: "Before" });
    expect(await (await visit(page.html_url)).text()).toContain("Before");
    const body = {
      description: "After",
      page_data: { links: [{ label: "New", url: "https://new.example" }] },
    };
    const { data } = await expectData(
      await workspace.call("PATCH", `${PAGES}/${page.id}`, { body }),
      pageResponse,
    );
    expect(data).toMatchObject({ ...body, title: page.title, slug: page.slug });
    const html = await (await visit(page.html_url)).text();
    expect(html).toContain("After");
    expect(html).toContain("New");
    expect(html).not.toContain("Before");
  });

  test("an empty PATCH changes nothing, and a new title keeps the slug", async () => {
    const workspace = await newWorkspace();
    const page = await createPage(workspace, { title: newTitle() });
    const patch = async (body: object) =>
      (await expectData(await workspace.call("PATCH", `${PAGES}/${page.id}`, { body }), pageResponse)).data;
    expect(await patch({})).toEqual(page);
    expect(await patch({ title: "Another" })).toMatchObject({ title: "Another", slug: page.slug });
    expect(await patch({ description: "" })).toMatchObject({ title: "Another", description: "" });
  });

  test("GET lists pages newest first, with limit and offset", async () => {
    const workspace = await newWorkspace();
    const pages = [];
    for (let i = 0; i < 3; i++) pages.unshift(await createPage(workspace, { title: newTitle() }));
    const list = async (query: string) =>
      expectData(await workspace.call("GET", `${PAGES}${query}`), z.array(pageResponse));
    expect(await list("")).toMatchObject({ data: pages, meta: { total: 3, limit: 50, offset: 0 } });
    expect(await list("?limit=1&offset=1")).toMatchObject({ data: [pages[1]], meta: { total: 3 } });
    await expectError(await workspace.call("GET", `${PAGES}?limit=201`), 400, "VALIDATION_ERROR");
    await expectError(await workspace.call("GET", `${PAGES}?page=2`), 400, "VALIDATION_ERROR");
  });

  test("DELETE removes the page and frees its slug", async () => {
    const workspace = await newWorkspace();
    const page = await createPublishedPage(workspace, { title: newTitle() });
    const { data } = await expectData(await workspace.call("DELETE", `${PAGES}/${page.id}`), deletedResponse);
    expect(data).toEqual({ id: page.id, deleted: true });
    expect((await visit(page.html_url)).status).toBe(404);
    await expectError(await workspace.call("DELETE", `${PAGES}/${page.id}`), 404, "RESOURCE_NOT_FOUND");
    expect((await createPage(workspace, { title: page.title })).slug).toBe(page.slug);
  });
});

describe("slugs", () => {
  test("parallel requests with equal titles all succeed with different slugs", async () => {
    const [one, other] = [await newWorkspace(), await newWorkspace()];
    const title = "The same moment";
    const pages = await Promise.all(
      [one, other, one, other].map((workspace) => createPage(workspace, { title })),
    );
    const slugs = pages.map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(4);
    expect(slugs.filter((slug) => slug === "the-same-moment")).toHaveLength(1);
    for (const slug of slugs) expect(slug).toMatch(/^the-same-moment(-[2-9a-z]{6})?$/);
  });

  test.each([
    ["🎤✨", /^[2-9a-z]{6}$/],
    ["中文网站", /^[2-9a-z]{6}$/],
    ["Docs", /^docs-[2-9a-z]{6}$/],
    ["Login", /^login-[2-9a-z]{6}$/],
  ])("the title %s gets a slug with a random suffix", async (title, slug) => {
    expect((await createPage(await newWorkspace(), { title })).slug).toMatch(slug);
  });

  test("a title in Cyrillic gets a readable slug", async () => {
    expect((await createPage(await newWorkspace(), { title: "Тёплый дом" })).slug).toBe("tyoplyy-dom");
  });

  test.each(["q", "9-lives", "-", "a".repeat(60)])(
    "POST stores the given slug %s unchanged, and PATCH rejects a slug",
    async (slug) => {
      const workspace = await newWorkspace();
      const page = await createPublishedPage(workspace, { title: newTitle(), slug });
      expect(page).toMatchObject({ slug, html_url: `http://bio.localhost:8787/${slug}` });
      expect((await visit(page.html_url)).status).toBe(200);
      const change = await workspace.call("PATCH", `${PAGES}/${page.id}`, { body: { slug: "another" } });
      expect((await expectError(change, 400, "VALIDATION_ERROR")).details).toEqual([
        { field: "slug", message: "is not a known field" },
      ]);
    },
  );

  test("POST returns 409 for a slug used by any workspace, and after DELETE accepts it only from its workspace", async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    const body = { title: newTitle(), slug: "taken-slug" };
    const page = await createPage(workspace, body);
    for (const caller of [workspace, other]) {
      const error = await expectError(await caller.call("POST", PAGES, { body }), 409, "SLUG_TAKEN");
      expect(error.message).toBe("slug: taken-slug is already used by another bio page");
    }
    await expectData(await workspace.call("DELETE", `${PAGES}/${page.id}`), deletedResponse);
    const error = await expectError(await other.call("POST", PAGES, { body }), 409, "SLUG_TAKEN");
    expect(error.message).toContain("slug: taken-slug was used by another workspace");
    expect((await createPage(other, { title: "Taken slug" })).slug).toMatch(/^taken-slug-[2-9a-z]{6}$/);
    expect((await createPage(workspace, body)).slug).toBe("taken-slug");
  });

  test("a slug that was claimed but never used is free for everybody", async () => {
    const [full, other] = [await newWorkspace("free"), await newWorkspace()];
    const directory = openDatabase(workerEnv.DIRECTORY);
    const claim = { slug: "never-used", workspaceId: full.id, pageId: "none", unsettledAt: 1 };
    expect(await claimSlug(directory, claim.slug, claim, 1)).toBe("claimed");
    await releaseSlug(directory, claim);
    expect((await createPage(other, { title: newTitle(), slug: "never-used" })).slug).toBe("never-used");
  });

  test("a workspace keeps the last 1,000 names that it used", async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    await workerEnv.DIRECTORY.prepare(
      `INSERT INTO held_names (name, rule, workspace_id, held_until)
       SELECT '/trimmed-' || value, 'used', ?1, value FROM json_each(?2)`,
    )
      .bind(workspace.id, JSON.stringify(Array.from({ length: 1_000 }, (_, index) => index)))
      .run();
    const page = await createPage(workspace, { title: newTitle() });
    await expectData(await workspace.call("DELETE", `${PAGES}/${page.id}`), deletedResponse);
    expect((await createPage(other, { title: newTitle(), slug: "trimmed-0" })).slug).toBe("trimmed-0");
    const body = { title: newTitle(), slug: "trimmed-1" };
    await expectError(await other.call("POST", PAGES, { body }), 409, "SLUG_TAKEN");
  });

  test("only one of several parallel POST requests with one slug succeeds and counts against the plan", async () => {
    const workspace = await newWorkspace("pro");
    const body = { title: newTitle(), slug: "contested" };
    const responses = await Promise.all([1, 2, 3, 4].map(() => workspace.call("POST", PAGES, { body })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const counted = await workspace.shard
      .prepare("SELECT used FROM usage_counters WHERE workspace_id = ? AND resource = 'bio_pages'")
      .bind(workspace.id)
      .first("used");
    expect(counted).toBe(1);
  });

  test("a retry of a request whose response was lost returns the page with the given slug", async () => {
    const workspace = await newWorkspace();
    // A failed attempt's claim keeps its slug until the sweep, so each attempt uses its own slug.
    const post = (key: number, slug: string, env?: Env) =>
      workspace.call("POST", PAGES, {
        body: { title: "Retried", slug },
        headers: { "Idempotency-Key": `${key}` },
        ...(env && { env }),
      });
    let trip = 0;
    for (let isCreated = false; !isCreated; ) {
      trip += 1;
      await expectError(
        await post(trip, `retried-${trip}`, breakingEnv(trip, "response").env),
        503,
        "SERVICE_UNAVAILABLE",
      );
      const list = await expectData(await workspace.call("GET", PAGES), z.array(pageResponse));
      isCreated = list.data.length > 0;
    }
    await workspace.shard
      .prepare("UPDATE idempotency_keys SET held_until = 0 WHERE workspace_id = ?")
      .bind(workspace.id)
      .run();
    const slug = `retried-${trip}`;
    expect((await expectData(await post(trip, slug), pageResponse, 201)).data.slug).toBe(slug);
    await expectError(await post(trip + 1, slug), 409, "SLUG_TAKEN");
  });
});

describe("page_data_patch", () => {
  const link = { label: "A", url: "https://a.example" };

  async function patchPage(workspace: TestWorkspace, { id }: Page, body: object) {
    return expectData(await workspace.call("PATCH", `${PAGES}/${id}`, { body }), pageResponse);
  }

  test("merges objects, removes members set to null, replaces arrays, and applies to the next request", async () => {
    const workspace = await newWorkspace();
    const page = await createPublishedPage(workspace, {
      title: newTitle(),
      page_data: {
        theme: "paper",
        avatar_alt: "Me",
        links: [link, link],
        style: { accent: "#0f766e", radius: "md" },
        "x-own": { keep: 1, drop: 2 },
      },
    });
    const { data } = await patchPage(workspace, page, {
      title: "Patched",
      page_data_patch: {
        theme: "ink",
        avatar_alt: null,
        lang: null,
        links: [{ label: "B", url: "https://b.example", starts_at: "2026-01-01T01:00:00+01:00" }],
        style: { accent: null, button: "outline" },
        "x-own": { drop: null, add: [null] },
      },
    });
    expect(data).toEqual({
      ...page,
      title: "Patched",
      updated_at: data.updated_at,
      page_data: {
        theme: "ink",
        links: [{ label: "B", url: "https://b.example", starts_at: "2026-01-01T00:00:00.000Z" }],
        style: { radius: "md", button: "outline" },
        "x-own": { keep: 1, add: [null] },
      },
    });
    expect(await readPage(workspace, page)).toEqual(data);
    expect(await (await visit(page.html_url)).text()).toContain("B");
  });

  test("an empty patch keeps the data, and page_data replaces it as a whole", async () => {
    const workspace = await newWorkspace();
    const page_data = { theme: "paper", lang: "de" };
    const page = await createPage(workspace, { title: newTitle(), page_data });
    expect((await patchPage(workspace, page, { page_data_patch: {} })).data.page_data).toEqual(page_data);
    const { data } = await patchPage(workspace, page, { page_data: { theme: "ink" } });
    expect(data.page_data).toEqual({ theme: "ink" });
  });

  test("parallel patches of different fields are all kept", async () => {
    const workspace = await newWorkspace();
    const page = await createPage(workspace, { title: newTitle(), page_data: { theme: "ink", 1: "one" } });
    const names = Array.from({ length: 12 }, (_, index) => `x-${index}`);
    await Promise.all(
      names.map((name) => patchPage(workspace, page, { page_data_patch: { "x-own": { [name]: name } } })),
    );
    expect((await readPage(workspace, page)).page_data).toEqual({
      theme: "ink",
      1: "one",
      "x-own": Object.fromEntries(names.map((name) => [name, name])),
    });
  });

  test("at most one of two parallel patches succeeds if they are only valid separately", async () => {
    const workspace = await newWorkspace();
    const page = await createPage(workspace, { title: newTitle() });
    const responses = await Promise.all(
      [{ text: "#777" }, { background: "#fff" }].map((style) =>
        workspace.call("PATCH", `${PAGES}/${page.id}`, { body: { page_data_patch: { style } } }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test.each<[string, object, string]>([
    [
      "together with page_data",
      { page_data: {}, page_data_patch: {} },
      "page_data_patch: cannot be combined with page_data, which replaces everything",
    ],
    ["an array", { page_data_patch: [] }, "page_data_patch: must be an object"],
    ["null", { page_data_patch: null }, "page_data_patch: must be an object"],
    ["a number for a theme", { page_data_patch: { theme: 5 } }, "page_data_patch.theme: must be a string"],
    ["a text for a list", { page_data_patch: { links: "none" } }, "page_data_patch.links: must be an array"],
    [
      "a link without URL",
      { page_data_patch: { links: [link, { label: "B" }] } },
      "page_data_patch.links[1].url: is required",
    ],
    [
      "an http avatar",
      { page_data_patch: { avatar_url: "http://a.example/x.png" } },
      "page_data_patch.avatar_url: must be an https URL",
    ],
    [
      "a click URL",
      { page_data_patch: { links: [{ label: "A", url: "http://bio.localhost:8787/me/l/0" }] } },
      "page_data_patch.links[0].url: must not be a click URL of a bio page",
    ],
    [
      "a background on which the stored text has a low contrast",
      { page_data_patch: { style: { background: "#111" } } },
      "page_data.style.text: must have a contrast of at least 4.5 with the background; it is 1.18",
    ],
    [
      "a text with a low contrast on the stored background",
      { page_data_patch: { style: { text: "#eee" } } },
      "page_data_patch.style.text: must have a contrast of at least 4.5 with the background; it is 1.16",
    ],
    [
      "a result above 32 KiB",
      { page_data_patch: { more: "x".repeat(20_000) } },
      "page_data: must be at most 32 KiB as JSON",
    ],
    [
      "a result above the limit of links",
      { page_data_patch: { links: Array(101).fill(link) } },
      "page_data_patch.links: must have at most 100 items",
    ],
    ["a deep name of a prototype", {}, "page_data_patch.style.__proto__: is not a known field"],
  ])("PATCH rejects %s and changes nothing", async (_, body, message) => {
    const workspace = await newWorkspace();
    const page_data = { notes: "x".repeat(20_000), style: { text: "#222", background: "#fff" } };
    const page = await createPage(workspace, { title: newTitle(), page_data });
    const polluting = `{"page_data_patch":{"style":{"__proto__":{"text":"#fff"}}}}`;
    const response = await workspace.call("PATCH", `${PAGES}/${page.id}`, {
      body: Object.keys(body).length === 0 ? polluting : { title: "New", ...body },
    });
    expect((await expectError(response, 400, "VALIDATION_ERROR")).message).toBe(message);
    expect(await readPage(workspace, page)).toEqual(page);
  });

  test("POST rejects a patch", async () => {
    const body = { title: newTitle(), page_data_patch: {} };
    const response = await (await newWorkspace()).call("POST", PAGES, { body });
    expect((await expectError(response, 400, "VALIDATION_ERROR")).details).toMatchObject([
      { field: "page_data_patch" },
    ]);
  });
});

describe("meta.warnings", () => {
  const page_data = {
    theme: "sunrize",
    avatr_url: "https://img.example/me.png",
    links: [{ label: "A", url: "https://a.example", higlight: true }],
    socials: [{ network: "x", url: "https://x.com/me", since: 2009 }],
    style: { accent: "#0f766e", colour: "red" },
    seo: { titel: "T" },
    "x-own": { theme: "anything", deep: { avatr_url: 1 } },
  };
  const kept = "is not a known field: it is stored, but has no effect";

  test("name unknown fields and an unknown theme after POST and PATCH, which keep them", async () => {
    const workspace = await newWorkspace();
    const created = await expectData(
      await workspace.call("POST", PAGES, { body: { title: newTitle(), page_data } }),
      pageResponse,
      201,
    );
    expect(created.data.page_data).toEqual(page_data);
    const warnings = [
      'page_data.theme "sunrize" is not a known theme: it is stored, but shown as auto; did you mean `sunrise`?',
      `page_data.links[0].higlight ${kept}; did you mean \`highlight\`?`,
      `page_data.socials[0].since ${kept}.`,
      `page_data.style.colour ${kept}.`,
      `page_data.seo.titel ${kept}; did you mean \`title\`?`,
      `page_data.avatr_url ${kept}; did you mean \`avatar_url\`?`,
      `page_data.x-own ${kept}.`,
    ];
    expect(created.meta.warnings?.sort()).toEqual(warnings.sort());
    const replaced = await expectData(
      await workspace.call("PATCH", `${PAGES}/${created.data.id}`, { body: { page_data } }),
      pageResponse,
    );
    expect(replaced.meta.warnings?.sort()).toEqual(warnings);
  });

  test("only name fields of the patch after a patch", async () => {
    const workspace = await newWorkspace();
    const page = await createPage(workspace, { title: newTitle(), page_data });
    const patch = async (body: object) =>
      (await expectData(await workspace.call("PATCH", `${PAGES}/${page.id}`, { body }), pageResponse)).meta
        .warnings;
    expect(await patch({ title: "Another" })).toBeUndefined();
    expect(await patch({ page_data_patch: { theme: "ink", avatr_url: null } })).toBeUndefined();
    expect(await patch({ page_data_patch: { style: { acent: "#fff" }, "x-own": { more: 1 } } })).toEqual([
      `page_data_patch.style.acent ${kept}; did you mean \`accent\`?`,
      `page_data_patch.x-own ${kept}.`,
    ]);
    expect(await patch({ page_data_patch: { theme: "Ink" } })).toEqual([
      'page_data_patch.theme "Ink" is not a known theme: it is stored, but shown as auto; did you mean `ink`?',
    ]);
  });

  test("are absent without warnings", async () => {
    const known = { theme: "paper", links: [{ label: "A", type: "heading" }], seo: {}, style: {} };
    const body = { title: newTitle(), page_data: known };
    const { meta } = await expectData(
      await (await newWorkspace()).call("POST", PAGES, { body }),
      pageResponse,
      201,
    );
    expect(meta).not.toHaveProperty("warnings");
  });

  test("are bounded in number and length", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `${"🎨".repeat(150)}${index}`);
    const body = {
      title: newTitle(),
      page_data: { theme: "🎨".repeat(1_000), ...Object.fromEntries(names.map((name) => [name, 1])) },
    };
    const { meta } = await expectData(
      await (await newWorkspace()).call("POST", PAGES, { body }),
      pageResponse,
      201,
    );
    const warnings = meta.warnings ?? [];
    expect(warnings).toHaveLength(22);
    expect(warnings.at(-1)).toBe("page_data has 10 more unknown fields.");
    for (const warning of warnings) expect(warning.length).toBeLessThan(400);
  });
});

describe("the preview of the dashboard", () => {
  const everything = {
    description: "Two lines,\n<b>no</b> element & no 'entity'",
    page_data: {
      avatar_url: "https://img.example/a.png?b=1&c=2",
      avatar_alt: 'A "portrait"',
      lang: "pt-BR",
      style: { accent: "#0F766E", button: "outline", radius: "full", own: 1 },
      own: { kept: true },
      links: [
        { label: "Before any heading", url: "https://example.com/" },
        { label: "Hidden", url: "https://example.com/hidden", enabled: false },
        { label: "Heading & more", type: "heading" },
        { label: "Highlighted <1>", url: "mailto:jane@example.com", highlight: true },
        { label: "Not yet", url: "https://example.com/later", starts_at: "2099-01-01T00:00:00+02:00" },
        { label: "Over", url: "https://example.com/over", ends_at: "2020-01-01T00:00:00Z" },
        {
          label: "Call",
          url: "tel:+1555",
          starts_at: "2020-01-01T00:00:00Z",
          ends_at: "2099-01-01T00:00:00Z",
        },
      ],
      socials: [
        { network: "GitHub", url: "https://github.com/jane" },
        { network: "Own network", url: "https://example.com/@jane" },
      ],
      seo: {
        title: "In search",
        description: "There",
        image_url: "https://img.example/b.png",
        noindex: true,
      },
    },
  };
  const manyLinks = Array.from({ length: 9 }, (_, index) => ({
    label: `Link ${index}`,
    url: `https://example.com/${index}`,
  }));

  test.each([...THEMES.keys(), "unknown"])(
    "equals the public page byte for byte in the theme %s",
    async (theme) => {
      const workspace = await newWorkspace();
      const expectSame = async (body: object) => {
        const page = await createPublishedPage(workspace, { title: newTitle(), ...body });
        const served = await (await visit(page.html_url)).text();
        const options = { bioUrl: readBioUrl(page), plan: "business", nowMs: Date.now() } as const;
        const { html, css } = renderPreview(page as PreviewPage, options);
        expect(html).toBe(served);
        expect(served).toContain(`<style>${css}</style>`);
      };
      await expectSame({ ...everything, page_data: { ...everything.page_data, theme } });
      await expectSame({
        page_data: { theme, style: { background: "#123", text: "#fff" }, links: manyLinks },
      });
      await expectSame({
        title: `شيماء ${newTitle()}`,
        page_data: { theme, style: { text: theme === "ink" ? "#fff" : "#111" } },
      });
    },
  );

  test("has the footer of the plan", async () => {
    const workspace = await newWorkspace();
    const page = await createPublishedPage(workspace, { title: newTitle() });
    await workerEnv.DIRECTORY.prepare("UPDATE workspaces SET plan = 'free' WHERE id = ?")
      .bind(workspace.id)
      .run();
    const served = await (await visit(page.html_url)).text();
    const options = { bioUrl: readBioUrl(page), plan: "free", nowMs: Date.now() } as const;
    expect(renderPreview(page as PreviewPage, options).html).toBe(served);
    expect(served).toContain("Made with Signpost");
  });
});

describe("plan limits", () => {
  test("the page limit holds under parallel requests, and deleting a page makes room", async () => {
    const workspace = await newWorkspace("pro");
    const keys = await Promise.all([1, 2].map(() => workspace.newKey()));
    const responses = await Promise.all(
      [workspace.key, ...keys].flatMap((key) =>
        [1, 2, 3, 4].map(() => call(key, "POST", PAGES, { body: { title: newTitle() } })),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(10);
    const refused = responses.find(({ status }) => status !== 201) as Response;
    const error = await expectError(refused, 403, "PLAN_LIMIT_EXCEEDED");
    expect(error.message).toBe("The pro plan allows 10 bio pages.");

    const [{ id }] = (
      await expectData(
        await workspace.as(await workspace.newKey()).call("GET", PAGES),
        z.tuple([pageResponse], pageResponse),
      )
    ).data;
    const spare = workspace.as(await workspace.newKey());
    await expectData(await spare.call("DELETE", `${PAGES}/${id}`), deletedResponse);
    await createPage(spare, { title: newTitle() });
    await expectError(
      await spare.call("POST", PAGES, { body: { title: newTitle() } }),
      403,
      "PLAN_LIMIT_EXCEEDED",
    );
  });

  test("the Signpost footer appears only on plans without the ad-free feature", async () => {
    const workspace = await newWorkspace();
    const page = await createPublishedPage(workspace, { title: newTitle() });
    expect(await (await visit(page.html_url)).text()).not.toContain("Made with Signpost");
    await workerEnv.DIRECTORY.prepare("UPDATE workspaces SET plan = 'free' WHERE id = ?")
      .bind(workspace.id)
      .run();
    expect(await (await visit(page.html_url)).text()).toContain("Made with Signpost");
  });
});

describe("validation", () => {
  let workspace: TestWorkspace | undefined;
  const link = { label: "A", url: "https://a.example" };
  const links = (change: object) => ({ page_data: { links: [link, { ...link, ...change }] } });
  test.each<[string, object, string]>([
    ["no title", { title: undefined }, "title: is required"],
    ["an empty title", { title: "" }, "title: must have at least 1 character"],
    ["a blank title", { title: " \u200b\t" }, "title: must not be blank"],
    ["a long title", { title: "x".repeat(201) }, "title: must have at most 200 characters"],
    [
      "a long description",
      { description: "x".repeat(1001) },
      "description: must have at most 1000 characters",
    ],
    ["a number for a description", { description: 5 }, "description: must be a string"],
    ["an empty slug", { slug: "" }, "slug: must have at least 1 character"],
    ["a long slug", { slug: "x".repeat(61) }, "slug: must have at most 60 characters"],
    [
      "capitals in a slug",
      { slug: "Jane" },
      "slug: must only contain lower-case letters from a to z, digits and hyphens",
    ],
    [
      "a slug with a line break",
      { slug: "jane\n" },
      "slug: must only contain lower-case letters from a to z, digits and hyphens",
    ],
    ["a reserved slug", { slug: "docs" }, 'slug: "docs" is reserved'],
    ["null for a slug", { slug: null }, "slug: must be a string"],
    ["an array of page data", { page_data: [] }, "page_data: must be an object"],
    ["null page data", { page_data: null }, "page_data: must be an object"],
    [
      "101 links",
      { page_data: { links: Array(101).fill(link) } },
      "page_data.links: must have at most 100 items",
    ],
    [
      "a javascript URL",
      links({ url: "javascript:alert(1)" }),
      "page_data.links[1].url: must be an http, https, mailto or tel URL",
    ],
    [
      "a javascript URL with spaces and line breaks",
      links({ url: " JaVa\nScRiPt:alert(1)" }),
      "page_data.links[1].url: must be an http, https, mailto or tel URL",
    ],
    [
      "a data URL",
      links({ url: "data:text/html,x" }),
      "page_data.links[1].url: must be an http, https, mailto or tel URL",
    ],
    [
      "a relative URL",
      links({ url: "/home" }),
      "page_data.links[1].url: must be an http, https, mailto or tel URL",
    ],
    [
      "a file URL",
      links({ url: "file:///etc/passwd" }),
      "page_data.links[1].url: must be an http, https, mailto or tel URL",
    ],
    [
      "an empty mailto URL",
      links({ url: "mailto:" }),
      "page_data.links[1].url: must be an http, https, mailto or tel URL",
    ],
    [
      "a mailto URL with an empty query",
      links({ url: "mailto:?" }),
      "page_data.links[1].url: must be an http, https, mailto or tel URL",
    ],
    [
      "a tel URL without a number",
      links({ url: "tel:me" }),
      "page_data.links[1].url: must be an http, https, mailto or tel URL",
    ],
    [
      "a URL with credentials",
      links({ url: "https://me:secret@a.example" }),
      "page_data.links[1].url: must not contain a user name or password",
    ],
    [
      "a click URL",
      links({ url: "http://bio.localhost:8787/me/l/0" }),
      "page_data.links[1].url: must not be a click URL of a bio page",
    ],
    [
      "a click address in capitals",
      links({ url: "http://BIO.localhost:8787/Me/L/0" }),
      "page_data.links[1].url: must not be a click URL of a bio page",
    ],
    ["no URL", links({ url: undefined }), "page_data.links[1].url: is required"],
    ["a blank label", links({ label: " " }), "page_data.links[1].label: must not be blank"],
    [
      "a long label",
      links({ label: "x".repeat(101) }),
      "page_data.links[1].label: must have at most 100 characters",
    ],
    ["an unknown type", links({ type: "video" }), "page_data.links[1].type: must be one of link, heading"],
    [
      "a date without an offset",
      links({ starts_at: "2027-01-01T00:00:00" }),
      "page_data.links[1].starts_at: must be an ISO 8601 date-time with an offset or Z",
    ],
    [
      "an end before the start",
      links({ starts_at: "2027-01-01T00:00:00Z", ends_at: "2027-01-01T01:00:00+02:00" }),
      "page_data.links[1].ends_at: must be after starts_at",
    ],
    [
      "an http avatar",
      { page_data: { avatar_url: "http://a.example/x.png" } },
      "page_data.avatar_url: must be an https URL",
    ],
    [
      "an avatar with a data URL",
      { page_data: { avatar_url: "data:image/svg+xml,x" } },
      "page_data.avatar_url: must be an http or https URL",
    ],
    [
      "an http SEO image",
      { page_data: { seo: { image_url: "http://a.example/x.png" } } },
      "page_data.seo.image_url: must be an https URL",
    ],
    [
      "an http social URL",
      { page_data: { socials: [{ network: "x", url: "http://x.com" }] } },
      "page_data.socials[0].url: must be an https URL",
    ],
    [
      "a named colour",
      { page_data: { style: { accent: "red" } } },
      "page_data.style.accent: must be a colour such as #RGB or #RRGGBB",
    ],
    [
      "a colour followed by CSS",
      { page_data: { style: { accent: "#fff;}*{" } } },
      "page_data.style.accent: must be a colour such as #RGB or #RRGGBB",
    ],
    [
      "low contrast",
      { page_data: { style: { text: "#777", background: "#fff" } } },
      "page_data.style.text: must have a contrast of at least 4.5 with the background; it is 4.47",
    ],
    [
      "low contrast with a theme",
      { page_data: { theme: "ink", style: { text: "#123" } } },
      "page_data.style.text: must have a contrast of at least 4.5 with the background",
    ],
    [
      "an unknown button",
      { page_data: { style: { button: "3d" } } },
      "page_data.style.button: must be one of solid, outline, soft",
    ],
    ["a number for a theme", { page_data: { theme: 5 } }, "page_data.theme: must be a string"],
    [
      "a malformed language tag",
      { page_data: { lang: '"><script>' } },
      "page_data.lang: must be a BCP 47 language tag",
    ],
    [
      "page data above 32 KiB",
      { page_data: { notes: "é".repeat(16_500) } },
      "page_data: must be at most 32 KiB as JSON",
    ],
  ])("POST rejects %s", async (_, body, message) => {
    workspace ??= await newWorkspace();
    const create = await workspace.call("POST", PAGES, { body: { title: "T", ...body } });
    expect((await expectError(create, 400, "VALIDATION_ERROR")).message).toBe(message);
  });

  test("page_data is returned as sent, including unknown keys and an unknown theme", async () => {
    const page_data = {
      theme: "vaporwave ".repeat(20),
      links: [
        { label: "Work", url: "https://a.example/?q=1#x", icon: "🎨", starts_at: "2026-01-01T00:00:00.000Z" },
        { label: "More", type: "heading" },
        { label: "Mail", url: "mailto:me@a.example?subject=Hi" },
        { label: "Call", url: "tel:+46 40-123" },
        { label: "Call home", url: "tel:(555) 123-4567" },
        { label: "Share by mail", url: "mailto:?subject=Look" },
      ],
      socials: [{ network: "friendster", url: "https://f.example", since: 2004 }],
      style: { accent: "#abc", blur: 3 },
      seo: { title: "T", keywords: ["a"] },
      "x-layout": { columns: [1, { deep: null }], "": true },
    };
    const workspace = await newWorkspace();
    const page = await createPublishedPage(workspace, { title: newTitle(), page_data });
    expect(page.page_data).toEqual(page_data);
    expect((await readPage(workspace, page)).page_data).toEqual(page_data);
    expect((await visit(page.html_url)).status).toBe(200);
  });

  test("keys named after prototype properties are rejected or stored without effect", async () => {
    const workspace = await newWorkspace();
    const polluting = `{"title":"A","page_data":{"links":[{"label":"A","url":"https://a.example","__proto__":{"highlight":true}}]}}`;
    const refused = await workspace.call("POST", PAGES, { body: polluting });
    const { message } = await expectError(refused, 400, "VALIDATION_ERROR");
    expect(message).toBe("page_data.links[0].__proto__: is not a known field");
    const body = `{"title":"${newTitle()}","page_data":{"constructor":{"x":1}}}`;
    const { data } = await expectData(await workspace.call("POST", PAGES, { body }), pageResponse, 201);
    expect(data.page_data).toMatchObject({ constructor: { x: 1 } });
    expect((await visit((await publishPage(workspace, data)).html_url)).status).toBe(200);
    expect(({} as { theme?: string }).theme).toBeUndefined();
  });

  test("date-times are returned in UTC, and http images of the local CDN are accepted", async () => {
    const page = await createPage(await newWorkspace(), {
      title: newTitle(),
      page_data: {
        avatar_url: "http://cdn.localhost:8787/a/b.png",
        links: [{ ...link, starts_at: "2027-01-01T01:00:00+01:00" }],
      },
    });
    expect(page.page_data).toMatchObject({ links: [{ starts_at: "2027-01-01T00:00:00.000Z" }] });
  });

  test("page_data of exactly 32 KiB is accepted, one more byte is rejected", async () => {
    const frame = JSON.stringify({ notes: "" }).length;
    const workspace = await newWorkspace();
    await createPage(workspace, { title: newTitle(), page_data: { notes: "x".repeat(32_768 - frame) } });
    const over = { title: "T", page_data: { notes: "x".repeat(32_769 - frame) } };
    await expectError(await workspace.call("POST", PAGES, { body: over }), 400, "VALIDATION_ERROR");
  });
});

describe("access control", () => {
  const operations: [string, string, object?][] = [
    ["GET", ""],
    ["PATCH", "", { title: "Mine" }],
    ["DELETE", ""],
    ["POST", "/publish"],
    ["POST", "/unpublish"],
  ];

  test.each(operations)(
    "%s %s returns the same 404 for an unknown, malformed or foreign id",
    async (method, path, body) => {
      const [workspace, stranger] = [await newWorkspace(), await newWorkspace()];
      const foreign = await createPage(stranger, { title: newTitle() });
      const messages = [];
      for (const id of [UNKNOWN_ID, "nonsense", "%00", foreign.id]) {
        const response = await workspace.call(method, `${PAGES}/${id}${path}`, { body });
        messages.push((await expectError(response, 404, "RESOURCE_NOT_FOUND")).message);
      }
      expect(new Set(messages).size).toBe(1);
      expect(await readPage(stranger, foreign)).toEqual(foreign);
    },
  );

  test("GET requires bio:read, all other methods require bio:write", async () => {
    const workspace = await newWorkspace();
    const { id } = await createPage(workspace, { title: newTitle() });
    const reader = workspace.as(await workspace.newKey({ scopes: ["bio:read"] }));
    const writer = workspace.as(await workspace.newKey({ scopes: ["bio:write"] }));
    for (const [method, path] of operations) {
      const [allowed, refused] = method === "GET" ? [reader, writer] : [writer, reader];
      await expectError(await refused.call(method, `${PAGES}/${id}${path}`), 403, "INSUFFICIENT_SCOPE");
      if (method === "GET")
        await expectData(await allowed.call(method, `${PAGES}/${id}${path}`), pageResponse);
    }
  });
});

describe("the public page", () => {
  test("uses the language and direction of its title's script if it has no language", async () => {
    const page = await createPublishedPage(await newWorkspace(), { title: "مقهى" });
    expect(await (await visit(page.html_url)).text()).toContain('<html lang="ar" dir="rtl">');
  });

  test("has its language, description, canonical URL and social cards in the HTML", async () => {
    const page = await createPublishedPage(await newWorkspace(), {
      title: newTitle(),
      description: "Tagline",
      page_data: {
        lang: "ar",
        avatar_url: "https://img.example/me.png",
        seo: { title: "For search", image_url: "https://img.example/card.png", noindex: true },
        socials: [{ network: "GitHub", url: "https://github.com/me" }],
      },
    });
    const response = await visit(page.html_url);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("X-Robots-Tag")).toBe("noindex");
    expect(response.headers.get("Cache-Control")).toBe("private, no-cache");
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; img-src https: /);
    expect(policy).not.toContain("unsafe");
    const html = await response.text();
    for (const part of [
      '<html lang="ar" dir="rtl">',
      "<title>For search</title>",
      '<meta name="description" content="Tagline"/>',
      `<link rel="canonical" href="${page.html_url}"/>`,
      '<meta name="robots" content="noindex"/>',
      `<meta property="og:url" content="${page.html_url}"/>`,
      '<meta property="og:title" content="For search"/>',
      '<meta property="og:image" content="https://img.example/card.png"/>',
      '<meta name="twitter:card" content="summary_large_image"/>',
      'href="https://github.com/me" rel="me noopener" aria-label="GitHub"',
    ]) {
      expect(html).toContain(part);
    }
    expect(html).not.toContain("<script");
  });

  test("shows only enabled links within their schedule, and redirects clicks of these links only", async () => {
    const past = "2020-01-01T00:00:00Z";
    const future = "2999-01-01T00:00:00Z";
    const url = "https://a.example/";
    const page = await createPublishedPage(await newWorkspace(), {
      title: newTitle(),
      page_data: {
        links: [
          { label: "Plain", url: "HTTPS://A.example/a%20b?x=ü" },
          { label: "Off", url, enabled: false },
          { label: "Soon", url, starts_at: future },
          { label: "Over", url, ends_at: past },
          { label: "Current", url, starts_at: past, ends_at: future },
          { label: "Section", type: "heading", url },
          { label: "Mail", url: "mailto:me@a.example" },
          { label: "Short", url: "http://w.localhost:8787/abc" },
        ],
      },
    });
    const html = await (await visit(page.html_url)).text();
    const shown = [...html.matchAll(/href="([^"]*\/l\/\d+)"[^>]*><bdi>([^<]*)/g)].map(([, href, label]) => [
      href,
      label,
    ]);
    expect(shown).toEqual([
      [`/${page.slug}/l/0`, "Plain"],
      [`/${page.slug}/l/4`, "Current"],
      [`/${page.slug}/l/6`, "Mail"],
      [`/${page.slug}/l/7`, "Short"],
    ]);
    const click = (index: string) => visit(`${page.html_url}/l/${index}`);
    expect((await click("0")).status).toBe(302);
    expect((await click("0")).headers.get("Location")).toBe("https://a.example/a%20b?x=%C3%BC");
    expect((await click("6")).headers.get("Location")).toBe("mailto:me@a.example");
    const missing = await (await visit("http://bio.localhost:8787/no-such-page")).text();
    for (const index of ["1", "2", "3", "5", "8", "100", "-1", "00", "1e0", "x", "0/0"]) {
      const response = await click(index);
      expect([index, response.status]).toEqual([index, 404]);
      expect(await response.text()).toBe(missing);
    }
  });

  test("unknown paths, an unpublished page and its links return the same 404 page", async () => {
    const workspace = await newWorkspace();
    const links = [{ label: "A", url: "https://a.example" }];
    const page = await createPage(workspace, { title: newTitle(), page_data: { links } });
    const responses = await Promise.all(
      [
        page.html_url,
        `${page.html_url}/l/0`,
        "http://bio.localhost:8787/",
        "http://bio.localhost:8787/%ff/../x?y",
        `http://bio.localhost:8787/${"x".repeat(500)}`,
      ].map((address) => visit(address)),
    );
    const texts = await Promise.all(responses.map((response) => response.text()));
    expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(404));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain("Page not found");
  });

  test("ignores case and a trailing slash; HEAD has no body, and other methods return 405", async () => {
    const page = await createPublishedPage(await newWorkspace(), { title: newTitle() });
    for (const address of [`${page.html_url}/`, page.html_url.replace("title", "TITLE")]) {
      expect((await visit(address)).status).toBe(200);
    }
    const head = await visit(page.html_url, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const post = await visit(page.html_url, { method: "POST" });
    expect([post.status, post.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("is at most 10 kB compressed, with 100 links in any theme", async () => {
    const workspace = await newWorkspace();
    const page = await createPublishedPage(workspace, { title: newTitle() });
    const networks = "github gitlab x mastodon bluesky threads instagram youtube tiktok twitch discord".split(
      " ",
    );
    for (const theme of THEMES.keys()) {
      const page_data = {
        theme,
        avatar_url: "https://img.example/avatar.png",
        links: Array.from({ length: 100 }, (_, i) => ({
          label: `${i}: ${WORDS.map((word, at) => ((i * (at + 3)) % 7 < 3 ? word : "")).join(" ")}`,
          url: `https://a.example/${i}`,
        })),
        socials: networks.map((network) => ({ network, url: `https://${network}.example/me` })),
      };
      const body = { page_data, description: WORDS.join(" ") };
      await expectData(await workspace.call("PATCH", `${PAGES}/${page.id}`, { body }), pageResponse);
      const html = (await visit(page.html_url)).body as ReadableStream<Uint8Array<ArrayBuffer>>;
      const zipped = await new Response(html.pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
      expect(zipped.byteLength, theme).toBeLessThanOrEqual(10_000);
    }
  });

  test("needs one read of the directory and one of the shard, and is a 503 error page if the database fails", async () => {
    const page = await createPublishedPage(await newWorkspace(), { title: newTitle() });
    const { env, trips } = countingEnv();
    await visit(page.html_url, {}, env);
    expect(trips()).toBe(2);
    const down = {
      prepare: () => {
        throw new Error("down");
      },
    } as unknown as D1Database;
    for (const broken of [{ ...workerEnv, DIRECTORY: down }, wrapShards(() => down)]) {
      const response = await visit(page.html_url, {}, broken);
      expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "5"]);
    }
  });
});

describe("views and clicks", () => {
  const page_data = { links: [{ label: "A", url: "https://a.example" }] };

  test("count requests of people, and ignore bots, prefetches, HEAD and missing links", async () => {
    const workspace = await newWorkspace();
    const page = await createPublishedPage(workspace, { title: newTitle(), page_data });
    const click = `${page.html_url}/l/0`;
    for (const address of [page.html_url, click]) {
      await visit(address, { headers: { "User-Agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" } });
      await visit(address, { headers: { "Sec-Purpose": "prefetch;prerender" } });
      await visit(address, { method: "HEAD" });
    }
    await visit(`${page.html_url}/l/7`);
    await Promise.all([
      visit(page.html_url),
      visit(page.html_url),
      visit(page.html_url),
      visit(click),
      visit(click),
    ]);
    const counted = await eventually(
      () => readPage(workspace, page),
      ({ view_count, click_count }) => view_count >= 3 && click_count >= 2,
    );
    expect(counted).toEqual({ ...page, view_count: 3, click_count: 2 });
  });

  test("count a window once if the queue delivers it twice", async () => {
    const workspace = await newWorkspace();
    const page = await createPage(workspace, { title: newTitle() });
    const body: Window<PageVisit> = {
      id: generateUuidv7(Date.now()),
      groups: [
        { facts: { workspaceId: workspace.id, pageId: page.id, kind: "view" }, timesMs: [1, 2] },
        { facts: { workspaceId: workspace.id, pageId: page.id, kind: "click" }, timesMs: [2] },
        { facts: { workspaceId: workspace.id, pageId: UNKNOWN_ID, kind: "view" }, timesMs: [3] },
      ],
    };
    const message = (id: string) => ({ id, timestamp: new Date(), attempts: 1, body });
    for (const messages of [[message("a"), message("b")], [message("c")]]) {
      const batch = createMessageBatch<Window<PageVisit>>("signpost-page-hits", messages);
      await countVisitBatch(batch, workerEnv, Date.now());
      expect((await getQueueResult(batch, createExecutionContext())).ackAll).toBe(true);
    }
    expect(await readPage(workspace, page)).toMatchObject({ view_count: 2, click_count: 1 });
  });

  test("count 1,001 pages, which need more than one statement", async () => {
    const workspace = await newWorkspace();
    const pageIds = Array.from({ length: 1_001 }, () => crypto.randomUUID());
    await workspace.shard
      .prepare(
        `INSERT INTO bio_pages (id, workspace_id, slug, title, description, page_data, created_at, updated_at)
         SELECT value, ?1, value, '', '', '{}', 1, 1 FROM json_each(?2)`,
      )
      .bind(workspace.id, JSON.stringify(pageIds))
      .run();
    const groups = pageIds.flatMap((pageId) => [
      { facts: { workspaceId: workspace.id, pageId, kind: "view" as const }, timesMs: [1, 2] },
      { facts: { workspaceId: workspace.id, pageId, kind: "click" as const }, timesMs: [2] },
    ]);
    const body: Window<PageVisit> = { id: generateUuidv7(Date.now()), groups };
    const message = { id: "a", timestamp: new Date(), attempts: 1, body };
    await countVisitBatch(createMessageBatch("signpost-page-hits", [message]), workerEnv, Date.now());
    const counted = await workspace.shard
      .prepare(
        "SELECT count(*) AS n FROM bio_pages WHERE workspace_id = ? AND view_count = 2 AND click_count = 1",
      )
      .bind(workspace.id)
      .first("n");
    expect(counted).toBe(1_001);
  });

  test("are deleted with their page in steps, and later windows of the page count nothing", async () => {
    const workspace = await newWorkspace();
    const [page, kept] = [
      await createPage(workspace, { title: newTitle() }),
      await createPage(workspace, { title: newTitle() }),
    ];
    const count = (kind: PageVisit["kind"], visits: number, nowMs = Date.now()) => {
      const groups = [page, kept].flatMap(({ id }) =>
        Array.from({ length: visits }, (_, index) => ({
          facts: { workspaceId: workspace.id, pageId: id, kind, referrer: `${index}.example.com` },
          timesMs: [nowMs],
        })),
      );
      const body: Window<PageVisit> = { id: generateUuidv7(Date.now()), groups };
      const message = { id: "a", timestamp: new Date(), attempts: 1, body };
      return countVisitBatch(createMessageBatch("signpost-page-hits", [message]), workerEnv, Date.now());
    };
    const countSeries = async ({ id }: Page) => {
      const tables = ["scan_months", "scan_days", "scan_facts", "scan_history_counts"];
      const sums = tables.map((table) => `(SELECT count(*) FROM ${table} WHERE owner = unhex(?1, '-'))`);
      return workspace.shard
        .prepare(`SELECT ${sums.join(" + ")} AS count`)
        .bind(id)
        .first("count");
    };
    await count("view", 100, Date.now() - 20 * DAY_MS);
    await count("view", 100);
    await count("click", 1);
    const before = await countSeries(page);
    expect(before).toBeGreaterThanOrEqual(5);
    expect(await countSeries(kept)).toBe(before);

    expect((await workspace.call("DELETE", `/v1/bio/pages/${page.id}?permanent=true`)).status).toBe(200);
    await count("view", 1);
    await sweep(quietEnv, Date.now());
    expect(await countSeries(page)).toBe(0);
    expect(await countSeries(kept)).toBe(before);
    await count("click", 100);
    expect(await countSeries(page)).toBe(0);
    expect(await readPage(workspace, kept)).toMatchObject({ view_count: 201, click_count: 101 });
    const marks = await workspace.shard
      .prepare("SELECT count(*) AS count FROM deleted_series WHERE workspace_id = ?")
      .bind(workspace.id)
      .first("count");
    expect(marks).toBe(0);
    const again = await workspace.call("DELETE", `/v1/bio/pages/${page.id}?permanent=true`);
    await expectError(again, 404, "RESOURCE_NOT_FOUND");
  });

  test("count by time, dimension, class and clicked destination", async () => {
    const workspace = await newWorkspace();
    const page = await createPage(workspace, { title: newTitle() });
    const other = await createPage(workspace, { title: newTitle() });
    const group = (facts: Omit<PageVisit, "workspaceId" | "pageId">, ...timesMs: number[]) => ({
      facts: { workspaceId: workspace.id, pageId: page.id, ...facts },
      timesMs,
    });
    const nowMs = Date.now();
    const link = "https://example.com/portfolio";
    const body: Window<PageVisit> = {
      id: generateUuidv7(Date.now()),
      groups: [
        group({ kind: "view", country: "DE", browser: "chrome" }, nowMs, nowMs),
        group({ kind: "view", country: "FR", browser: "chrome" }, nowMs - DAY_MS),
        group({ kind: "view", traffic: "preview" }, nowMs),
        group({ kind: "click", country: "DE", link }, nowMs),
        group({ kind: "click", country: "FR", link: "https://example.com/shop" }, nowMs, nowMs),
        group({ kind: "click", traffic: "bot", link }, nowMs),
      ],
    };
    const message = { id: "a", timestamp: new Date(), attempts: 1, body };
    await countVisitBatch(createMessageBatch("signpost-page-hits", [message]), workerEnv, Date.now());
    expect(await readPage(workspace, page)).toMatchObject({ view_count: 3, click_count: 3 });

    const read = async (path: string, of = page) => {
      const response = await workspace.call("GET", `/v1/bio/pages/${of.id}/analytics/${path}`);
      const body = (await response.json()) as { data: { items?: object[]; points?: { count: number }[] } };
      expect(response.status, JSON.stringify(body)).toBe(200);
      return body.data;
    };
    expect(await read("breakdown?by=country")).toEqual({
      metric: "views",
      by: "country",
      items: [
        { value: "DE", count: 2 },
        { value: "FR", count: 1 },
      ],
    });
    expect((await read("breakdown?by=country&browser=chrome&country=FR")).items).toEqual([
      { value: "FR", count: 1 },
    ]);
    expect((await read("breakdown?by=traffic")).items).toEqual([
      { value: "human", count: 3 },
      { value: "preview", count: 1 },
    ]);
    expect((await read("breakdown?metric=clicks&by=link")).items).toEqual([
      { value: "https://example.com/shop", count: 2 },
      { value: link, count: 1 },
    ]);
    expect((await read("breakdown?metric=clicks&by=link&country=DE")).items).toEqual([
      { value: link, count: 1 },
    ]);
    expect((await read("breakdown?metric=clicks&by=link&traffic=bot")).items).toEqual([
      { value: link, count: 1 },
    ]);
    const { points = [] } = await read("timeseries?interval=day");
    expect(points.slice(-2).map(({ count }) => count)).toEqual([1, 2]);
    expect((await read("timeseries?interval=day&metric=clicks&country=DE")).points?.at(-1)?.count).toBe(1);
    expect((await read("breakdown?by=country", other)).items).toEqual([]);

    for (const [path, message] of [
      ["breakdown?by=link", "by: must not be link unless metric is clicks"],
      ["breakdown?by=rule", /^by: must be one of/],
      ["breakdown?by=os&rule=a", "rule: is not a known parameter"],
      ["timeseries?interval=day&traffic=robots", /^traffic: must be one of/],
      ["timeseries?interval=day&metric=likes", "metric: must be one of views, clicks"],
    ] as const) {
      const response = await workspace.call("GET", `/v1/bio/pages/${page.id}/analytics/${path}`);
      expect((await expectError(response, 400, "VALIDATION_ERROR")).message).toMatch(message);
    }
    const stranger = await newWorkspace();
    const response = await stranger.call("GET", `/v1/bio/pages/${page.id}/analytics/breakdown?by=country`);
    await expectError(response, 404, "RESOURCE_NOT_FOUND");
  });

  test("contain the visitor's facts", async () => {
    const workspace = await newWorkspace();
    const page = await createPublishedPage(workspace, {
      title: newTitle(),
      page_data: { links: [{ label: "Shop", url: "https://example.com/shop" }] },
    });
    const headers = { "CF-IPCountry": "CA", "Accept-Language": "fr-CA", Referer: "https://news.example/a" };
    await visit(page.html_url, { headers });
    await visit(page.html_url, { headers: { ...headers, "User-Agent": "Twitterbot/1.0" } });
    await visit(`${page.html_url}/l/0`, { headers });
    await eventually(
      () => readPage(workspace, page),
      ({ click_count }) => click_count === 1,
    );
    const read = async (query: string) => {
      const path = `/v1/bio/pages/${page.id}/analytics/breakdown?${query}`;
      const body = (await (await workspace.call("GET", path)).json()) as {
        data: { items: { value: string; count: number }[] };
      };
      return body.data.items.map(({ value, count }) => `${value} ${count}`);
    };
    expect(await read("by=country")).toEqual(["CA 1"]);
    expect(await read("by=referrer&language=fr-CA")).toEqual(["news.example 1"]);
    expect(await read("by=traffic")).toEqual(["human 1", "preview 1"]);
    expect(await read("by=link&metric=clicks")).toEqual(["https://example.com/shop 1"]);
    expect(await readPage(workspace, page)).toMatchObject({ view_count: 1, click_count: 1 });
  });

  test("survive a short failure of the queue, and the page is still served", async () => {
    const workspace = await newWorkspace();
    const page = await createPublishedPage(workspace, { title: newTitle() });
    let refusals = 1;
    const queue = {
      send: (message: unknown) =>
        refusals-- > 0 ? Promise.reject(new Error("down")) : workerEnv.PAGE_HIT_QUEUE.send(message),
    } as unknown as Queue;
    const response = await visit(page.html_url, {}, { ...workerEnv, PAGE_HIT_QUEUE: queue });
    expect(response.status).toBe(200);
    const counted = await eventually(
      () => readPage(workspace, page),
      ({ view_count }) => view_count > 0,
    );
    expect(counted.view_count).toBe(1);
  });
});

test("a page with 8 or more links has two columns", async () => {
  const workspace = await newWorkspace();
  const links = Array.from({ length: 8 }, (_, n) => ({ label: `Link ${n}`, url: "https://example.com/" }));
  for (const [count, isWide] of [
    [7, false],
    [8, true],
  ] as const) {
    const page_data = { links: links.slice(0, count) };
    const page = await createPublishedPage(workspace, { title: `${count} links`, page_data });
    const html = await (await visit(page.html_url)).text();
    expect(html.includes('<main class="many">')).toBe(isWide);
  }
});

test("a title tries five slugs, and a patch of page data is retried up to 50 times", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => void vi.restoreAllMocks());
  const workspace = await newWorkspace();
  const page = await createPage(workspace, { title: "Overtaken" });
  const isHere = `NEW.workspace_id = '${workspace.id}'`;
  const countMerges = await ignoreWrites(workspace.shard, "UPDATE ON bio_pages", isHere);
  const body = { page_data_patch: { own: 1 } };
  expect((await workspace.call("PATCH", `${PAGES}/${page.id}`, { body })).status).toBe(500);
  expect(await countMerges()).toBe(50);

  const countClaims = await ignoreWrites(workerEnv.DIRECTORY, "INSERT ON bio_slugs", isHere);
  expect((await workspace.call("POST", PAGES, { body: { title: "Another" } })).status).toBe(500);
  expect(await countClaims()).toBe(5);
  const slug = `fixed-${workspace.slug}`;
  const fixed = await workspace.call("POST", PAGES, { body: { title: "Another", slug } });
  await expectError(fixed, 409, "SLUG_TAKEN");
  expect(await countClaims()).toBe(6);
});
