import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { formatDay } from "../../src/analytics/buckets.ts";
import { sweepScans } from "../../src/analytics/fold-months.ts";
import { ingestScans } from "../../src/analytics/ingest.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { VISITOR_LANGUAGES } from "../../src/pages/visitor-language.ts";
import { getReportTexts } from "../../src/reports/report-texts.ts";
import { reportResponse } from "../../src/reports/reports.schema.ts";
import {
  countingEnv,
  createLink,
  expectData,
  expectError,
  newWorkspace,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import { APP, newPerson, visitApp } from "../support/people.ts";
import { buildQueueBatch, buildScan, packWindow, type Scan } from "../support/scans.ts";

const PASSWORD = "open sesame";
const TODAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const MINUTE_MS = 60_000;
const DAYS = { range: { days: 7 } };

beforeEach(() => vi.useRealTimers());

/** Sets the clock for the rest of the test. Counts that a page has read are kept for 30 seconds. */
function setClock(nowMs: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: nowMs });
  onTestFinished(() => void vi.useRealTimers());
}

async function share(workspace: TestWorkspace, body: object) {
  const response = await workspace.call("POST", "/v1/reports", {
    body: { title: "Summer", ...DAYS, ...body },
  });
  const { data } = await expectData(response, reportResponse, 201);
  return { ...data, url: data.url ?? "" };
}

/** Counts scans by people, `count` times each. */
function scan(
  { id: workspaceId }: TestWorkspace,
  linkId: string,
  count: number,
  facts: Partial<Scan> = {},
): Promise<unknown> {
  const scans = Array.from({ length: count }, () => buildScan({ workspaceId, linkId, ...facts }));
  return ingestScans(buildQueueBatch(packWindow(scans)), workerEnv, Date.now());
}

async function readPage(url: string, language = "en"): Promise<string> {
  const response = await visitApp(url, { headers: { "Accept-Language": language } });
  expect(response.status).toBe(200);
  return response.text();
}

/** Returns the totals of a page: scans, average per day and best day. */
function readTotals(html: string): string[] {
  return [...html.matchAll(/<dd>(.*?)<\/dd>/g)].map(([, text = ""]) => text.replaceAll(/<[^>]*>/g, ""));
}

/** Returns the ranking of a page: name and scans of each link. */
function readRanking(html: string): string[] {
  const [, table = ""] = html.split('<table class="ranking">');
  const rows = table.split("</table>")[0]?.match(/<tr><th scope="row">.*?<\/tr>/g) ?? [];
  return rows.map((row) =>
    row
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
}

const send = (url: string, password: string, headers: Record<string, string> = {}) =>
  visitApp(url, {
    method: "POST",
    body: new URLSearchParams({ password }),
    headers: { Origin: APP, Accept: "text/html", ...headers },
  });

test("a report shows totals, chart, ranking and breakdowns of its links, and nothing else", async () => {
  const workspace = await newWorkspace();
  const one = await createLink(workspace, { title: "Poster <b>", custom_slug: "poster" });
  const two = await createLink(workspace, { custom_slug: "flyer", url: "https://secret.example/plan" });
  const other = await createLink(workspace, { custom_slug: "other" });
  const earlier = TODAY_MS - 2 * DAY_MS;
  await scan(workspace, one.id, 2, { country: "DE", browser: "chrome", device: "mobile", os: "ios" });
  await scan(workspace, two.id, 3, {
    country: "FR",
    referrer: "news.example",
    scannedAtMs: earlier,
    rule: "R",
  });
  await scan(workspace, two.id, 4, { traffic: "bot" });
  await scan(workspace, two.id, 5, { scannedAtMs: TODAY_MS - 7 * DAY_MS });
  await scan(workspace, other.id, 6, { country: "JP" });
  const { url, links } = await share(workspace, { links: [one.id, two.id] });
  expect(links).toEqual([one.id, two.id]);

  const response = await visitApp(url);
  expect(response.headers.get("X-Robots-Tag")).toBe("noindex");
  expect(response.headers.get("Referrer-Policy")).toBe("no-referrer");
  expect(response.headers.get("Cache-Control")).toBe("private, no-store");
  expect(response.headers.get("Content-Security-Policy")).not.toContain("script");
  const html = await response.text();
  const format = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });
  expect(readTotals(html)).toEqual(["5", "0.7", `3 ${format.format(earlier)}`]);
  expect(html.match(/<rect [^>]*><title>/g)).toHaveLength(7);
  expect(readRanking(html)).toEqual([
    `${workspace.hostname}:8787/flyer 3`,
    `Poster &lt;b&gt; ${workspace.hostname}:8787/poster 2`,
  ]);
  for (const text of ["Germany", "France", "news.example", "Direct", "Phone", "Chrome", "iOS"]) {
    expect(html).toContain(text);
  }
  for (const hidden of [
    "<b>",
    "secret.example",
    "example.com",
    "Japan",
    "/other",
    workspace.slug.toUpperCase(),
  ]) {
    expect(html).not.toContain(hidden);
  }
  expect((await visitApp(url, { method: "HEAD" })).status).toBe(200);
});

test("a report follows renames and labels, and loses deleted links", async () => {
  const workspace = await newWorkspace();
  const links = [
    await createLink(workspace, { custom_slug: "aaa", labels: ["print"] }),
    await createLink(workspace, { custom_slug: "bbb", labels: ["print"] }),
  ];
  const [first, second] = links as [(typeof links)[0], (typeof links)[0]];
  await scan(workspace, first.id, 1);
  await scan(workspace, second.id, 2);
  const chosen = await share(workspace, { links: [first.id, second.id] });
  const labelled = await share(workspace, { label: "print" });
  const host = `${workspace.hostname}:8787`;
  const expectRanking = async (url: string, ranking: string[]) =>
    expect(readRanking(await readPage(url))).toEqual(ranking.map((text) => `${host}/${text}`));
  for (const { url } of [chosen, labelled]) await expectRanking(url, ["bbb 2", "aaa 1"]);

  await workspace.call("PATCH", `/v1/links/${first.id}`, { body: { custom_slug: "renamed", labels: [] } });
  await workspace.call("DELETE", `/v1/links/${second.id}`);
  setClock(Date.now() + MINUTE_MS);
  await expectRanking(chosen.url, ["renamed 1"]);
  await expectRanking(labelled.url, []);
  expect(readTotals(await readPage(labelled.url))[0]).toBe("0");
});

test("the URL is shown again, but only the hash of its token is stored", async () => {
  const workspace = await newWorkspace();
  const { id, url } = await share(workspace, { label: "a", password: PASSWORD });
  const token = url.slice(`${APP}/reports/`.length);
  expect(token).toMatch(/^[\w-]{43}$/);
  const row = await workerEnv.DIRECTORY.prepare("SELECT * FROM reports WHERE id = ?").bind(id).first();
  expect(JSON.stringify(row)).not.toMatch(new RegExp(`${token}|${PASSWORD}`));
  const list = async () =>
    (await expectData(await workspace.call("GET", "/v1/reports"), z.array(reportResponse))).data;
  expect(await list()).toMatchObject([
    { id, url, has_password: true, label: "a", links: null, range: { days: 7 } },
  ]);
  // With another secret, the token can't be derived again, but the URL still works.
  await workerEnv.DIRECTORY.prepare("UPDATE reports SET token_hash = 'x' WHERE id = ?").bind(id).run();
  expect((await list())[0]?.url).toBeNull();
});

test("a revoked, expired or unknown report, or one of a suspended or deleted workspace, has a clear page", async () => {
  const workspace = await newWorkspace();
  const { title } = getReportTexts("en").gone;
  const revoked = await share(workspace, { label: "a" });
  const expiring = await share(workspace, {
    label: "a",
    expires_at: new Date(Date.now() + MINUTE_MS).toISOString(),
  });
  expect((await visitApp(expiring.url)).status).toBe(200);
  expect((await workspace.call("DELETE", `/v1/reports/${revoked.id}`)).status).toBe(200);
  await expectError(await workspace.call("DELETE", `/v1/reports/${revoked.id}`), 404, "RESOURCE_NOT_FOUND");
  const expectGone = async (url: string, status: number) => {
    const response = await visitApp(url);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(title.replace("'", "&#39;"));
  };
  await expectGone(revoked.url, 404);
  for (const token of ["x".repeat(43), "short", "a/b", ""]) await expectGone(`/reports/${token}`, 404);
  setClock(Date.now() + MINUTE_MS);
  await expectGone(expiring.url, 410);

  const open = await share(workspace, { label: "a" });
  const update = (set: string) =>
    workerEnv.DIRECTORY.prepare(`UPDATE workspaces SET ${set} WHERE id = ?`).bind(workspace.id).run();
  await update("suspended_at = 1");
  expect((await visitApp(open.url)).status).toBe(451);
  await update("suspended_at = NULL, slug = 'deleted:' || id || ':1'");
  expect((await visitApp(open.url)).status).toBe(404);
});

test("a password is asked for once an hour, and wrong ones are limited", async () => {
  const workspace = await newWorkspace();
  const { url } = await share(workspace, { label: "a", password: PASSWORD });
  const other = await share(workspace, { label: "a", password: PASSWORD });
  const { pathname } = new URL(url);
  const asked = await visitApp(url, { headers: { Accept: "text/html" } });
  expect(asked.status).toBe(200);
  const form = await asked.text();
  expect(form).toContain('type="password"');
  expect(form).not.toContain("Summer");
  const entered = await send(url, PASSWORD);
  expect([entered.status, entered.headers.get("Location")]).toEqual([303, pathname]);
  const cookie = entered.headers.get("Set-Cookie") ?? "";
  expect(cookie).toMatch(/^signpost_password=\d+\.[0-9a-f]{64}; Max-Age=3600; Path=/);
  expect(cookie.slice(cookie.indexOf("Path="))).toBe(`Path=${pathname}; HttpOnly; SameSite=Lax`);
  const headers = { Cookie: cookie.split(";")[0] ?? "" };
  expect(await (await visitApp(url, { headers })).text()).toContain("Summer");
  expect(await (await visitApp(other.url, { headers })).text()).not.toContain("Summer");

  expect((await send(url, PASSWORD, { Origin: "https://evil.example" })).status).toBe(403);
  const address = { "CF-Connecting-IP": "203.0.113.9" };
  const statuses = [];
  for (let attempt = 0; attempt < 11; attempt++) statuses.push((await send(url, "wrong", address)).status);
  expect(statuses).toEqual([...Array(10).fill(403), 429]);
  expect((await send(url, PASSWORD, { "CF-Connecting-IP": "198.51.100.7" })).status).toBe(303);
});

test("a report without a password rejects forms, and all reports reject other methods", async () => {
  const { url } = await share(await newWorkspace(), { label: "a" });
  const form = await send(url, PASSWORD);
  expect([form.status, form.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
  const put = await visitApp(url, { method: "PUT" });
  expect([put.status, put.headers.get("Allow")]).toEqual([405, "GET, HEAD, POST"]);
});

test("a page reads storage three times, and for half a minute only the report itself", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace);
  await scan(workspace, id, 1);
  const { url } = await share(workspace, { links: [id] });
  const measure = async () => {
    const { env, counts } = countingEnv();
    expect((await visitApp(url, {}, env)).status).toBe(200);
    return counts;
  };
  expect(await measure()).toMatchObject({ depth: 3, d1: 3 });
  expect(await measure()).toMatchObject({ depth: 1, d1: 1 });
});

test("totals go back 366 days; breakdowns cover the whole months among them that are kept only as a whole", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace);
  const monthStart = (back: number) => {
    const now = new Date(TODAY_MS);
    return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1);
  };
  const firstMs = TODAY_MS - 365 * DAY_MS;
  await scan(workspace, id, 1, { country: "JP", scannedAtMs: firstMs - DAY_MS });
  // The month in which the range begins is kept only as a whole, unless it begins on its first day.
  const isWhole = new Date(firstMs).getUTCDate() === 1;
  await scan(workspace, id, 2, { country: "FR", scannedAtMs: firstMs });
  await scan(workspace, id, 3, { country: "DE", scannedAtMs: monthStart(6) + DAY_MS });
  await scan(workspace, id, 4, { country: "CA" });
  await sweepScans(workspace.shard, Date.now());
  const { url } = await share(workspace, { links: [id], range: { days: 366 } });
  const html = await readPage(url);
  expect(readTotals(html)[0]).toBe("9");
  expect(html.match(/<rect [^>]*><title>/g)?.length).toBeGreaterThan(52);
  const countries = /Countries.*?<\/section>/s.exec(html)?.[0].replaceAll(/<[^>]*>/g, "") ?? "";
  expect(countries).toContain("Canada 4");
  expect(countries).toContain("Germany 3");
  expect(countries.includes("France")).toBe(isWhole);
  expect(html.includes("These breakdowns cover")).toBe(!isWhole);
  const month = await share(workspace, {
    links: [id],
    range: { from_date: formatDay(monthStart(6)), to_date: formatDay(monthStart(5) - DAY_MS) },
  });
  const ofMonth = await readPage(month.url);
  expect(readTotals(ofMonth)[0]).toBe("3");
  expect(ofMonth).toContain("Germany");
  expect(ofMonth).not.toContain("Canada");
  const part = await share(workspace, {
    links: [id],
    range: { from_date: formatDay(monthStart(6) + DAY_MS), to_date: formatDay(monthStart(6) + DAY_MS) },
  });
  const ofPart = await readPage(part.url);
  expect(readTotals(ofPart)[0]).toBe("3");
  expect(ofPart).toContain(getReportTexts("en").unavailable);
  expect(ofPart).not.toContain("Germany");
});

test("a report is in the visitor's language", async () => {
  const workspace = await newWorkspace();
  const { url } = await share(workspace, { label: "a" });
  for (const language of VISITOR_LANGUAGES) {
    const html = await readPage(url, `${language}, en;q=0.5`);
    const { chart, average } = getReportTexts(language);
    expect(html).toContain(chart.day);
    expect(html).toContain(average);
    expect(html).toContain(`<html lang="${language === "zh" ? "zh-Hans" : language}"`);
    expect(average === getReportTexts("en").average).toBe(language === "en");
  }
});

describe("POST /v1/reports", () => {
  const LINK = crypto.randomUUID();
  test.each<[field: string, body: object]>([
    ["links", {}],
    ["links", { label: "a", links: [LINK] }],
    ["links[0]", { links: [LINK] }],
    ["links", { links: [] }],
    ["links", { links: Array.from({ length: 51 }, () => crypto.randomUUID()) }],
    ["links", { links: [LINK, LINK] }],
    ["title", { label: "a", title: " " }],
    ["range", { label: "a", range: {} }],
    ["range", { label: "a", range: { days: 7, from_date: "2026-01-01", to_date: "2026-01-02" } }],
    ["range", { label: "a", range: { from_date: "2026-01-01" } }],
    ["range.days", { label: "a", range: { days: 367 } }],
    ["range.to_date", { label: "a", range: { from_date: "2026-01-02", to_date: "2026-01-01" } }],
    ["range.to_date", { label: "a", range: { from_date: "2025-01-01", to_date: "2026-01-02" } }],
    ["expires_at", { label: "a", expires_at: "2020-01-01T00:00:00Z" }],
    ["password", { label: "a", password: "abc" }],
  ])("returns 400 naming %s for %j", async (field, body) => {
    const workspace = await newWorkspace();
    const response = await workspace.call("POST", "/v1/reports", { body: { title: "T", ...DAYS, ...body } });
    const { details } = await expectError(response, 400, "VALIDATION_ERROR");
    expect(details?.map((detail) => detail.field)).toContain(field);
  });

  test("returns 400 for the link of another workspace", async () => {
    const { id } = await createLink(await newWorkspace());
    const body = { title: "T", ...DAYS, links: [id] };
    await expectError(
      await (await newWorkspace()).call("POST", "/v1/reports", { body }),
      400,
      "VALIDATION_ERROR",
    );
  });

  test("returns 403 beyond the plan's number of reports, exactly, and expired ones don't count", async () => {
    const workspace = await newWorkspace("free");
    const person = await newPerson(workspace, "editor");
    const create = (expiresAt?: number) =>
      person.call("POST", "/v1/reports", {
        body: {
          ...{ title: "T", ...DAYS, label: "a" },
          ...(expiresAt && { expires_at: new Date(expiresAt).toISOString() }),
        },
      });
    const responses = await Promise.all(Array.from({ length: 5 }, () => create(Date.now() + MINUTE_MS)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 403, 403]);
    await expectError(await create(), 403, "PLAN_LIMIT_EXCEEDED");
    setClock(Date.now() + MINUTE_MS);
    expect((await create()).status).toBe(201);
  });

  test("needs the scope reports:write, which viewers don't have", async () => {
    const workspace = await newWorkspace();
    const viewer = await newPerson(workspace, "viewer");
    const body = { title: "T", ...DAYS, label: "a" };
    await expectError(await viewer.call("POST", "/v1/reports", { body }), 403, "INSUFFICIENT_ROLE");
    expect((await viewer.call("GET", "/v1/reports")).status).toBe(200);
  });
});
