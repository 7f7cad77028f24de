import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEMO_LINKS } from "../../src/cli/demo/demo-links.ts";
import type { Schemas } from "../../src/client/client.ts";
import { DAY_MS, toIso } from "../../src/core/time.ts";
import { IS_LONG } from "../support/long-tests.ts";
import { expectData } from "./support/data.ts";
import {
  createTempFolder,
  findFreePort,
  killStart,
  type RunningService,
  startPrebuilt,
} from "./support/service.ts";

/** Sample data of the first start, which was killed as soon as the data was complete. */

const stateFolder = join(createTempFolder(), "state");
let service: RunningService;

beforeAll(async () => {
  const port = await findFreePort();
  // All data is there, and wrangler starts. In a long run, an earlier start is killed while it writes the data.
  if (IS_LONG) {
    const until = join(stateFolder, "v3.unfinished/r2/signpost-private/blobs");
    await killStart({ stateFolder, port, until });
    expect(existsSync(join(stateFolder, "v3"))).toBe(false);
  }
  await killStart({ stateFolder, port, until: join(stateFolder, "v3") });
  service = await startPrebuilt(stateFolder, port);
});
afterAll(() => service?.kill());

const read = <Data>(path: string) => expectData<Data>(service.call("GET", path));

async function listLinks(): Promise<Schemas["Link"][]> {
  return read("/v1/links?limit=100&archived=all");
}

const dates = () =>
  `from_date=${toIso(Date.now() - 34 * DAY_MS).slice(0, 10)}&to_date=${toIso(Date.now()).slice(0, 10)}`;

async function sumTimes(path: string, key: "scans" | "count"): Promise<number> {
  const { points } = await read<{ points: Record<string, number>[] }>(path);
  return points.reduce((sum, point) => sum + (point[key] ?? 0), 0);
}

async function sumValues(path: string, key: "scans" | "count"): Promise<number> {
  const { items } = await read<{ items: Record<string, number>[] }>(path);
  return items.reduce((sum, item) => sum + (item[key] ?? 0), 0);
}

test("every link exists once with its scans, and counters, timeseries and breakdowns have the same sums", async () => {
  const links = await listLinks();
  expect(links.map(({ destination }) => destination).sort()).toEqual(DEMO_LINKS.map(({ url }) => url).sort());
  const scans = links.map(({ scan_count }) => scan_count);
  const total = scans.reduce((sum, count) => sum + count, 0);
  expect(total).toBeGreaterThan(4_000);
  const { items } = await read<{ items: { value: string; scans: number }[] }>(
    `/v1/analytics/breakdown?${dates()}&by=link&limit=100`,
  );
  const counted = links.filter(({ scan_count }) => scan_count > 0);
  expect(new Map(items.map(({ value, scans }) => [value, scans]))).toEqual(
    new Map(counted.map(({ id, scan_count }) => [id, scan_count])),
  );
  for (const { id, scan_count } of links.slice(0, 2)) {
    const path = `/v1/analytics/timeseries?${dates()}&interval=day&link_id=${id}`;
    expect(await sumTimes(path, "scans")).toBe(scan_count);
  }
  for (const interval of ["hour", "day"]) {
    expect(await sumTimes(`/v1/analytics/timeseries?${dates()}&interval=${interval}`, "scans")).toBe(total);
  }
  for (const by of ["link", "country", "region", "device", "os", "browser", "referrer", "language", "rule"]) {
    expect(await sumValues(`/v1/analytics/breakdown?${dates()}&by=${by}&limit=100`, "scans"), by).toBe(total);
  }
  const all = await sumTimes(`/v1/analytics/timeseries?${dates()}&interval=day&traffic=all`, "scans");
  expect(await sumValues(`/v1/analytics/breakdown?${dates()}&by=traffic&traffic=all`, "scans")).toBe(all);
  expect(all).toBeGreaterThan(total);
});

test("links behave as shown: used up, with a password, ended, archived or disabled", async () => {
  const links = new Map((await listLinks()).map((link) => [link.short_code, link]));
  expect(links.get("tasting")).toMatchObject({ scan_count: 40, max_scans: 40 });
  const statusOf = async (code: string) => (await service.visit("localhost", `/${code}`)).status;
  // Others than known browsers get a button.
  const headers = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0" };
  expect((await service.visit("localhost", "/tasting", { headers })).headers.get("Location")).toBe(
    "https://example.com/tasting/waiting-list",
  );
  expect([await statusOf("menu"), await statusOf("street-fest"), await statusOf("recall")]).toEqual([
    302, 410, 410,
  ]);
  expect(links.get("wholesale")?.has_password).toBe(true);
  expect([...links.values()].filter(({ archived }) => archived)).toHaveLength(3);
  expect((await service.visit("northlight.localhost", "/menu")).status).toBe(302);
});

test("pages are published, and their views and clicks have the same sums", async () => {
  const pages = await read<Schemas["BioPage"][]>("/v1/bio/pages");
  expect(pages.map(({ slug }) => slug).sort()).toEqual(["northlight", "northlight-course"]);
  for (const { id, slug, view_count, click_count } of pages) {
    const path = `/v1/bio/pages/${id}/analytics`;
    expect(view_count).toBeGreaterThan(100);
    expect(await sumTimes(`${path}/timeseries?${dates()}&interval=day`, "count")).toBe(view_count);
    expect(await sumValues(`${path}/breakdown?${dates()}&by=country&limit=100`, "count")).toBe(view_count);
    expect(await sumValues(`${path}/breakdown?${dates()}&by=link&metric=clicks&limit=100`, "count")).toBe(
      click_count,
    );
    const html = await (await service.visit("bio.localhost", `/${slug}`)).text();
    const picture = /src="http:\/\/cdn\.localhost:\d+(\/[^"]+logo\.png)"/.exec(html)?.[1] ?? "";
    expect((await service.visit("cdn.localhost", picture)).headers.get("Content-Type")).toBe("image/png");
  }
});

test("endpoints have delivered, failed and waiting deliveries, and the other resources exist too", async () => {
  const endpoints = await read<{ id: string; description: string }[]>("/v1/webhooks");
  const statuses = new Set<string>();
  for (const { id } of endpoints) {
    const deliveries = await read<Schemas["Delivery"][]>(`/v1/webhooks/${id}/deliveries?limit=100`);
    for (const { status, attempts } of deliveries) statuses.add(attempts > 1 ? `${status} late` : status);
  }
  expect([...statuses].sort()).toEqual(["delivered", "delivered late", "failed late", "retrying late"]);
  const count = async (path: string) => (await read<unknown[]>(path)).length;
  expect(await count("/v1/qr/templates")).toBe(3);
  expect(await count("/v1/assets")).toBe(3);
  expect(await count("/v1/workspace/members")).toBe(3);
  const domains = await read<{ status: string }[]>("/v1/domains");
  expect(domains.map(({ status }) => status).sort()).toEqual(["active", "active", "pending"]);
  expect(await count("/v1/audit?limit=100")).toBeGreaterThan(60);
});
