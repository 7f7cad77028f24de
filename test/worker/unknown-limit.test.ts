import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { forgetAll } from "../../src/resolving/resolve.ts";
import {
  countingEnv,
  createLink,
  newWorkspace,
  send,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import { buildVisit, evict, visitWithEnv } from "../support/redirects.ts";

/**
 * Limit of unknown codes: some in 10 seconds per IP address, then 20 spare look-ups per client. The binding has a
 * smaller limit here, and no periods; `runtime` uses the real one. Its first refusal is the answer to a request that
 * was looked up.
 */
const SMALL_LIMIT = 5;
const LOOKED_UP_MAX = SMALL_LIMIT + 1 + 20;

/** Returns an `env` whose binding allows {@link SMALL_LIMIT} unknown codes for each key. */
function withSmallLimit(env: Env = workerEnv): Env {
  const counts = new Map<string, number>();
  const limit = async ({ key }: RateLimitOptions) => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return { success: (counts.get(key) ?? 0) <= SMALL_LIMIT };
  };
  return { ...env, UNKNOWN_LIMIT: { limit } };
}

let addressCount = 0;

/** Returns an IPv4 address that no other test uses. */
function newAddress(): string {
  addressCount += 1;
  return `198.18.1.${addressCount}`;
}

function from(address: string, Accept = "application/json"): RequestInit {
  return { headers: { "CF-Connecting-IP": address, Accept } };
}

/** Requests `count` unknown codes from an IP address. Returns the statuses. */
async function scan(workspace: TestWorkspace, address: string, count: number, env: Env): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) {
    const path = `/random-${crypto.randomUUID()}`;
    statuses.push((await visitWithEnv(workspace, path, env, from(address))).status);
  }
  return statuses;
}

/** Statuses of unknown codes until the small limit and the spare look-ups are used up, and of two more. */
const STATUSES_UNTIL_REFUSED = [...Array(LOOKED_UP_MAX).fill(404), 429, 429];

/** Stops the clock, so that no spare look-ups are added. Returns its time. */
function stopClock(): number {
  const nowMs = Date.now();
  const clock = vi.spyOn(Date, "now").mockReturnValue(nowMs);
  onTestFinished(() => clock.mockRestore());
  return nowMs;
}

beforeEach(forgetAll);

test("shortly before its limit, an IP address still gets all links that exist", async () => {
  stopClock();
  const workspace = await newWorkspace();
  const env = withSmallLimit();
  const links = Array.from({ length: 30 }, (_, index) => ({
    url: "https://example.com/",
    custom_slug: `exists-${index}`,
  }));
  await workspace.call("POST", "/v1/links/bulk", { body: { links } });
  const address = newAddress();
  expect(await scan(workspace, address, LOOKED_UP_MAX - 5, env)).toEqual(Array(LOOKED_UP_MAX - 5).fill(404));
  for (const { custom_slug } of links) {
    await evict(workspace, custom_slug);
    const visit = await visitWithEnv(workspace, `/${custom_slug}`, env, from(address));
    expect(visit.status).toBe(302);
  }
});

test("a refused client still gets cached links, others half a second later, and its neighbours all", async () => {
  const workspace = await newWorkspace();
  await createLink(workspace, { custom_slug: "warm" });
  await createLink(workspace, { custom_slug: "cold" });
  const address = newAddress();
  const env = withSmallLimit();
  const nowMs = stopClock();
  const statuses = await scan(workspace, address, LOOKED_UP_MAX + 2, env);
  expect(statuses).toEqual(STATUSES_UNTIL_REFUSED);
  const visit = (path: string) => visitWithEnv(workspace, path, env, from(address));
  expect((await visit("/warm")).status).toBe(302);
  forgetAll();
  expect((await visit("/warm")).status).toBe(302);

  await evict(workspace, "cold");
  expect((await visit("/cold")).status).toBe(429);
  const { headers } = from(address);
  const neighbour = { headers: { ...headers, "User-Agent": "another browser" } };
  expect((await visitWithEnv(workspace, "/cold", env, neighbour)).status).toBe(302);
  await evict(workspace, "cold");
  expect((await visitWithEnv(workspace, "/cold", env, from(newAddress()))).status).toBe(302);
  await evict(workspace, "cold");
  vi.mocked(Date.now).mockReturnValue(nowMs + 500);
  expect((await visit("/cold")).status).toBe(302);
});

test("existing codes do not count, and a popular dead code counts once", async () => {
  const workspace = await newWorkspace();
  const address = newAddress();
  const codes = Array.from({ length: SMALL_LIMIT + 5 }, (_, index) => `here-${index}`);
  const links = codes.map((custom_slug) => ({ url: "https://example.com/", custom_slug }));
  await workspace.call("POST", "/v1/links/bulk", { body: { links } });
  for (const code of codes) await evict(workspace, code);
  const { env: counted, trips } = countingEnv();
  const env = withSmallLimit(counted);
  const visits = codes.map((code) => visitWithEnv(workspace, `/${code}`, env, from(address)));
  expect((await Promise.all(visits)).map(({ status }) => status)).toEqual(codes.map(() => 302));
  expect(trips()).toBe(codes.length);
  for (const _ of codes) {
    expect((await visitWithEnv(workspace, "/dead", env, from(address))).status).toBe(404);
  }
  expect(trips()).toBe(codes.length + 1);
});

test("the addresses of one IPv6 network are counted together", async () => {
  const workspace = await newWorkspace();
  const env = withSmallLimit();
  stopClock();
  const network = "2001:db8:7:";
  for (let index = 0; index < LOOKED_UP_MAX; index++) {
    expect(await scan(workspace, `${network}1::${index + 1}`, 1, env)).toEqual([404]);
  }
  expect(await scan(workspace, `${network}1:ffff::1`, 1, env)).toEqual([429]);
  expect(await scan(workspace, `${network}2::1`, 1, env)).toEqual([404]);
});

test("requests without a known IP address are not limited", async () => {
  const workspace = await newWorkspace();
  const env = withSmallLimit();
  const headers = { Accept: "application/json" };
  for (let visit = 0; visit < LOOKED_UP_MAX + 3; visit++) {
    const path = `/random-${crypto.randomUUID()}`;
    expect((await visitWithEnv(workspace, path, env, { headers })).status).toBe(404);
  }
});

test("requests to random hosts count too, and a blocked IP address causes no reads of hosts", async () => {
  const address = newAddress();
  const { env: counted, trips } = countingEnv();
  const env = withSmallLimit(counted);
  const tripsOfVisits: number[] = [];
  stopClock();
  for (let index = 0; index < LOOKED_UP_MAX + 2; index++) {
    const before = trips();
    const host = `h${crypto.randomUUID()}.localhost`;
    const visit = buildVisit({ hostname: host } as TestWorkspace, "/a//b", from(address, "text/html"));
    expect((await send(visit, env)).status).toBe(404);
    tripsOfVisits.push(trips() - before);
  }
  expect(tripsOfVisits).toEqual([...Array(LOOKED_UP_MAX).fill(1), 0, 0]);
});

describe("a failing rate limit binding blocks no visitor", () => {
  test.each([
    ["throws", () => Promise.reject(new Error("unavailable"))],
    ["hangs", () => new Promise<never>(() => {})],
  ])("%s", async (_, limit) => {
    const errors = vi.spyOn(console, "error").mockReturnValue();
    const workspace = await newWorkspace();
    const env = { ...workerEnv, UNKNOWN_LIMIT: { limit } };
    expect(await scan(workspace, newAddress(), 3, env)).toEqual([404, 404, 404]);
    expect(errors.mock.calls.length).toBeLessThanOrEqual(1);
    errors.mockRestore();
  });
});
