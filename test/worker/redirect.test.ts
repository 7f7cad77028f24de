import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { HOUR_MS } from "../../src/core/time.ts";
import { type LinkResponse, linkResponse } from "../../src/links/link-response.ts";
import { forgetAll } from "../../src/resolving/resolve.ts";
import {
  addDomain,
  countingEnv,
  createLink,
  expectData,
  expectError,
  newWorkspace,
  send,
  workerEnv,
  wrapShards,
} from "../support/harness.ts";
import {
  age,
  buildEnvWithoutDatabase,
  changeElsewhere,
  evict,
  forgetLinks,
  visitWithEnv,
  warmHost,
} from "../support/redirects.ts";

/** Destination that `createLink` sets by default. */
const DESTINATION = "https://example.com/";

beforeEach(forgetAll);

test("a redirect returns 302 and must not be stored or indexed", async () => {
  const workspace = await newWorkspace();
  const { short_code } = await createLink(workspace, { url: "HTTPS://Example.com/ü?a=b#c" });
  const response = await workspace.visit(`/${short_code}?utm=1`);
  expect(response.status).toBe(302);
  expect(response.headers.get("Location")).toBe("https://example.com/%C3%BC?a=b#c");
  expect(response.headers.get("Cache-Control")).toBe("private, no-store");
  expect(response.headers.get("X-Robots-Tag")).toBe("noindex");
  const head = await workspace.visit(`/${short_code}`, { method: "HEAD" });
  expect(head.status).toBe(302);
  expect(head.headers.get("Location")).toBe("https://example.com/%C3%BC?a=b#c");
});

test("a redirect finds a custom slug and a generated code in any case", async () => {
  const workspace = await newWorkspace();
  await createLink(workspace, { custom_slug: "Spring-Sale" });
  expect((await workspace.visit("/sPRING-sALE")).status).toBe(302);
  let generated: LinkResponse;
  do generated = await createLink(workspace);
  while (generated.short_code === generated.short_code.toLowerCase());
  expect((await workspace.visit(`/${generated.short_code}`)).status).toBe(302);
  expect((await workspace.visit(`/${generated.short_code.toLowerCase()}`)).status).toBe(302);
});

test("an escaped letter or a trailing slash in a path makes no difference", async () => {
  const workspace = await newWorkspace();
  await createLink(workspace, { custom_slug: "menu" });
  for (const path of ["/%6denu", "/menu/", "/%6De%6eu/"]) {
    expect((await workspace.visit(path)).status, path).toBe(302);
  }
  for (const path of ["/menu//", "/menu%2F", "/%256denu"]) {
    expect((await workspace.visit(path)).status, path).toBe(404);
  }
  expect((await send(new Request("http://localhost:8787/%68ealthz"))).status).toBe(200);
});

test("a slug that two workspaces use redirects to the link on the requested host", async () => {
  const [one, two] = [await newWorkspace(), await newWorkspace()];
  await createLink(one, { custom_slug: "same", url: "https://example.com/one" });
  await createLink(two, { custom_slug: "same", url: "https://example.com/two" });
  expect((await one.visit("/same")).headers.get("Location")).toBe("https://example.com/one");
  expect((await two.visit("/same")).headers.get("Location")).toBe("https://example.com/two");
});

test("every host of a workspace redirects to its links", async () => {
  const workspace = await newWorkspace();
  await addDomain(workspace, "go.second.test");
  const { short_code, short_url } = await createLink(workspace);
  expect(new URL(short_url).hostname).toBe(workspace.hostname);
  const second = await send(new Request(`http://GO.second.test.:8787/${short_code}`, { redirect: "manual" }));
  expect(second.status).toBe(302);
});

test("disabled and expired links return 410 until they are enabled or extended", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace, { custom_slug: "here" });
  const patch = async (body: object) => {
    await workspace.call("PATCH", `/v1/links/${link.id}`, { body });
    return (await workspace.visit("/here")).status;
  };
  expect(await patch({ enabled: false })).toBe(410);
  expect(await patch({ enabled: true })).toBe(302);
  expect(await patch({ expires_at: "2020-01-01T00:00:00Z" })).toBe(410);
  expect(await patch({ expires_at: "2999-01-01T00:00:00Z" })).toBe(302);
  expect(await patch({ expires_at: null })).toBe(302);
  await createLink(workspace, { custom_slug: "was", expires_at: "2020-01-01T00:00:00Z" });
  expect((await workspace.visit("/was")).status).toBe(410);
});

test("a cached link returns 410 from the time of its expiry on", async () => {
  const workspace = await newWorkspace();
  const soonMs = Date.now() + 400;
  vi.useFakeTimers({ toFake: ["Date"], now: soonMs - 400 });
  onTestFinished(() => void vi.useRealTimers());
  await createLink(workspace, { custom_slug: "soon", expires_at: new Date(soonMs).toISOString() });
  vi.setSystemTime(soonMs - 1);
  expect((await workspace.visit("/soon")).status).toBe(302);
  vi.setSystemTime(soonMs);
  expect((await workspace.visit("/soon")).status).toBe(410);
});

test("an unknown path returns an error page, or JSON if the client accepts it", async () => {
  const workspace = await newWorkspace();
  const page = await workspace.visit("/unknown");
  expect(page.status).toBe(404);
  expect(page.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(await page.text()).toContain("has no link at this URL</h1>");
  for (const Accept of ["application/json", "Application/JSON, */*;q=0.1"]) {
    const json = await workspace.visit("/unknown", { headers: { Accept } });
    await expectError(json, 404, "RESOURCE_NOT_FOUND");
  }
  const method = await workspace.visit("/unknown", { method: "POST" });
  expect(method.status).toBe(405);
  expect(method.headers.get("Allow")).toBe("GET, HEAD");
  for (const path of ["/", "/a/b", "/ab", "/%00%00%00", "/..%2f..", "/favicon.ico", `/${"a".repeat(65)}`]) {
    expect((await workspace.visit(path)).status, path).toBe(404);
  }
  const unknownHost = await send(new Request("http://nobody.test/abc", { redirect: "manual" }));
  expect(unknownHost.status).toBe(404);
});

test("routing rules choose the destination by geo, user agent, language and query", async () => {
  const workspace = await newWorkspace();
  const buildUrl = (name: string) => `https://example.com/${name}`;
  const { short_code } = await createLink(workspace, {
    routing_rules: [
      { when: { country: ["US", "CA"], os: ["ios"] }, destination: buildUrl("ios-north") },
      { when: { region: ["de-by"] }, destination: buildUrl("bavaria") },
      { when: { continent: ["EU"] }, destination: buildUrl("europe") },
      { when: { language: ["fr"] }, destination: buildUrl("french") },
      { when: { query: { ref: ["mail"], beta: true } }, destination: buildUrl("mail") },
      { when: { before: "2020-01-01T00:00:00Z" }, destination: buildUrl("past") },
    ],
  });
  const iphone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1";
  const cases: [string, string, Record<string, string>][] = [
    ["ios-north", "", { "CF-IPCountry": "CA", "User-Agent": iphone }],
    ["", "", { "CF-IPCountry": "CA" }],
    ["", "", { "CF-IPCountry": "MX", "User-Agent": iphone }],
    ["bavaria", "", { "CF-IPCountry": "DE", "CF-IPContinent": "EU", "CF-Region-Code": "BY" }],
    ["europe", "", { "CF-IPCountry": "DE", "CF-IPContinent": "EU" }],
    ["french", "", { "CF-IPCountry": "XX", "Accept-Language": "en;q=0.4, fr-CA;q=0.5" }],
    ["", "", { "Accept-Language": "fr;q=0.4" }],
    ["mail", "?beta&ref=mail", {}],
    ["", "?ref=mail", {}],
  ];
  for (const [expected, query, headers] of cases) {
    const response = await workspace.visit(`/${short_code}${query}`, { headers });
    expect(response.headers.get("Location"), JSON.stringify(headers)).toBe(buildUrl(expected));
  }
});

test("in production the country comes only from Cloudflare's request.cf", async () => {
  const workspace = await newWorkspace();
  const { short_code } = await createLink(workspace, {
    routing_rules: [{ when: { country: ["CA"] }, destination: "https://example.com/ca" }],
  });
  const production = { ...workerEnv, ALLOW_LOOPBACK: "false" };
  const spoofed = await visitWithEnv(workspace, `/${short_code}`, production, {
    headers: { "CF-IPCountry": "CA" },
  });
  expect(spoofed.headers.get("Location")).toBe(DESTINATION);
  const init = { cf: { country: "CA" } } as RequestInit;
  const real = await visitWithEnv(workspace, `/${short_code}`, production, init);
  expect(real.headers.get("Location")).toBe("https://example.com/ca");
  // The geo data in the request.cf of local development is invented, so it is ignored.
  const local = await workspace.visit(`/${short_code}`, init);
  expect(local.headers.get("Location")).toBe(DESTINATION);
});

test("a link whose destination became a short host returns 404", async () => {
  const workspace = await newWorkspace();
  const { id, short_code } = await createLink(workspace, {
    url: "http://go.redirected.test:8787/x",
    routing_rules: [{ when: { country: ["CA"] }, destination: "https://example.com/ca" }],
  });
  await addDomain(workspace, "go.redirected.test");
  await evict(workspace, short_code);
  expect((await workspace.visit(`/${short_code}`)).status).toBe(404);
  const headers = { "CF-IPCountry": "CA" };
  expect((await workspace.visit(`/${short_code}`, { headers })).headers.get("Location")).toBe(
    "https://example.com/ca",
  );

  // Changing another field does not reactivate it, and still takes two round trips to D1.
  const counting = countingEnv();
  await workspace.call("PATCH", `/v1/links/${id}`, { body: { labels: ["a"] }, env: counting.env });
  expect(counting.trips()).toBe(2);
  expect((await workspace.visit(`/${short_code}`)).status).toBe(404);
  for (const enabled of [false, true]) {
    await workspace.call("PATCH", "/v1/links/bulk/status", { body: { ids: [id], enabled } });
    expect((await workspace.visit(`/${short_code}`)).status).toBe(enabled ? 404 : 410);
  }
});

test("a bulk change in a workspace with many hosts writes one entry for each link", async () => {
  const workspace = await newWorkspace();
  for (let index = 0; index < 9; index++) await addDomain(workspace, `many${index}.test`);
  const links = Array.from({ length: 100 }, () => ({ url: DESTINATION }));
  const created = await workspace.call("POST", "/v1/links/bulk", { body: { links } });
  expect(created.status).toBe(201);
  const { results } = await workspace.shard
    .prepare("SELECT id FROM links WHERE workspace_id = ?")
    .bind(workspace.id)
    .all<{ id: string }>();
  const ids = results.map(({ id }) => id);
  const put = vi.spyOn(caches.default, "put");
  await workspace.call("PATCH", "/v1/links/bulk/status", { body: { ids, enabled: false } });
  const urls = put.mock.calls.map(([url]) => url as string);
  put.mockRestore();
  // Another entry reports the change to the data centre's other isolates.
  expect(urls).toHaveLength(101);
  expect(new Set(urls).size).toBe(101);
});

test("a cached link needs no database, any other link one round trip, and an uncached host another one", async () => {
  const workspace = await newWorkspace();
  const { short_code } = await createLink(workspace, { custom_slug: "known" });
  const countTrips = async () => {
    const counting = countingEnv();
    expect((await visitWithEnv(workspace, `/${short_code}`, counting.env)).status).toBe(302);
    return counting.trips();
  };
  warmHost(workspace);
  expect(await countTrips()).toBe(0);
  forgetLinks(workspace);
  expect(await countTrips()).toBe(0);
  await evict(workspace, short_code);
  expect(await countTrips()).toBe(1);
  expect(await countTrips()).toBe(0);
  await evict(workspace, short_code);
  forgetAll();
  expect(await countTrips()).toBe(2);
  forgetAll();
  expect(await countTrips()).toBe(0);
});

test("repeated requests for an unknown code read the database once, and a link created later is found", async () => {
  const workspace = await newWorkspace();
  warmHost(workspace);
  const counting = countingEnv();
  for (const _ of [1, 2, 3])
    expect((await visitWithEnv(workspace, "/missing", counting.env)).status).toBe(404);
  expect(counting.trips()).toBe(1);
  await createLink(workspace, { custom_slug: "missing" });
  expect((await workspace.visit("/missing")).status).toBe(302);
});

test("a cached link redirects for a day while the database is down", async () => {
  const workspace = await newWorkspace();
  const { short_code } = await createLink(workspace, { custom_slug: "known" });
  const down = buildEnvWithoutDatabase();
  warmHost(workspace);
  expect((await visitWithEnv(workspace, `/${short_code}`, down)).status).toBe(302);
  for (const [ageMs, status] of [
    [23.9 * HOUR_MS, 302],
    [24 * HOUR_MS, 503],
  ] as const) {
    await age(workspace, short_code, ageMs);
    expect((await visitWithEnv(workspace, `/${short_code}`, down)).status).toBe(status);
  }
  const unknown = await visitWithEnv(workspace, "/never-seen", down);
  expect(unknown.status).toBe(503);
  expect(unknown.headers.get("Retry-After")).toBe("5");
});

test("a cached target is read again after its maximum age", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace, { custom_slug: "known" });
  // A change made in another data centre does not reach this data centre's memory and cache.
  await changeElsewhere(workspace, link.id, "https://example.com/new");
  expect((await workspace.visit(`/${link.short_code}`)).headers.get("Location")).toBe(DESTINATION);
  await age(workspace, link.short_code, 25_001);
  expect((await workspace.visit(`/${link.short_code}`)).headers.get("Location")).toBe(
    "https://example.com/new",
  );
});

test("a change made during a read replaces the result of the read", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace);
  await evict(workspace, link.short_code);
  const { promise: changed, resolve: markChanged } = Promise.withResolvers<void>();
  const { promise: reading, resolve: markReading } = Promise.withResolvers<void>();
  const env = wrapShards((d1) => buildSlowDatabase(d1, markReading, changed));
  const slow = visitWithEnv(workspace, `/${link.short_code}`, env);
  await reading;
  await workspace.call("PATCH", `/v1/links/${link.id}`, { body: { url: "https://example.com/new" } });
  markChanged();
  expect((await slow).headers.get("Location")).toBe("https://example.com/new");
  expect((await workspace.visit(`/${link.short_code}`)).headers.get("Location")).toBe(
    "https://example.com/new",
  );
});

/**
 * Returns a D1 that calls `onRead` after a redirect's read and holds back its result until `until` settles.
 */
function buildSlowDatabase(d1: D1Database, onRead: () => void, until: Promise<void>): D1Database {
  const all = async (bound: D1PreparedStatement) => {
    const result = await bound.all();
    onRead();
    await until;
    return result;
  };
  const prepare = (query: string) => ({
    bind: (...values: unknown[]) => ({ all: () => all(d1.prepare(query).bind(...values)) }),
  });
  return { withSession: () => ({ prepare }) } as unknown as D1Database;
}

test("the API host serves short links next to its own paths", async () => {
  const workspace = await newWorkspace();
  await addDomain(workspace, "localhost");
  const { short_code } = await createLink(workspace, { custom_slug: "docs-2" });
  const get = (address: string) => send(new Request(address, { redirect: "manual" }));
  expect((await get(`http://localhost:8787/${short_code}`)).status).toBe(302);
  const health = await get("http://127.0.0.1:8787/healthz");
  expect(await health.json()).toEqual({ status: "ok" });
  const reserved = await workspace.call("POST", "/v1/links", {
    body: { url: DESTINATION, custom_slug: "HealthZ" },
  });
  expect(reserved.status).toBe(400);
  const { meta } = await expectData(await workspace.call("GET", "/v1/links"), z.array(linkResponse));
  expect(meta.total).toBe(1);
});
