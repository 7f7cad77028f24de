import { runInDurableObject } from "cloudflare:test";
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { hashPassword } from "../../src/core/password-hash.ts";
import type { ScanRequest } from "../../src/guards/scan-gate.ts";
import { findUnplannedField } from "../../src/links/link-input.ts";
import { linkResponse } from "../../src/links/link-response.ts";
import { bulkCreateResponse } from "../../src/links/links.schema.ts";
import { escapeHtml } from "../../src/pages/plate.ts";
import { loadVisitorTexts, VISITOR_LANGUAGES } from "../../src/pages/visitor-language.ts";
import { forgetAll } from "../../src/resolving/resolve.ts";
import {
  createLink,
  eventually,
  expectData,
  expectError,
  newWorkspace,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import { visitWithEnv } from "../support/redirects.ts";

/** Tests of links with a scan limit, a password or a preview. */

const DESTINATION = "https://example.com/";
const PASSWORD = "open sesame";
const CRAWLER = { "User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" };
const FETCHER = { "User-Agent": "facebookexternalhit/1.1" };
const BROWSER = {
  "User-Agent":
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
};
const BROWSED = { headers: BROWSER };
const PROGRAM = { Accept: "application/json" };
const FORM = "application/x-www-form-urlencoded";
const PREVIEW = { title: `<Sale> & "more"`, description: null, image_url: "https://example.com/sale.png" };

// Uses few hash rounds, because these tests compute hundreds of hashes. The hash's own tests check the number
// of rounds.
const deriveBits = crypto.subtle.deriveBits.bind(crypto.subtle);
const derive = vi.spyOn(crypto.subtle, "deriveBits");

beforeEach(() => {
  forgetAll();
  derive.mockImplementation((algorithm, key, length) =>
    deriveBits({ ...(algorithm as object), iterations: 1 } as never, key, length),
  );
});
afterAll(() => void vi.restoreAllMocks());

/** Counts the hashed passwords. Keys of deliveries, which the isolate also derives, use another method. */
function countHashes(): number {
  return derive.mock.calls.filter(([algorithm]) => (algorithm as { name: string }).name === "PBKDF2").length;
}

let networks = 0;

/** Returns an IP address that no other test uses, so that tests do not share its limit. */
function newAddress(): string {
  networks += 1;
  return `198.51.${networks >> 8}.${networks & 255}`;
}

/** Sends the form of a link with a password. */
function enter(
  workspace: TestWorkspace,
  path: string,
  password: string,
  address = newAddress(),
  headers: Record<string, string> = {},
) {
  return workspace.visit(path, {
    method: "POST",
    headers: { "Content-Type": FORM, "CF-Connecting-IP": address, ...headers },
    body: new URLSearchParams({ password }).toString(),
  });
}

async function patchLink(workspace: TestWorkspace, id: string, body: object) {
  const response = await workspace.call("PATCH", `/v1/links/${id}`, { body });
  return (await expectData(response, linkResponse)).data;
}

/** Counts the responses of each status. */
function countStatuses(responses: readonly Response[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function getGate(linkId: string) {
  return workerEnv.SCAN_GATE.getByName(linkId);
}

test("of 300 parallel visitors of a link with 100 scans left, exactly 100 are redirected", async () => {
  const workspace = await newWorkspace();
  const { short_code } = await createLink(workspace, { max_scans: 100 });
  const visits = Array.from({ length: 300 }, () =>
    workspace.visit(`/${short_code}`, { headers: { ...PROGRAM, ...BROWSER } }),
  );
  expect(countStatuses(await Promise.all(visits))).toEqual({ 302: 100, 410: 200 });
}, 120_000);

test("the limit also holds if the object that counts the scans is aborted halfway", async () => {
  const workspace = await newWorkspace();
  const { short_code, id } = await createLink(workspace, { max_scans: 100 });
  vi.spyOn(console, "error").mockImplementation(() => {});
  const init = { headers: { ...PROGRAM, ...BROWSER } };
  let verdicts = 0;
  const take = async (visit: ScanRequest) => {
    const verdict = await getGate(id).take(visit);
    verdicts += 1;
    if (verdicts === 40)
      await runInDurableObject(getGate(id), (_, state) => state.abort("aborted by a test")).catch(() => {});
    return verdict;
  };
  const env = { ...workerEnv, SCAN_GATE: { getByName: () => ({ take }) } } as unknown as Env;
  const visits = Array.from({ length: 200 }, () => visitWithEnv(workspace, `/${short_code}`, env, init));
  const counts = countStatuses(await Promise.all(visits));
  const redirected = counts[302] ?? 0;
  expect(redirected + (counts[410] ?? 0) + (counts[503] ?? 0)).toBe(200);
  const later: Response[] = [];
  for (let n = redirected; n <= 100; n++) later.push(await workspace.visit(`/${short_code}`, BROWSED));
  expect(redirected + (countStatuses(later)[302] ?? 0)).toBe(100);
}, 120_000);

test("crawlers, previews, prefetches and HEAD use up no scan and do not see the destination", async () => {
  const workspace = await newWorkspace();
  const { short_code } = await createLink(workspace, { max_scans: 1 });
  const others: RequestInit[] = [
    { headers: CRAWLER },
    { headers: FETCHER },
    { headers: { "Sec-Purpose": "prefetch" } },
    { method: "HEAD" },
  ];
  for (const init of others) {
    const response = await workspace.visit(`/${short_code}`, init);
    expect(response.status).toBe(200);
    expect(response.headers.get("X-Robots-Tag")).toBe("noindex");
    expect(response.headers.get("Cache-Control")).toContain("no-store");
    expect(response.headers.get("Location")).toBeNull();
    const html = await response.text();
    expect(html).not.toContain("example.com");
    expect(html === "").toBe(init.method === "HEAD");
  }
  expect((await workspace.visit(`/${short_code}`, BROWSED)).status).toBe(302);
  expect((await workspace.visit(`/${short_code}`, BROWSED)).status).toBe(410);
  expect((await workspace.visit(`/${short_code}`, { headers: CRAWLER })).status).toBe(200);
});

/** Presses the button of a link's page. */
function press(workspace: TestWorkspace, path: string, headers: Record<string, string> = {}) {
  return workspace.visit(path, { method: "POST", headers: { "Content-Type": FORM, ...headers }, body: "" });
}

test("of 100 scanners and 20 parallel people on a link with five scans, exactly five people are let through", async () => {
  const workspace = await newWorkspace();
  const { id, short_code } = await createLink(workspace, { max_scans: 5 });
  const visit = (init: RequestInit) => workspace.visit(`/${short_code}`, init);
  const agents = ["", "curl/8.7.1", "Barracuda Sentinel (EE)", "ms-office"];
  const scanners = Array.from({ length: 100 }, (_, index) => {
    // One in four scanners poses as a browser. It is recognised by Microsoft's network.
    const [agent, address] = [agents[index % 4] || BROWSER["User-Agent"], `40.92.0.${index}`];
    return visit({ headers: { "User-Agent": agent, "CF-Connecting-IP": address } });
  });
  const people = Array.from({ length: 20 }, () => visit(BROWSED));
  expect(countStatuses(await Promise.all(scanners))).toEqual({ 200: 100 });
  expect(countStatuses(await Promise.all(people))).toEqual({ 302: 5, 410: 15 });
  const select = workspace.shard.prepare("SELECT scan_count AS n FROM links WHERE id = ?").bind(id);
  await eventually(
    () => select.first<number>("n"),
    (scans) => scans === 5,
  );
});

test("the button of a limited link opens it, with the visitor's query, and uses up a scan by a person", async () => {
  const workspace = await newWorkspace();
  const { id, short_code } = await createLink(workspace, { max_scans: 1, forward_query: true });
  const path = `/${short_code}?utm=1`;
  const scanner = { ...BROWSER, "CF-Connecting-IP": "40.92.0.1" };
  const page = await workspace.visit(path, { headers: scanner });
  expect([page.status, page.headers.get("X-Robots-Tag")]).toEqual([200, "noindex"]);
  expect(page.headers.get("Cache-Control")).toBe("private, no-store");
  expect(page.headers.get("Content-Security-Policy")).toContain("form-action http: https:");
  const html = await page.text();
  expect(html).toContain('<form method="post">');
  expect(html).not.toMatch(/example\.com|<script/);
  await expectError(await workspace.visit(path, { headers: PROGRAM }), 403, "CONFIRMATION_REQUIRED");
  for (const foreign of [{ Origin: "https://evil.example" }, { "Sec-Fetch-Site": "cross-site" }])
    expect((await press(workspace, path, { ...scanner, ...foreign })).status).toBe(200);
  expect((await press(workspace, path, CRAWLER)).status).toBe(200);
  const opened = await press(workspace, path, scanner);
  expect([opened.status, opened.headers.get("Location")]).toEqual([303, `${DESTINATION}?utm=1`]);
  expect((await press(workspace, path, scanner)).status).toBe(410);
  const select = workspace.shard.prepare("SELECT scan_count AS n FROM links WHERE id = ?").bind(id);
  await eventually(
    () => select.first<number>("n"),
    (scans) => scans === 1,
  );
});

test("a link with confirm shows the button to everyone but preview fetchers, on every plan", async () => {
  const workspace = await newWorkspace("pro");
  const { id, short_code, confirm } = await createLink(workspace, { confirm: true });
  expect(confirm).toBe(true);
  for (const init of [BROWSED, {}, { headers: CRAWLER }, { headers: { "Sec-Purpose": "prefetch" } }]) {
    const page = await workspace.visit(`/${short_code}`, init);
    expect([page.status, page.headers.get("Location")]).toEqual([200, null]);
  }
  expect((await workspace.visit(`/${short_code}`, { method: "HEAD" })).status).toBe(200);
  expect((await workspace.visit(`/${short_code}`, { headers: FETCHER })).status).toBe(302);
  expect((await press(workspace, `/${short_code}`, BROWSER)).status).toBe(303);
  expect(findUnplannedField({ confirm: true }, () => false)).toBeNull();
  await patchLink(workspace, id, { confirm: null });
  expect((await workspace.visit(`/${short_code}`, BROWSED)).status).toBe(302);
});

test("a password also confirms, and its cookie makes the button enough", async () => {
  const workspace = await newWorkspace();
  const { short_code } = await createLink(workspace, { password: PASSWORD, confirm: true });
  const entered = await enter(workspace, `/${short_code}`, PASSWORD);
  expect(entered.status).toBe(303);
  const Cookie = entered.headers.get("Set-Cookie")?.split(";")[0] as string;
  const page = await workspace.visit(`/${short_code}`, { headers: { ...BROWSER, Cookie } });
  expect(await page.text()).not.toContain('name="password"');
  expect((await press(workspace, `/${short_code}`, { ...BROWSER, Cookie })).status).toBe(303);
  expect((await press(workspace, `/${short_code}`, BROWSER)).status).toBe(403);
});

test("a limit includes earlier scans, and can be raised, lowered and removed", async () => {
  const workspace = await newWorkspace();
  const { id, short_code } = await createLink(workspace, { expired_url: "https://example.com/over" });
  await workspace.shard.prepare("UPDATE links SET scan_count = 5 WHERE id = ?").bind(id).run();
  const go = async () => (await workspace.visit(`/${short_code}`, BROWSED)).headers.get("Location");
  const limit = (max_scans: number | null) => patchLink(workspace, id, { max_scans });
  expect((await limit(6)).max_scans).toBe(6);
  expect([await go(), await go()]).toEqual([DESTINATION, "https://example.com/over"]);
  await limit(8);
  expect([await go(), await go(), await go()]).toEqual([
    DESTINATION,
    DESTINATION,
    "https://example.com/over",
  ]);
  await limit(7);
  expect(await go()).toBe("https://example.com/over");
  await limit(9);
  expect(await go()).toBe(DESTINATION);
  await limit(null);
  expect([await go(), await go()]).toEqual([DESTINATION, DESTINATION]);
});

test("visits without a limit call no object; a limited link returns 503 if its object fails", async () => {
  const workspace = await newWorkspace();
  const open = await createLink(workspace);
  const limited = await createLink(workspace, { max_scans: 5 });
  const getByName = vi.fn(() => {
    throw new Error("the object is down");
  });
  vi.spyOn(console, "error").mockImplementation(() => {});
  const env = { ...workerEnv, SCAN_GATE: { getByName } } as unknown as Env;
  expect((await visitWithEnv(workspace, `/${open.short_code}`, env)).status).toBe(302);
  expect(getByName).not.toHaveBeenCalled();
  const response = await visitWithEnv(workspace, `/${limited.short_code}`, env, BROWSED);
  expect(response.status).toBe(503);
  expect(response.headers.get("Retry-After")).toBe("5");
  expect((await workspace.visit(`/${limited.short_code}`, BROWSED)).status).toBe(302);
});

test("the gate of a deleted link closes", async () => {
  const workspace = await newWorkspace();
  const { id, short_code } = await createLink(workspace, { max_scans: 5 });
  expect((await workspace.visit(`/${short_code}`, BROWSED)).status).toBe(302);
  await workspace.call("DELETE", `/v1/links/${id}`);
  const visit = {
    scanId: "x",
    workspaceId: workspace.id,
    linkId: id,
    scansMax: 5,
    updatedAtMs: 0,
    scansCounted: 0,
  };
  expect((await getGate(id).take(visit)).isTaken).toBe(false);
});

test("a link with a password shows a form without any details, and rejects other methods", async () => {
  const workspace = await newWorkspace();
  const { short_code } = await createLink(workspace, { password: PASSWORD });
  const open = await createLink(workspace);
  const response = await workspace.visit(`/${short_code}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("X-Robots-Tag")).toBe("noindex");
  expect(response.headers.get("Cache-Control")).toBe("private, no-store");
  expect(response.headers.get("Content-Security-Policy")).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action http: https:; frame-ancestors 'none'$/,
  );
  const html = await response.text();
  expect(html).toContain('<form method="post">');
  expect(html).not.toMatch(/example\.com|<script/);
  const head = await workspace.visit(`/${short_code}`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect((await workspace.visit(`/${short_code}`, { method: "PUT" })).status).toBe(405);
  const post = await enter(workspace, `/${open.short_code}`, PASSWORD);
  expect([post.status, post.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
  expect((await enter(workspace, "/unknown", PASSWORD)).status).toBe(405);
  await expectError(await workspace.visit(`/${short_code}`, { headers: PROGRAM }), 403, "PASSWORD_REQUIRED");
});

test("the right password redirects, counts as a scan, and skips this link's form on later visits", async () => {
  const workspace = await newWorkspace();
  const { id, short_code } = await createLink(workspace, { password: PASSWORD, custom_slug: "secret" });
  const other = await createLink(workspace, { password: PASSWORD });
  const entered = await enter(workspace, "/secret?utm=1", PASSWORD);
  expect(entered.status).toBe(303);
  expect(entered.headers.get("Location")).toBe(DESTINATION);
  const cookie = entered.headers.get("Set-Cookie") ?? "";
  expect(cookie).toMatch(
    /^signpost_password=\d+\.[0-9a-f]{64}; Max-Age=3600; Path=\/secret; HttpOnly; SameSite=Lax$/,
  );
  const init = { headers: { Cookie: cookie.split(";")[0] as string } };
  expect((await workspace.visit(`/${short_code}`, init)).status).toBe(302);
  expect((await workspace.visit(`/${other.short_code}`, init)).status).toBe(200);
  await patchLink(workspace, id, { title: "Same password" });
  expect((await workspace.visit(`/${short_code}`, init)).status).toBe(302);
  await patchLink(workspace, id, { password: PASSWORD });
  expect((await workspace.visit(`/${short_code}`, init)).status).toBe(200);
  expect((await patchLink(workspace, id, { password: null })).has_password).toBe(false);
  expect((await workspace.visit(`/${short_code}`)).status).toBe(302);
  const select = workspace.shard.prepare("SELECT scan_count AS n FROM links WHERE id = ?").bind(id);
  await eventually(
    () => select.first<number>("n"),
    (scans) => scans === 4,
  );
});

test("the pages of guards are in the visitor's language", async () => {
  const workspace = await newWorkspace();
  await createLink(workspace, { custom_slug: "locked", password: PASSWORD });
  await createLink(workspace, { custom_slug: "limited", max_scans: 1 });
  for (const language of VISITOR_LANGUAGES) {
    const headers = { Accept: "text/html", "Accept-Language": `${language}, en;q=0.5` };
    const texts = await loadVisitorTexts({ headers: new Headers(headers) });
    const foreign = { ...headers, Origin: "https://evil.example" };
    const pages: [Response, string][] = [
      [await workspace.visit("/locked", { headers }), texts.password.title],
      [await enter(workspace, "/locked", "wrong", newAddress(), headers), texts.password.wrong],
      [await enter(workspace, "/locked", PASSWORD, newAddress(), foreign), texts.refusal[403].text],
      [await workspace.visit("/limited", { headers: { ...headers, ...FETCHER } }), texts.held.text],
      [await workspace.visit("/limited", { headers }), texts.confirm.text],
    ];
    for (const [page, text] of pages) {
      expect(page.headers.get("Content-Language")).toBe(texts.tag);
      expect(page.headers.get("Vary")).toBe("Accept, Accept-Language");
      expect(await page.text()).toContain(`>${escapeHtml(text)}<`);
    }
  }
});

test("after 10 wrong passwords a client must wait on this link only, and its neighbours need not", async () => {
  const workspace = await newWorkspace();
  const [one, two] = [
    await createLink(workspace, { password: PASSWORD }),
    await createLink(workspace, { password: PASSWORD }),
  ];
  const address = newAddress();
  const wrong = Array.from({ length: 15 }, (_, n) =>
    enter(workspace, `/${one.short_code}`, `wrong ${n}`, address),
  );
  expect(countStatuses(await Promise.all(wrong))).toEqual({ 403: 10, 429: 5 });
  const refused = await enter(workspace, `/${one.short_code}`, PASSWORD, address);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(Number(refused.headers.get("Retry-After"))).toBeLessThanOrEqual(60);
  expect((await enter(workspace, `/${two.short_code}`, PASSWORD, address)).status).toBe(303);
  const neighbour = { "User-Agent": "another browser" };
  expect((await enter(workspace, `/${one.short_code}`, PASSWORD, address, neighbour)).status).toBe(303);
  expect((await enter(workspace, `/${one.short_code}`, PASSWORD)).status).toBe(303);
});

test("110 wrong passwords from one /48 cause at most 60 hashes and don't lock out other networks", async () => {
  const workspace = await newWorkspace();
  const { short_code } = await createLink(workspace, { password: PASSWORD });
  derive.mockClear();
  const statuses: number[] = [];
  for (let n = 0; n < 110; n++) {
    const address = `2001:db8:77:${n.toString(16)}::1`;
    statuses.push((await enter(workspace, `/${short_code}`, `wrong ${n}`, address)).status);
  }
  expect(statuses).toEqual([...Array(60).fill(403), ...Array(50).fill(429)]);
  expect(countHashes()).toBe(60);
  expect((await enter(workspace, `/${short_code}`, PASSWORD, "2001:db8:78::1")).status).toBe(303);
  expect((await enter(workspace, `/${short_code}`, PASSWORD)).status).toBe(303);
});

test("of 200 right passwords from one client, 40 are accepted at once, and at most 10 are hashed", async () => {
  const workspace = await newWorkspace();
  const { short_code } = await createLink(workspace, { password: PASSWORD });
  const address = newAddress();
  const nowMs = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(nowMs);
  onTestFinished(() => void vi.mocked(Date.now).mockRestore());
  derive.mockClear();
  const entered: Response[] = [];
  for (let n = 0; n < 200; n += 20) {
    const some = Array.from({ length: 20 }, () => enter(workspace, `/${short_code}`, PASSWORD, address));
    entered.push(...(await Promise.all(some)));
  }
  expect(countStatuses(entered)).toEqual({ 303: 40, 429: 160 });
  expect(countHashes()).toBeLessThanOrEqual(10);
  expect(entered.at(-1)?.headers.get("Retry-After")).toBe("1");
  expect((await enter(workspace, `/${short_code}`, PASSWORD)).status).toBe(303);
});

test.each<[Record<string, string>, number]>([
  [{ "Sec-Fetch-Site": "cross-site" }, 403],
  [{ "Sec-Fetch-Site": "same-site" }, 403],
  [{ "Sec-Fetch-Site": "cross-site", Origin: "OWN" }, 403],
  [{ Origin: "https://evil.example" }, 403],
  [{ Origin: "null" }, 403],
  [{ "Sec-Fetch-Site": "same-origin", Origin: "null" }, 303],
  [{ "Sec-Fetch-Site": "none" }, 303],
  [{ Origin: "OWN" }, 303],
])(
  "a form with the headers %j gets %i: only a link's own page may send its form",
  async (headers, status) => {
    const workspace = await newWorkspace();
    const { short_code } = await createLink(workspace, { password: PASSWORD });
    const own = {
      ...headers,
      ...(headers.Origin === "OWN" && { Origin: `http://${workspace.hostname}:8787` }),
    };
    derive.mockClear();
    const response = await enter(workspace, `/${short_code}`, PASSWORD, newAddress(), own);
    expect([response.status, countHashes()]).toEqual([status, status === 303 ? 1 : 0]);
    if (status === 303) return;
    expect(await response.text()).toContain("<h1>This request came from another site</h1>");
    const program = { ...own, ...PROGRAM };
    const refused = await enter(workspace, `/${short_code}`, PASSWORD, newAddress(), program);
    await expectError(refused, 403, "ORIGIN_MISMATCH");
  },
);

test("the form accepts one media type and at most 4 KiB, and shows again after every wrong password", async () => {
  const workspace = await newWorkspace();
  const { short_code } = await createLink(workspace, { password: PASSWORD });
  const post = (headers: Record<string, string>, body: string) =>
    workspace.visit(`/${short_code}`, {
      method: "POST",
      headers: { "CF-Connecting-IP": newAddress(), ...headers },
      body,
    });
  expect(
    (await post({ "Content-Type": "application/json" }, JSON.stringify({ password: PASSWORD }))).status,
  ).toBe(415);
  expect((await post({ "Content-Type": FORM }, `password=${"x".repeat(5_000)}`)).status).toBe(413);
  expect((await post({ "Content-Type": `${FORM}; charset=utf-8` }, "password=open+sesame")).status).toBe(303);
  for (const body of [
    "",
    "password=",
    "pw=open+sesame",
    `password=${"x".repeat(200)}`,
    "password=%ff%00",
    "password=Open+sesame",
  ]) {
    const response = await post({ "Content-Type": FORM }, body);
    expect(response.status, body).toBe(403);
    expect(await response.text()).toContain("Incorrect password");
  }
  await expectError(await post({ "Content-Type": FORM, ...PROGRAM }, "password=x"), 403, "WRONG_PASSWORD");
});

test("a password that cannot be checked does not redirect and does not count as a wrong try", async () => {
  const workspace = await newWorkspace();
  const { short_code } = await createLink(workspace, { password: PASSWORD });
  vi.spyOn(console, "error").mockImplementation(() => {});
  const fail = () => {
    throw new Error("the object is down");
  };
  const env = { ...workerEnv, PASSWORD_TRIES: { getByName: fail } } as unknown as Env;
  const init = { method: "POST", headers: { "Content-Type": FORM }, body: "password=open+sesame" };
  const response = await visitWithEnv(workspace, `/${short_code}`, env, init);
  expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "5"]);
});

test("a link with password and limit counts a scan after the password is checked", async () => {
  const workspace = await newWorkspace();
  const { short_code } = await createLink(workspace, { password: PASSWORD, max_scans: 1 });
  expect((await workspace.visit(`/${short_code}`)).status).toBe(200);
  expect((await enter(workspace, `/${short_code}`, "wrong")).status).toBe(403);
  expect((await enter(workspace, `/${short_code}`, PASSWORD)).status).toBe(303);
  expect((await enter(workspace, `/${short_code}`, PASSWORD)).status).toBe(410);
  expect((await workspace.visit(`/${short_code}`)).status).toBe(200);
});

test("passwords and hashes appear in no response, export, event, log, cache or idempotency record", async () => {
  const workspace = await newWorkspace();
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  await workspace.call("POST", "/v1/webhooks", { body: { url: "https://example.com/hook", events: ["*"] } });
  const headers = { "Idempotency-Key": "with-password" };
  const body = { url: DESTINATION, password: "unmistakable" };
  const created = await workspace.call("POST", "/v1/links", { body, headers });
  const texts = [await created.text()];
  const { id, short_code } = JSON.parse(texts[0] as string).data;
  const changed = await workspace.call("PATCH", `/v1/links/${id}`, {
    body: { password: "unmistakable", title: "x" },
  });
  texts.push(await changed.text());
  for (const path of ["/v1/links", `/v1/links/${id}`, "/v1/links/export"])
    texts.push(await (await workspace.call("GET", path)).text());
  texts.push(await (await workspace.call("POST", `/v1/links/${id}/resolve`, { body: {} })).text());
  texts.push(await (await enter(workspace, `/${short_code}`, "unmistakable")).text());
  for (const table of ["webhook_events", "idempotency_keys"]) {
    const { results } = await workspace.shard.prepare(`SELECT * FROM ${table}`).all();
    texts.push(JSON.stringify(results));
  }
  texts.push(JSON.stringify(errors.mock.calls));
  const hash = await workspace.shard
    .prepare("SELECT password_hash AS h FROM links WHERE id = ?")
    .bind(id)
    .first<string>("h");
  expect(hash).toMatch(/^pbkdf2-sha256\$100000\$/);
  const end = (hash as string).split("$").at(-1) as string;
  for (const text of texts) {
    expect(text).not.toContain("unmistakable");
    expect(text).not.toContain(end);
  }
  expect(texts[0]).toContain('"has_password":true');
});

test("link preview fetchers get the preview, escaped and cached separately, and other visitors the redirect", async () => {
  const workspace = await newWorkspace();
  const { short_code, preview } = await createLink(workspace, { preview: PREVIEW });
  expect(preview).toEqual(PREVIEW);
  const response = await workspace.visit(`/${short_code}?utm=1`, { headers: FETCHER });
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "cache-control": "public, max-age=30",
    "content-security-policy": "default-src 'none'",
    "content-type": "text/html; charset=utf-8",
    vary: "User-Agent",
    "x-robots-tag": "noindex",
  });
  const html = await response.text();
  expect(html).toContain('<meta property="og:title" content="&lt;Sale&gt; &amp; &quot;more&quot;">');
  expect(html).toContain('<meta property="og:image" content="https://example.com/sale.png">');
  expect(html).toContain(
    `<meta property="og:url" content="http://${workspace.hostname}:8787/${short_code}">`,
  );
  expect(html).not.toMatch(/og:description|<script|<Sale>/);
  for (const init of [
    {},
    { headers: CRAWLER },
    { headers: { "Sec-Purpose": "prefetch" } },
    { method: "HEAD" },
  ])
    expect((await workspace.visit(`/${short_code}`, init)).headers.get("Location")).toBe(DESTINATION);
});

test("a link with password and limit shows its preview without using up scans", async () => {
  const workspace = await newWorkspace();
  const { id, short_code } = await createLink(workspace, {
    password: PASSWORD,
    max_scans: 1,
    preview: PREVIEW,
  });
  for (let n = 0; n < 3; n++)
    expect(await (await workspace.visit(`/${short_code}`, { headers: FETCHER })).text()).toContain(
      "og:title",
    );
  expect((await enter(workspace, `/${short_code}`, PASSWORD)).status).toBe(303);
  await patchLink(workspace, id, { preview: null });
  expect(await (await workspace.visit(`/${short_code}`, { headers: FETCHER })).text()).toContain("<form");
  await patchLink(workspace, id, { preview: { title: "Again" }, enabled: false });
  expect((await workspace.visit(`/${short_code}`, { headers: FETCHER })).status).toBe(410);
});

test("resolve returns each visitor's result for a guarded link without using up scans", async () => {
  const workspace = await newWorkspace();
  const { id, short_code } = await createLink(workspace, { max_scans: 1, preview: PREVIEW });
  const resolved = z.object({ status: z.int(), outcome: z.string(), destination: z.string().nullable() });
  const resolve = async (body: object = {}) => {
    const response = await workspace.call("POST", `/v1/links/${id}/resolve`, { body });
    return (await expectData(response, z.looseObject(resolved.shape))).data;
  };
  const agent = (headers: { "User-Agent": string }) => ({ user_agent: headers["User-Agent"] });
  for (let n = 0; n < 3; n++)
    expect(await resolve()).toMatchObject({ outcome: "found", destination: DESTINATION });
  expect(await resolve(agent(FETCHER))).toMatchObject({ status: 200, outcome: "preview", destination: null });
  expect(await resolve(agent(CRAWLER))).toMatchObject({ status: 200, outcome: "held", destination: null });
  expect(await resolve({ user_agent: "curl/8.7.1" })).toMatchObject({ status: 200, outcome: "confirm" });
  expect(await resolve(agent(BROWSER))).toMatchObject({ outcome: "found" });
  expect((await workspace.visit(`/${short_code}`, BROWSED)).status).toBe(302);
  expect(await resolve()).toMatchObject({ status: 410, outcome: "gone", destination: null });
  await patchLink(workspace, id, { password: PASSWORD });
  expect(await resolve()).toMatchObject({ status: 200, outcome: "password", destination: null });
});

test.each([
  [{ max_scans: 0 }, "max_scans"],
  [{ max_scans: 1.5 }, "max_scans"],
  [{ max_scans: "10" }, "max_scans"],
  [{ password: "abc" }, "password"],
  [{ password: "x".repeat(129) }, "password"],
  [{ password: "line\nbreak" }, "password"],
  [{ password: 1234 }, "password"],
  [{ has_password: true }, "has_password"],
  [{ preview: {} }, "preview.title"],
  [{ preview: { title: "" } }, "preview.title"],
  [{ preview: { title: "x".repeat(121) } }, "preview.title"],
  [{ preview: { title: "x", description: "x".repeat(241) } }, "preview.description"],
  [{ preview: { title: "x", image_url: "ftp://example.com/x.png" } }, "preview.image_url"],
  [{ preview: { title: "x", image_url: "https://10.0.0.1/x.png" } }, "preview.image_url"],
  [{ preview: { title: "x", image_url: "http://example.com/x.png" } }, "preview.image_url"],
  [{ preview: { title: "x", image: "https://example.com/x.png" } }, "preview.image"],
  [{ preview: "x" }, "preview"],
])("%j is an error of %s in creation, bulk creation and update", async (fields, field) => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace, { max_scans: 7 });
  const body = { url: DESTINATION, ...fields };
  const created = await expectError(
    await workspace.call("POST", "/v1/links", { body }),
    400,
    "VALIDATION_ERROR",
  );
  expect(created.details?.[0]?.field).toBe(field);
  const path = `/v1/links/${link.id}`;
  const changed = await expectError(
    await workspace.call("PATCH", path, { body: fields }),
    400,
    "VALIDATION_ERROR",
  );
  expect(changed.details?.[0]?.field).toBe(field);
  expect((await expectData(await workspace.call("GET", path), linkResponse)).data).toEqual(link);
  const bulk = await workspace.call("POST", "/v1/links/bulk", {
    body: { links: [body, { url: DESTINATION }] },
  });
  const { data } = await expectData(
    bulk,
    z.object({ created: z.array(linkResponse), errors: z.array(z.any()) }),
    201,
  );
  expect(data.created.length).toBe(1);
  expect(data.errors).toMatchObject([{ index: 0, error: "validation_error" }]);
  expect(data.errors[0].message).toContain(`links[0].${field}`);
});

test("bulk creation sets all fields, and an update changes and clears them, also on the pro plan", async () => {
  const workspace = await newWorkspace("pro");
  const fields = { max_scans: 3, password: PASSWORD, preview: { ...PREVIEW, description: "Half off" } };
  const bulk = await workspace.call("POST", "/v1/links/bulk", {
    body: { links: [{ url: DESTINATION, ...fields }] },
  });
  const { data } = await expectData(
    bulk,
    z.object({ created: z.array(linkResponse), errors: z.array(z.any()) }),
    201,
  );
  const [link] = data.created;
  expect(link).toMatchObject({ max_scans: 3, has_password: true, preview: fields.preview });
  const stored = await expectData(await workspace.call("GET", `/v1/links/${link?.id}`), linkResponse);
  expect(stored.data).toEqual(link);
  expect((await enter(workspace, `/${link?.short_code}`, PASSWORD)).status).toBe(303);
  const csv = await (await workspace.call("GET", "/v1/links/export")).text();
  expect(csv).toContain(`,3,true,"{""title""`);
  const cleared = await patchLink(workspace, link?.id ?? "", {
    max_scans: null,
    password: null,
    preview: null,
  });
  expect(cleared).toMatchObject({ max_scans: null, has_password: false, preview: null });
});

test("a link can be imported with a password hash, our own or Sink's, alone and in bulk", async () => {
  derive.mockImplementation((algorithm, key, length) => deriveBits(algorithm as never, key, length));
  const workspace = await newWorkspace();
  const own = await hashPassword(PASSWORD);
  // Generated with Node.js: pbkdf2Sync("caf\u00e9 secret", bytes 0 to 15, 10000, 32, "sha256"), followed by
  // the end of the password.
  const sink = "sink-pwd:v1:10000:AAECAwQFBgcICQoLDA0ODw:BtOtu9PHoBzV6acYE8jb_083Lai6b2UQWJacHigbcPY:cmV0";
  const link = await createLink(workspace, { url: DESTINATION, custom_slug: "own", password_hash: own });
  expect(link).toMatchObject({ has_password: true });
  const response = await workspace.call("POST", "/v1/links/bulk", {
    body: {
      links: [
        { url: DESTINATION, custom_slug: "sink", password_hash: sink },
        { url: DESTINATION, custom_slug: "bad", password_hash: "sink-pwd:v1:10000:AAEC" },
      ],
    },
  });
  const { data } = await expectData(response, bulkCreateResponse, 201);
  expect(data.created).toMatchObject([{ short_code: "sink", has_password: true }]);
  expect(data.errors).toMatchObject([
    {
      index: 1,
      error: "validation_error",
      message: expect.stringContaining("links[1].password_hash: must be"),
    },
  ]);
  expect(JSON.stringify(data)).not.toContain("BtOtu9PHoBzV6acYE8jb");
  expect((await enter(workspace, "/own", PASSWORD)).status).toBe(303);
  expect((await enter(workspace, "/own", "Open sesame")).status).toBe(403);
  expect((await enter(workspace, "/sink", "caf\u00e9 secret")).status).toBe(303);
  expect((await enter(workspace, "/sink", "cafe\u0301 secret")).status).toBe(403);
  const find = "select password_hash as hash from links where short_code = 'sink'";
  const rows = await Promise.all(
    [workerEnv.SHARD_0, workerEnv.SHARD_1].map((shard) => shard?.prepare(find).all<{ hash: string }>()),
  );
  // The end of the password, which Sink stores, is removed.
  expect(rows.flatMap((found) => found?.results ?? [])).toEqual([
    {
      hash: "sink-pbkdf2-sha256$10000$AAECAwQFBgcICQoLDA0ODw==$BtOtu9PHoBzV6acYE8jb/083Lai6b2UQWJacHigbcPY=",
    },
  ]);
  // A password that is set later uses our own hash.
  await patchLink(workspace, link.id, { password: "another one" });
  expect((await enter(workspace, "/own", "another one")).status).toBe(303);
});

test("a password hash is rejected in updates, next to a password, and on plans without passwords", async () => {
  const workspace = await newWorkspace();
  const password_hash =
    "pbkdf2-sha256$1000$AAECAwQFBgcICQoLDA0ODw==$BtOtu9PHoBzV6acYE8jb/083Lai6b2UQWJacHigbcPY=";
  const link = await createLink(workspace, { url: DESTINATION });
  const rejected = async (method: string, path: string, body: object) =>
    (await expectError(await workspace.call(method, path, { body }), 400, "VALIDATION_ERROR")).message;
  expect(await rejected("PATCH", `/v1/links/${link.id}`, { password_hash })).toContain("password_hash");
  expect(await rejected("POST", "/v1/links", { url: DESTINATION, password: PASSWORD, password_hash })).toBe(
    "password_hash: must not be combined with password",
  );
  expect(await rejected("POST", "/v1/links", { url: DESTINATION, password_hash: null })).toContain(
    "password_hash",
  );
  const find = (fields: object) => findUnplannedField(fields, () => false);
  expect(find({ password_hash })).toEqual({ name: "password_hash", feature: "linkControls" });
});
