import { exports } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { sleep } from "../../src/core/timeout.ts";
import { forgetAll } from "../../src/resolving/resolve.ts";
import {
  countingEnv,
  createLink,
  expectError,
  newWorkspace,
  type TestWorkspace,
} from "../support/harness.ts";
import {
  buildWebpHeader,
  expectDrawnLogo,
  generateWithLogo,
  nextLogoUrl,
  serveLogo,
} from "../support/logos.ts";
import { age, buildVisit, evict, visitWithEnv, warmHost } from "../support/redirects.ts";

/**
 * Rules that only the runtime can prove: requests with separate invocations, the binding that limits visitors, and the
 * decoder of WebP, which is a module of WebAssembly.
 */

const WorkerUnderTest = exports as unknown as { default: Fetcher };

beforeEach(forgetAll);
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Sends real parallel requests to the Worker. Unlike in `send`, each has its own invocation. */
async function visitAtOnce(workspace: TestWorkspace, path: string, count: number): Promise<number[]> {
  const url = buildVisit(workspace, path).url;
  const visits = Array.from({ length: count }, () =>
    WorkerUnderTest.default.fetch(url, { redirect: "manual", headers: { Accept: "application/json" } }),
  );
  const responses = await Promise.all(visits);
  await Promise.all(responses.map((response) => response.arrayBuffer()));
  return responses.map(({ status }) => status);
}

describe("200 parallel requests cause one read of the database", () => {
  test.each<[string, number, (workspace: TestWorkspace) => Promise<void>]>([
    ["for a link that expired", 302, (workspace) => age(workspace, "one", 26_000)],
    ["for a link that nothing knows", 302, (workspace) => evict(workspace, "one")],
    [
      "for an unknown code",
      404,
      async (workspace) => {
        await workspace.shard.prepare("DELETE FROM links WHERE workspace_id = ?").bind(workspace.id).run();
        await evict(workspace, "one");
      },
    ],
  ])("%s", async (_, status, prepare) => {
    const workspace = await newWorkspace();
    await createLink(workspace, { custom_slug: "one" });
    await prepare(workspace);
    const reads = vi.spyOn(workspace.shard, "withSession");
    expect(await visitAtOnce(workspace, "/one", 200)).toEqual(Array(200).fill(status));
    expect(reads).toHaveBeenCalledTimes(1);
  });
});

/** Period of the limit binding, whose windows begin at multiples of it. */
const LIMIT_PERIOD_MS = 10_000;

test("80 unknown codes return 404; further ones return 429 without D1, and none writes to the cache", async () => {
  // A new window in the middle of the test would accept the codes that it expects to be refused.
  const leftMs = LIMIT_PERIOD_MS - (Date.now() % LIMIT_PERIOD_MS);
  if (leftMs < LIMIT_PERIOD_MS / 2) await sleep(leftMs);
  // No spare look-ups are added.
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now());
  onTestFinished(() => clock.mockRestore());
  const workspace = await newWorkspace();
  const visit = (path: string, accept: string, client = "192.0.2.1") =>
    visitWithEnv(workspace, path, env, { headers: { "CF-Connecting-IP": client, Accept: accept } });
  warmHost(workspace);
  const put = vi.spyOn(caches.default, "put");
  const { env, trips } = countingEnv();
  const statuses: number[] = [];
  for (let n = 0; n < 100; n++) statuses.push((await visit(`/random-${n}`, "application/json")).status);
  const firstRefused = statuses.indexOf(429);
  expect(statuses.slice(0, firstRefused)).toEqual(Array(firstRefused).fill(404));
  expect(firstRefused).toBeGreaterThanOrEqual(60 + 1 + 20);
  expect(statuses.slice(firstRefused)).toEqual(Array(100 - firstRefused).fill(429));
  expect(trips()).toBe(firstRefused);
  // The change feed has its own cache entries.
  expect(put.mock.calls.filter(([url]) => String(url).includes(workspace.id))).toEqual([]);
  put.mockRestore();

  const json = await visit("/another", "application/json");
  expect(json.headers.get("Retry-After")).toBe("1");
  await expectError(json, 429, "RATE_LIMIT_EXCEEDED");
  const page = await visit("/another", "text/html");
  expect(page.status).toBe(429);
  expect(page.headers.get("Cache-Control")).toBe("private, no-store");
  expect(await page.text()).toContain("<h1>Too many attempts</h1>");
  expect(trips()).toBe(firstRefused);

  expect((await visit("/another", "application/json", "192.0.2.2")).status).toBe(404);
});

test.each([
  ["WebP", "UklGRjwAAABXRUJQVlA4IDAAAACQAQCdASoQABAAAMASJaACdLoAA5gA/vwp0f7jW2kdMv/4Mx/+DMf/gzH/wTwAAAA="],
  ["lossless WebP", "UklGRiIAAABXRUJQVlA4TBYAAAAvD8ADEA8Qgzwo8x845j+i/8H///8P"],
])("a %s logo is drawn", async (_, base64) => {
  await expectDrawnLogo(base64, [200, 0, 40]);
  // With a location, libraries that are imported later would treat the isolate as a page.
  expect("location" in globalThis).toBe(false);
});

test("a logo that is a broken WebP of 360,000 pixels is rejected with 400", async () => {
  serveLogo(() => new Response(buildWebpHeader(600, 600)));
  const error = await expectError(
    await generateWithLogo(await newWorkspace(), nextLogoUrl()),
    400,
    "VALIDATION_ERROR",
  );
  expect(error.message).toContain("cannot be decoded");
});
