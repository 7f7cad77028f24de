import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { arabic } from "../../src/pages/texts/arabic.ts";
import { forgetAll } from "../../src/resolving/resolve.ts";
import {
  countingEnv,
  createLink,
  newWorkspace,
  send,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import { hurryTimers } from "../support/quick-timers.ts";
import { warmHost } from "../support/redirects.ts";

/** Error pages of short hosts and of the CDN. */

const PAST = "2020-01-01T00:00:00Z";
const HTML = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const JSON_ONLY = { Accept: "application/json" };

beforeEach(forgetAll);
afterEach(() => vi.restoreAllMocks());

/** Creates a workspace with a name. */
async function newNamedWorkspace(name: string): Promise<TestWorkspace> {
  const workspace = await newWorkspace();
  await workerEnv.DIRECTORY.prepare("UPDATE workspaces SET name = ? WHERE id = ?")
    .bind(name, workspace.id)
    .run();
  return workspace;
}

/** Requests a path of a short host with the given bindings. */
function visitWithEnv(
  workspace: TestWorkspace,
  path: string,
  env: Env,
  headers: Record<string, string> = HTML,
): Promise<Response> {
  const address = `http://${workspace.hostname}:8787${path}`;
  return send(new Request(address, { redirect: "manual", headers }), env);
}

function readHeading(html: string): string | undefined {
  return /<h1>(.*)<\/h1>/.exec(html)?.[1];
}

/** Expects the response to be a page whose policy allows its own style sheet and nothing else. */
async function expectPage(response: Response, status: number, policyEnd: string): Promise<string> {
  expect(response.status).toBe(status);
  expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(response.headers.get("Cache-Control")).toContain("no-store");
  const html = await response.text();
  expect(html).toContain('<meta name="robots" content="noindex">');
  expect(html).not.toContain("<script");
  const [, css] = /<style>(.*)<\/style>/.exec(html) ?? [];
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(css));
  const source = `'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'`;
  const policy = response.headers.get("Content-Security-Policy");
  expect(policy).toBe(`default-src 'none'; style-src ${source}; ${policyEnd}`);
  return html;
}

const expectShortPage = async (response: Response, status: number) => {
  expect(response.headers.get("X-Robots-Tag")).toBe("noindex");
  expect(response.headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
  return expectPage(response, status, "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
};

test("404 and 410 pages contain the workspace's name in the text and the title", async () => {
  const workspace = await newNamedWorkspace("Acme");
  await createLink(workspace, { custom_slug: "over", expires_at: PAST });
  const missing = await expectShortPage(await workspace.visit("/missing"), 404);
  expect(readHeading(missing)).toBe("<bdi>Acme</bdi> has no link at this URL");
  expect(missing).toContain("<title>Acme has no link at this URL</title>");
  const over = await expectShortPage(await workspace.visit("/over"), 410);
  expect(readHeading(over)).toBe("This link is no longer available");
  expect(over).toContain("<p><bdi>Acme</bdi> has disabled it, or it has expired.</p>");
});

test("a blocked visitor gets a 451 page that does not contain the destination", async () => {
  const workspace = await newNamedWorkspace("Acme");
  const routing_rules = [{ when: { country: ["CA"] }, block: true }];
  await createLink(workspace, { custom_slug: "blocked", url: "https://example.com/secret", routing_rules });
  const headers = { ...HTML, "CF-IPCountry": "CA" };
  const html = await expectShortPage(await workspace.visit("/blocked", { headers }), 451);
  expect(readHeading(html)).toBe("This link isn&#39;t available to you");
  expect(html).toContain("<bdi>Acme</bdi> has restricted it by location or device");
  expect(html).not.toContain("secret");
  const json = await workspace.visit("/blocked", { headers: { ...headers, ...JSON_ONLY } });
  expect(await json.json()).toMatchObject({ error: { code: "LINK_BLOCKED", status: 451 } });
});

test("the name is escaped, and placeholders in it are not replaced", async () => {
  const workspace = await newNamedWorkspace(`</title><script>alert(1)</script> {name} $& "A" & 'B'`);
  const html = await expectShortPage(await workspace.visit("/missing"), 404);
  const escaped =
    "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; {name} $&amp; &quot;A&quot; &amp; &#39;B&#39;";
  expect(html).toContain(`<title>${escaped} has no link at this URL</title>`);
  expect(readHeading(html)).toBe(`<bdi>${escaped}</bdi> has no link at this URL`);
});

test("hosts without a workspace and other errors have pages without a name", async () => {
  const stranger = await send(new Request("http://nobody.test/abc", { redirect: "manual", headers: HTML }));
  expect(readHeading(await expectShortPage(stranger, 404))).toBe("Link not found");
  const workspace = await newNamedWorkspace("Acme");
  const posted = await workspace.visit("/abc", { method: "POST", headers: HTML });
  expect(posted.headers.get("Allow")).toBe("GET, HEAD");
  expect(await expectShortPage(posted, 405)).not.toContain("Acme");
});

test("the page of a disabled link is the same for every destination", async () => {
  const workspace = await newNamedWorkspace("Acme");
  for (const [custom_slug, url] of [
    ["off-one", "https://example.com/secret"],
    ["off-two", "https://other.example/"],
  ]) {
    const { id } = await createLink(workspace, { custom_slug, url });
    const disabled = await workspace.call("PATCH", `/v1/links/${id}`, { body: { enabled: false } });
    expect(disabled.status).toBe(200);
  }
  await createLink(workspace, { custom_slug: "expired", expires_at: PAST });
  const pages = await Promise.all(
    ["/off-one", "/off-two", "/expired"].map(async (path) => (await workspace.visit(path)).text()),
  );
  expect(new Set(pages).size).toBe(1);
});

test("JSON errors have the codes and messages of the API without a name, and read no name", async () => {
  const workspace = await newNamedWorkspace("Acme");
  await createLink(workspace, { custom_slug: "over", expires_at: PAST });
  warmHost(workspace);
  const { env, trips } = countingEnv();
  const expected = [
    ["/a//b", 404, "RESOURCE_NOT_FOUND", "No link exists at this URL. Check it for typos."],
    ["/over", 410, "LINK_GONE", "This link has been disabled or has expired."],
  ] as const;
  for (const [path, status, code, message] of expected) {
    const response = await visitWithEnv(workspace, path, env, JSON_ONLY);
    expect(response.status).toBe(status);
    expect(response.headers.get("Content-Type")).toBe("application/json");
    const requestId = response.headers.get("X-Request-Id");
    expect(await response.json()).toEqual({
      error: { code, message, status },
      meta: { request_id: requestId },
    });
  }
  expect(trips()).toBe(0);
});

test("HEAD returns the headers of GET without a body and reads no name", async () => {
  const workspace = await newNamedWorkspace("Acme");
  warmHost(workspace);
  const { env, trips } = countingEnv();
  const address = `http://${workspace.hostname}:8787/a//b`;
  const head = await send(new Request(address, { method: "HEAD", headers: HTML }), env);
  expect([head.status, await head.text(), trips()]).toEqual([404, "", 0]);
  const get = await workspace.visit("/a//b", { headers: HTML });
  for (const headers of [head.headers, get.headers]) headers.delete("X-Request-Id");
  expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
});

test("the name is read with the host: neither error pages nor redirects read it separately", async () => {
  const workspace = await newNamedWorkspace("Acme");
  const { short_code } = await createLink(workspace);
  warmHost(workspace);
  const { env, trips } = countingEnv();
  expect((await visitWithEnv(workspace, `/${short_code}`, env)).status).toBe(302);
  for (const path of ["/", "/a//b", "/favicon.ico"]) {
    expect(await (await visitWithEnv(workspace, path, env)).text()).toContain("<bdi>Acme</bdi>");
  }
  expect(trips()).toBe(0);
});

test.each([
  ["fails", () => Promise.reject(new Error("D1 is down"))],
  ["does not respond", () => new Promise(() => {})],
])("a page of an uncached host has no name while the database %s", async (_, read) => {
  hurryTimers();
  vi.spyOn(console, "error").mockReturnValue();
  const workspace = await newNamedWorkspace("Acme");
  const statement = { bind: () => statement, all: read, first: read };
  const DIRECTORY = { withSession: () => ({ prepare: () => statement }) } as unknown as D1Database;
  const response = await visitWithEnv(workspace, "/a//b", { ...workerEnv, DIRECTORY });
  expect(readHeading(await expectShortPage(response, 404))).toBe("Link not found");
});

test("a link that cannot be looked up has an error page without the workspace's name", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  const workspace = await newNamedWorkspace("Acme");
  const withSession = vi.fn(() => {
    throw new Error("D1 is down");
  });
  const env = { ...workerEnv, DIRECTORY: { withSession } as unknown as D1Database };
  const response = await visitWithEnv(workspace, "/never-seen", env);
  expect(response.headers.get("Retry-After")).toBe("5");
  expect(readHeading(await expectShortPage(response, 503))).toBe("Temporarily unavailable");
  expect(withSession).toHaveBeenCalledTimes(1);
});

test("the CDN returns a page to browsers and plain text to all other clients", async () => {
  const address = "http://cdn.localhost:8787/019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f/a.txt";
  const page = await send(new Request(address, { headers: HTML }));
  expect(page.headers.get("Access-Control-Allow-Origin")).toBe("*");
  expect(readHeading(await expectPage(page, 404, "sandbox"))).toBe("File not found");
  for (const headers of [{}, { Accept: "*/*" }, { Accept: "image/png,image/*;q=0.8" }]) {
    const plain = await send(new Request(address, { headers }));
    expect(plain.status).toBe(404);
    expect(plain.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    expect(plain.headers.get("Content-Security-Policy")).toBe("default-src 'none'; sandbox");
    expect(await plain.text()).toBe("No file exists at this URL.\n");
  }
  const head = await send(new Request(address, { method: "HEAD", headers: HTML }));
  expect([head.status, await head.text()]).toEqual([404, ""]);
});

test("visitors of short links, bio pages and files see errors in their language", async () => {
  const workspace = await newNamedWorkspace("Acme");
  const headers = { ...HTML, "Accept-Language": "cs, ar-EG;q=0.8, de;q=0.7" };
  const get = (address: string) => send(new Request(address, { headers }));
  const pages = [
    await workspace.visit("/missing", { headers }),
    await get("http://bio.localhost:8787/missing-page"),
    await get("http://cdn.localhost:8787/019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f/a.txt"),
  ];
  const headings = [
    arabic.named[404].title.replace("{name}", "<bdi>Acme</bdi>"),
    arabic.page[404].title,
    arabic.file[404].title,
  ];
  for (const [index, page] of pages.entries()) {
    expect(page.headers.get("Content-Language")).toBe("ar");
    expect(page.headers.get("Vary")).toContain("Accept-Language");
    const html = await page.text();
    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(readHeading(html)).toBe(headings[index]);
  }
  const json = await workspace.visit("/missing", { headers: { ...headers, ...JSON_ONLY } });
  expect(await json.json()).toMatchObject({ error: { message: expect.stringMatching(/^No link exists/) } });
});

test("the bio host's error pages look the same and have their own policy", async () => {
  const response = await send(new Request("http://bio.localhost:8787/no-such-page", { headers: HTML }));
  expect(response.status).toBe(404);
  expect(response.headers.get("X-Robots-Tag")).toBe("noindex");
  expect(response.headers.get("Content-Security-Policy")).toContain(
    "img-src https: http://cdn.localhost:8787",
  );
  const css = (html: string) => /<style>(.*)<\/style>/.exec(html)?.[1];
  const short = await (await send(new Request("http://nobody.test/abc", { headers: HTML }))).text();
  expect(css(await response.text())).toBe(css(short));
});
