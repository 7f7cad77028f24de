import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Link, readFields } from "../../src/client/apply/desired-link.ts";
import { planLinks } from "../../src/client/apply/links-plan.ts";
import { readLinksFile } from "../../src/client/apply/read-links-file.ts";
import { formatEnd, formatLink, formatStart } from "../../src/client/apply/write-links-file.ts";
import { walkLinks } from "../../src/client/cli/find-link.ts";
import { runPlan } from "../../src/client/cli/run-plan.ts";
import { createSignpostClient, type SignpostClient } from "../../src/client/client.ts";
import { newLinkBody } from "../support/arbitrary-links.ts";
import { newWorkspace, send } from "../support/harness.ts";

/** Effects of `signpost apply` on the API. Files and the terminal are tested elsewhere. */

type Send = (request: Request) => Promise<Response>;

function openClient(key: string, fetch: Send = (request) => send(request), retries = 0): SignpostClient {
  return createSignpostClient({ apiUrl: "http://localhost:8787", key, fetch, retries });
}

async function readLinks(client: SignpostClient): Promise<Link[]> {
  const links: Link[] = [];
  for await (const link of walkLinks(client, { archived: "all" })) links.push(link);
  return links;
}

const planFile = async (client: SignpostClient, text: string) =>
  planLinks(readLinksFile(text), await readLinks(client));

/** Applies a file to the links of a workspace. `worker` sends the calls that change something. */
async function applyFile(client: SignpostClient, text: string, isPruned = false, worker = client) {
  const plan = await planFile(client, text);
  const passwords = new Map([["MENU_PASSWORD", "open sesame"]]);
  return runPlan({ client: worker, plan, isPruned, passwords });
}

function writeFile(links: readonly Link[]): string {
  const parts = links.map((link, index) => formatLink("yaml", link, index === 0));
  return formatStart("yaml", "https://api.example/") + parts.join("") + formatEnd("yaml", links.length > 0);
}

const file = (...links: string[]) => `version: 1\nlinks: [${links.map((link) => `{ ${link} }`).join(", ")}]`;
const numbered = (count: number, more = "") =>
  file(
    ...Array.from({ length: count }, (_, index) => `code: link-${index}, url: "https://example.com/"${more}`),
  );

const DONE = { created: 0, changed: 0, deleted: 0, failures: [], end: null };
const NOTHING = { created: [], changed: [], absent: [] };

test("apply makes the links match the file, with and without deletions, and a second run changes nothing", async () => {
  const client = openClient((await newWorkspace()).key);
  const first = file(
    'code: menu, url: "https://example.com/menu", title: Menu, labels: [print], imported_scans: 7, created_at: 2024-05-01T12:00:00Z',
    'code: Off, url: "https://example.com/off", enabled: false, password: { environment: MENU_PASSWORD }',
    'code: rest, url: "https://example.com/rest"',
  );
  expect(await applyFile(client, first)).toEqual({ ...DONE, created: 3 });
  expect(await planFile(client, first)).toEqual({ ...NOTHING, unchanged: 3 });
  const made = new Map((await readLinks(client)).map((link) => [link.short_code, link]));
  expect(made.get("menu")).toMatchObject({
    title: "Menu",
    imported_scans: 7,
    created_at: "2024-05-01T12:00:00.000Z",
  });
  expect(made.get("Off")).toMatchObject({ enabled: false, has_password: true });

  const second = file(
    'code: MENU, url: "https://example.com/new", imported_scans: 8, created_at: 2025-05-01T12:00:00Z',
    'code: off, url: "https://example.com/off"',
  );
  const plan = await planFile(client, second);
  expect(plan.changed.map(({ changes }) => changes.map(({ field }) => field))).toEqual([
    ["url", "title", "labels"],
    ["enabled", "has_password"],
  ]);
  expect(plan.absent.map(({ short_code }) => short_code)).toEqual(["rest"]);
  expect(await applyFile(client, second)).toEqual({ ...DONE, changed: 2 });
  expect(await readLinks(client)).toHaveLength(3);
  expect(await applyFile(client, second, true)).toEqual({ ...DONE, deleted: 1 });
  expect(await planFile(client, second)).toEqual({ ...NOTHING, unchanged: 2 });
  const changed = new Map((await readLinks(client)).map((link) => [link.short_code, link]));
  // Fields that are only used at creation stay unchanged.
  expect(changed.get("menu")).toMatchObject({
    title: null,
    imported_scans: 7,
    created_at: "2024-05-01T12:00:00.000Z",
  });
  expect(changed.get("Off")).toMatchObject({ enabled: true, has_password: false });
});

test("a link without a password gets the password of the file, and an existing password is kept", async () => {
  const workspace = await newWorkspace();
  const client = openClient(workspace.key);
  await workspace.call("POST", "/v1/links", {
    body: { url: "https://example.com/", custom_slug: "menu" },
  });
  const locked = file('code: menu, url: "https://example.com/", password: { environment: MENU_PASSWORD }');
  expect(await applyFile(client, locked)).toEqual({ ...DONE, changed: 1 });
  expect(await planFile(client, locked)).toEqual({ ...NOTHING, unchanged: 1 });
  expect(await planFile(client, file('code: menu, url: "https://example.com/", has_password: true'))).toEqual(
    {
      ...NOTHING,
      unchanged: 1,
    },
  );
});

test("applying an export changes nothing in its own workspace and recreates the links in another", async () => {
  const bodies = fc.sample(newLinkBody, { numRuns: 40, seed: 7 });
  const [source, target] = [await newWorkspace("business"), await newWorkspace("business")];
  const client = openClient(source.key);
  const made = await client.POST("/v1/links/bulk", { body: { links: bodies as never } });
  expect(made.error).toBeUndefined();
  expect(made.data?.data.errors.filter(({ error }) => error !== "conflict")).toEqual([]);
  const links = await readLinks(client);
  expect(links.length).toBeGreaterThan(35);
  const text = writeFile(links);
  expect(await planFile(client, text)).toEqual({ ...NOTHING, unchanged: links.length });

  // The command also retries calls.
  const elsewhere = openClient(target.key, undefined, 3);
  const applied = await applyFile(elsewhere, text);
  expect(applied.failures.map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
  expect(applied).toEqual({ ...DONE, created: links.length });
  const describe = (link: Link) => {
    const { short_code, external_id, aliases, imported_scans, created_at } = link;
    return [short_code, external_id, aliases, readFields(link), imported_scans, created_at];
  };
  const sort = (all: Link[]) => all.map(describe).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  expect(sort(await readLinks(elsewhere))).toEqual(sort(links));
});

test("a link with an external id is created without a code, renamed, and keeps its old codes", async () => {
  const workspace = await newWorkspace();
  const client = openClient(workspace.key);
  const url = 'url: "https://example.com/"';
  const entry = (more: string) => file(`external_id: order-1, ${url}${more}`);
  expect(await applyFile(client, entry(", enabled: false"))).toEqual({ ...DONE, created: 1 });
  const [made] = await readLinks(client);
  expect(made).toMatchObject({ external_id: "order-1", enabled: false });
  for (const [more, aliases] of [
    [", code: first", [made?.short_code]],
    [", code: second, aliases: [_x]", ["_x", made?.short_code, "first"]],
  ] as const) {
    expect(await applyFile(client, entry(more))).toEqual({ ...DONE, changed: 1 });
    expect(await planFile(client, entry(more))).toEqual({ ...NOTHING, unchanged: 1 });
    const [link] = await readLinks(client);
    expect([link?.id, new Set(link?.aliases)]).toEqual([made?.id, new Set(aliases)]);
  }
  expect(await planFile(client, entry(", aliases: []"))).toEqual({ ...NOTHING, unchanged: 1 });
});

describe("a run that is interrupted", () => {
  test("creates nothing twice and skips nothing when it is repeated", async () => {
    const { key } = await newWorkspace();
    const text = numbered(250);
    let calls = 0;
    // The service performs the second call, but its response is lost.
    const dying = openClient(key, async (request) => {
      calls++;
      if (calls > 2) throw new TypeError("killed");
      const response = await send(request);
      if (calls > 1) throw new TypeError("killed");
      return response;
    });
    const client = openClient(key);
    const killed = await applyFile(client, text, false, dying);
    expect(killed.end?.message).toMatch(/can't reach the service/);
    expect(killed.created).toBeLessThan(250);
    await applyFile(client, text);
    expect(await planFile(client, text)).toEqual({ ...NOTHING, unchanged: 250 });
  });

  test("stops at the first link that the key may not write", async () => {
    const workspace = await newWorkspace();
    const reader = workspace.as(await workspace.newKey({ scopes: ["links:read"] }));
    let calls = 0;
    const client = openClient(reader.key, (request) => {
      calls += Number(request.method !== "GET");
      return send(request);
    });
    const result = await applyFile(client, numbered(900));
    expect(result).toMatchObject({ created: 0, end: { exitCode: 3 } });
    expect(calls).toBeLessThanOrEqual(4);
    expect(result.end?.message).toMatch(/^INSUFFICIENT_SCOPE: /);
  });
});

test("a run stops when the plan's link limit is reached, with its own exit code", async () => {
  const workspace = await newWorkspace();
  let calls = 0;
  const client = openClient(workspace.key, (request) => {
    if (request.method === "GET") return send(request);
    calls++;
    const errors = [
      { index: 0, error: "validation_error", message: "links[0].url: must be short" },
      {
        index: 99,
        error: "plan_limit_exceeded",
        message: "links[99]: The pro plan allows 1000 links per month.",
      },
    ];
    return Promise.resolve(Response.json({ data: { created: [], errors }, meta: {} }));
  });
  const result = await applyFile(client, numbered(900));
  expect(result.end).toMatchObject({
    exitCode: 6,
    message: "PLAN_LIMIT_EXCEEDED: The pro plan allows 1000 links per month.",
  });
  expect(calls).toBeLessThanOrEqual(4);
  expect(result.failures.slice(0, 2)).toEqual([
    { action: "create", code: "link-0", message: "url: must be short" },
    { action: "create", code: "link-99", message: "The pro plan allows 1000 links per month." },
  ]);
});

test("shows an error if the key may not delete links", async () => {
  const workspace = await newWorkspace();
  await applyFile(openClient(workspace.key), numbered(1));
  const reader = workspace.as(await workspace.newKey({ scopes: ["links:read"] }));
  const result = await applyFile(openClient(reader.key), file(), true);
  expect(result).toMatchObject({
    deleted: 0,
    failures: [{ action: "delete", code: "link-0" }],
    end: { exitCode: 3 },
  });
});

test("reports links that the service rejects with its messages, and creates the others", async () => {
  const workspace = await newWorkspace("pro");
  const client = openClient(workspace.key);
  await workspace.call("POST", "/v1/links", { body: { url: "https://example.com/", custom_slug: "mine" } });
  const plan = await planFile(
    client,
    file(
      'code: loop, url: "http://localhost:8787/loop"',
      'code: good, url: "https://example.com/"',
      'code: taken, url: "https://example.com/"',
      'code: mine, url: "https://example.com/", routing_rules: [{ when: { os: [ios] }, destination: "https://example.com/" }]',
    ),
  );
  await workspace.call("POST", "/v1/links", { body: { url: "https://example.com/", custom_slug: "taken" } });
  const result = await runPlan({ client, plan, isPruned: false, passwords: new Map() });
  expect(result).toEqual({
    created: 1,
    changed: 0,
    deleted: 0,
    end: null,
    failures: [
      { action: "create", code: "loop", message: expect.stringMatching(/^url: /) },
      {
        action: "create",
        code: "taken",
        message: expect.stringMatching(/^custom_slug: taken is already used/),
      },
      { action: "change", code: "mine", message: expect.stringMatching(/^FEATURE_NOT_AVAILABLE: /) },
    ],
  });
});

test("a link that another client deletes during the run counts as deleted", async () => {
  const workspace = await newWorkspace();
  const client = openClient(workspace.key);
  await applyFile(client, numbered(2));
  const plan = await planFile(client, file());
  const id = plan.absent[0]?.id;
  await workspace.call("DELETE", `/v1/links/${id}`);
  const progress: number[] = [];
  const run = {
    client,
    plan,
    isPruned: true,
    passwords: new Map(),
    onProgress: (n: number) => progress.push(n),
  };
  expect(await runPlan(run)).toEqual({ ...DONE, deleted: 2 });
  expect(progress).toEqual([1, 2]);
});

test("apply creates links in calls of at most 100", async () => {
  const { key } = await newWorkspace("enterprise");
  const sizes: number[] = [];
  const client = openClient(key, async (request) => {
    if (request.method === "POST") sizes.push(((await request.clone().json()) as { links: [] }).links.length);
    return send(request);
  });
  expect(await applyFile(client, numbered(101))).toEqual({ ...DONE, created: 101 });
  expect(sizes).toEqual([100, 1]);
});
