import { expect, test } from "vitest";
import { IS_LONG } from "../support/long-tests.ts";
import { useService } from "./support/service.ts";

/**
 * Kills the service while it counts scans. Messages of the local queue are in memory and can be lost, but
 * counts must agree.
 */

const LINKS = 3;
const VISITS = IS_LONG ? 900 : 300;
/** Numbers of counted scans at which the service is killed. */
const KILLED_AT = IS_LONG ? [50, 300] : [50];
const CONNECTIONS = 8;
const SETTLE_MS = 5_000;
const DEADLINE_MS = 90_000;

const service = useService();

interface Link {
  id: string;
  short_code: string;
  short_url: string;
  scan_count: number;
}

async function readLinks(): Promise<Link[]> {
  const { data } = await service.client.GET("/v1/links", { params: { query: { limit: 100 } } });
  return (data?.data ?? []) as Link[];
}

async function sumScans(): Promise<number> {
  return (await readLinks()).reduce((sum, { scan_count }) => sum + scan_count, 0);
}

/** Visits the links in turn until `count` visits were redirected. Visits fail while the service is down. */
async function visitLinks(links: readonly Link[], count: number): Promise<void> {
  let redirected = 0;
  const visitOften = async (connection: number) => {
    for (let n = connection; redirected < count; n += CONNECTIONS) {
      const { short_url, short_code } = links[n % links.length] as Link;
      const headers = {
        Referer: `https://${n % 300}.a-long-host-name.example/`,
        "CF-IPCountry": n % 2 === 0 ? "DE" : "FR",
      };
      const response = await service
        .visit(new URL(short_url).hostname, `/${short_code}`, { headers })
        .catch(() => null);
      if (response?.status === 302) redirected += 1;
      else await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, connection) => visitOften(connection)));
}

/** Waits until the number of scans has stayed the same for a while. Returns it. */
async function waitUntilSettled(): Promise<number> {
  const deadlineMs = Date.now() + DEADLINE_MS;
  for (let before = -1; ; ) {
    const scans = await sumScans();
    if (scans === before || Date.now() > deadlineMs) return scans;
    before = scans;
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  }
}

async function sumItems(query: Record<string, string>): Promise<number> {
  const response = await service.call("GET", `/v1/analytics/breakdown?${new URLSearchParams(query)}`);
  const { data } = (await response.json()) as { data: { items: { scans: number }[] } };
  return data.items.reduce((sum, { scans }) => sum + scans, 0);
}

test("kill -9 while scans are counted leaves counts that agree with each other", async () => {
  for (let n = 0; n < LINKS; n++)
    await service.client.POST("/v1/links", { body: { url: `https://example.com/${n}` } });
  const links = await readLinks();
  const visiting = visitLinks(links, VISITS);
  for (const scans of KILLED_AT) {
    const deadlineMs = Date.now() + DEADLINE_MS;
    while (Date.now() < deadlineMs && (await sumScans().catch(() => 0)) < scans)
      await new Promise((resolve) => setTimeout(resolve, 100));
    await service.kill();
    await service.restart();
  }
  await visiting;
  const scans = await waitUntilSettled();
  expect(scans).toBeGreaterThan(Math.max(...KILLED_AT));
  expect(scans).toBeLessThanOrEqual(VISITS + 2 * CONNECTIONS);
  const response = await service.call("GET", "/v1/analytics/timeseries?interval=hour");
  const { data } = (await response.json()) as { data: { points: { scans: number }[] } };
  expect(data.points.reduce((sum, point) => sum + point.scans, 0)).toBe(scans);
  for (const by of ["country", "link", "traffic", "browser"])
    expect([by, await sumItems({ by })]).toEqual([by, scans]);
  const filtered = await Promise.all(["DE", "FR"].map((country) => sumItems({ by: "link", country })));
  expect(filtered.reduce((sum, count) => sum + count, 0)).toBe(scans);
});

test("kill -9 while a limited link is used up lets no more visitors through", async () => {
  const limit = IS_LONG ? 200 : 80;
  const body = { url: "https://example.com/", max_scans: limit };
  const { data } = await service.client.POST("/v1/links", { body });
  const { short_url = "", short_code = "" } = data?.data ?? {};
  let redirected = 0;
  // Only browsers are redirected without pressing a button.
  const headers = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0" };
  const visitUntilGone = async () => {
    for (;;) {
      const response = await service
        .visit(new URL(short_url).hostname, `/${short_code}`, { headers })
        .catch(() => null);
      if (response?.status === 410) return;
      if (response?.status === 302) redirected += 1;
      else await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const visiting = Promise.all(Array.from({ length: CONNECTIONS }, visitUntilGone));
  const deadlineMs = Date.now() + DEADLINE_MS;
  while (Date.now() < deadlineMs && redirected < limit / 4)
    await new Promise((resolve) => setTimeout(resolve, 5));
  await service.kill();
  const before = redirected;
  await service.restart();
  await visiting;
  expect(before).toBeLessThan(limit);
  expect(redirected).toBeLessThanOrEqual(limit);
  // A visit in progress at the kill may have used up a scan without its redirect.
  expect(redirected).toBeGreaterThanOrEqual(limit - CONNECTIONS);
});
