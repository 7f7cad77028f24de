import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { timeseriesResponse } from "../../src/analytics/analytics.schema.ts";
import { toHexId } from "../../src/analytics/series.ts";
import { fromHex, hmacSha256 } from "../../src/core/crypto.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/time.ts";
import { formatMark } from "../../src/scans/visitor-mark.ts";
import { VisitorMarker } from "../../src/scans/visitor-marker.ts";
import { deliverScans } from "../support/deliver-scans.ts";
import { eventually } from "../support/eventually.ts";
import {
  createLink,
  expectData,
  newWorkspace,
  send,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import { buildScan, packWindow } from "../support/scans.ts";

/** Tests of the salt that visitor marks are computed with. */

/** Deletes the salt: other files of the isolate may have set the clock to another day, and so do these tests. */
const forgetSalt = () => runInDurableObject(getSalt(), (_, { storage }) => storage.deleteAll());

beforeEach(forgetSalt);
afterEach(async () => {
  vi.restoreAllMocks();
  await forgetSalt();
});

const getSalt = () => workerEnv.VISITOR_SALT.getByName("salt");
const VISITOR = { address: "198.51.100.7", userAgent: "Mozilla/5.0 (X11) Firefox/140.0" };

/** Returns all values that the salt's object stores. */
function readStorage(): Promise<unknown[]> {
  return runInDurableObject(getSalt(), async (_, { storage }) => [...(await storage.list()).values()]);
}

test("a day has one salt, also after an eviction, and the next day has another", async () => {
  const nowMs = Date.now();
  const clock = vi.spyOn(Date, "now").mockReturnValue(nowMs);
  const first = await getSalt().getSalt();
  expect(first).toEqual({ day: Math.floor(nowMs / DAY_MS), salt: expect.stringMatching(/^[0-9a-f]{64}$/) });
  await evictDurableObject(getSalt());
  expect(await getSalt().getSalt()).toEqual(first);
  clock.mockReturnValue(nowMs + DAY_MS);
  const next = await getSalt().getSalt();
  expect(next.day).toBe(first.day + 1);
  expect(next.salt).not.toBe(first.salt);
  expect(await readStorage()).toEqual([next]);
  const alarmMs = await runInDurableObject(getSalt(), (_, { storage }) => storage.getAlarm());
  expect(alarmMs).toBe((next.day + 1) * DAY_MS + HOUR_MS);
});

/** Returns everything that is stored about a workspace's scans, as text. */
async function dumpScans(workspace: TestWorkspace): Promise<string> {
  const { results: tables } = await workspace.shard
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%`owner`%' AND name LIKE 'scan%'",
    )
    .all<{ name: string }>();
  const rows = await Promise.all(
    tables.map(({ name }) =>
      workspace.shard
        .prepare(`SELECT * FROM ${name} WHERE owner = unhex(?)`)
        .bind(toHexId(workspace.id))
        .all(),
    ),
  );
  return JSON.stringify(rows.map(({ results }) => results));
}

/** Returns whether rows contain the mark that a visitor has under any key. */
async function isTraceable(rows: string, keys: readonly string[]): Promise<boolean> {
  const text = Object.values(VISITOR).join("\n");
  const bytes = keys.flatMap((key) => [new TextEncoder().encode(key), fromHex(key)]);
  const marks = await Promise.all(
    bytes.filter(({ length }) => length > 0).map(async (key) => formatMark(await hmacSha256(key, text))),
  );
  return marks.some((mark) => rows.includes(mark));
}

test("redirects count an address and user agent as one visitor", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace);
  const url = `http://${workspace.hostname}:8787/${link.short_code}`;
  for (const agent of ["Firefox/140.0", "Firefox/140.0", "Firefox/141.0"]) {
    const headers = {
      "CF-Connecting-IP": VISITOR.address,
      "User-Agent": `Mozilla/5.0 (X11; Linux x86_64; rv:140.0) ${agent}`,
    };
    await send(new Request(url, { redirect: "manual", headers }));
  }
  const query = "interval=day&traffic=human";
  const read = async () => {
    const response = await workspace.call("GET", `/v1/analytics/timeseries?${query}&link_id=${link.id}`);
    return (await expectData(response, timeseriesResponse)).data;
  };
  const { points, total_visitors } = await eventually(read, (data) => data.points.at(-1)?.scans === 3);
  expect(points.at(-1)).toMatchObject({ scans: 3, visitors: 2 });
  expect(total_visitors).toBe(2);
});

test("after 48 hours, stored rows and all secrets can't show whether an address visited", async () => {
  const workspace = await newWorkspace();
  // Not the marker of redirects, which may have read its salt in another file's tests.
  const marker = new VisitorMarker();
  const visitor = await marker.markLater(workerEnv.VISITOR_SALT, VISITOR, Date.now())();
  const scan = buildScan({ workspaceId: workspace.id, linkId: crypto.randomUUID(), visitor });
  await deliverScans(workerEnv, packWindow([scan]));
  const rows = await dumpScans(workspace);
  const listSecrets = async () => {
    const stored = (await readStorage()) as { salt: string }[];
    const settings = Object.values(workerEnv).filter((value) => typeof value === "string");
    return [...settings, ...stored.map(({ salt }) => salt)];
  };
  expect(await isTraceable(rows, await listSecrets())).toBe(true);

  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 2 * DAY_MS);
  await runDurableObjectAlarm(getSalt());
  expect(await readStorage()).toEqual([]);
  expect(await isTraceable(await dumpScans(workspace), await listSecrets())).toBe(false);
  await getSalt().getSalt();
  expect(await isTraceable(await dumpScans(workspace), await listSecrets())).toBe(false);
});
