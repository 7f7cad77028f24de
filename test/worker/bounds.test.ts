import { env } from "cloudflare:test";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createAnalyticsEngine } from "../../src/analytics/engine.ts";
import { putOnce } from "../../src/assets/storage.ts";
import { type PageVisit, recordVisit } from "../../src/bio/page-counts.ts";
import { listPageWarnings } from "../../src/bio/page-warnings.ts";
import { appendSuffix } from "../../src/bio/slug.ts";
import { ApiError } from "../../src/core/error.ts";
import { joinInOrder } from "../../src/core/join-in-order.ts";
import type { OutboundPolicy } from "../../src/core/outbound.ts";
import type { Window } from "../../src/counting/window.ts";
import { openDatabase } from "../../src/db/database.ts";
import { formatBatches } from "../../src/db/json-batches.ts";
import { replayDeadLetters } from "../../src/dead-letters/dead-letters.ts";
import { lookUpProof } from "../../src/domains/look-up-proof.ts";
import { getSettings } from "../../src/env.ts";
import type { ImageHeader } from "../../src/qr/image-header.ts";
import { buildDataUri, isDecodable } from "../../src/qr/raster.ts";
import type { RequestVisitor } from "../../src/routing/visitor.ts";
import { createProviderFetch } from "../../src/sign-in/provider-fetch.ts";
import { createMovingError, isMoving } from "../../src/tenant/moving.ts";
import { buildOutboundPolicy } from "../../src/tenant/own-hosts.ts";
import { explainBacklog } from "../../src/webhooks/backlog.ts";

/** Limits that no schema states, each tested just inside and just outside. */

afterEach(() => void vi.restoreAllMocks());

test("a slug with a suffix has at most 60 characters, and words are only cut if none fits", () => {
  expect(appendSuffix("a".repeat(53))).toMatch(/^a{53}-[2-9a-hjkmnp-z]{6}$/);
  expect(appendSuffix("a".repeat(54))).toMatch(/^a{53}-[2-9a-hjkmnp-z]{6}$/);
  expect(appendSuffix(`${"a".repeat(50)}-bb`)).toMatch(/^a{50}-bb-.{6}$/);
  expect(appendSuffix(`${"a".repeat(50)}-bbb`)).toMatch(/^a{50}-.{6}$/);
  expect(appendSuffix("")).toMatch(/^.{6}$/);
});

test("a statement carries 1,000 rows, 500,000 characters or one larger row", () => {
  const countRows = (rows: unknown[]) => formatBatches(rows).map((step) => JSON.parse(step).length);
  expect(countRows(Array(1_000).fill(1))).toEqual([1_000]);
  expect(countRows(Array(1_001).fill(1))).toEqual([1_000, 1]);
  // The two texts have 500,000 characters including their quotes.
  const half = "x".repeat(249_998);
  expect(countRows([half, half])).toEqual([2]);
  expect(countRows([half, `${half}x`])).toEqual([1, 1]);
  expect(countRows(["x".repeat(600_000), 1])).toEqual([1, 1]);
  expect(formatBatches([])).toEqual([]);
});

test("warnings name 20 unknown fields of a page and count the rest", () => {
  const warn = (count: number) =>
    listPageWarnings(Object.fromEntries(Array.from({ length: count }, (_, index) => [`own-${index}`, 1])));
  expect(warn(20)).toHaveLength(20);
  expect(warn(20).join()).not.toContain("more unknown fields");
  expect(warn(21)).toHaveLength(21);
  expect(warn(21).at(-1)).toBe("page_data has 1 more unknown fields.");
});

test("warnings name a theme by its first 50 characters", () => {
  const warn = (length: number) => listPageWarnings({ theme: "x".repeat(length) }).join();
  expect(warn(50)).toContain(`"${"x".repeat(50)}"`);
  expect(warn(51)).toContain(`"${"x".repeat(50)}…"`);
});

test("a full delivery backlog asks clients to retry in a minute; other errors stay unchanged", () => {
  const full = explainBacklog(new Error("CHECK constraint failed: delivery_backlog"));
  expect(full).toBeInstanceOf(ApiError);
  expect(full).toMatchObject({ code: "DELIVERY_BACKLOG", headers: { "Retry-After": "60" } });
  const other = new Error("CHECK constraint failed: delivery_backlogs_other");
  expect(explainBacklog(other)).toBe(other);
});

test("requests to Analytics Engine time out after 3 seconds, and errors do not contain the request", async () => {
  const timeout = vi.spyOn(AbortSignal, "timeout");
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("https://api.example/ with Bearer secret"));
  const engine = createAnalyticsEngine({ url: "https://api.example/", token: "secret" } as never, "w");
  const filter = { fromMs: 0, toMs: 1, linkId: null, label: null, traffic: null, values: new Map() } as never;
  await expect(engine.byTime("hour", filter)).rejects.toThrow(/^the SQL API did not respond \(TypeError\)$/);
  expect(timeout.mock.calls).toEqual([[3_000]]);
});

test("requests to the DNS resolver time out after 4 seconds", async () => {
  const timeout = vi.spyOn(AbortSignal, "timeout");
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new DOMException("too slow", "TimeoutError"));
  const proof = await lookUpProof(getSettings(env), "a.example", "x");
  expect(JSON.stringify(proof)).toContain("did not respond in time");
  expect(timeout.mock.calls).toEqual([[4_000]]);
});

test("the error of the first of two results is thrown, even if the second one fails earlier", async () => {
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error("first")), 1));
  await expect(joinInOrder(late, Promise.reject(new Error("second")))).rejects.toThrow("first");
  await expect(joinInOrder(Promise.resolve(1), Promise.reject(new Error("second")))).rejects.toThrow(
    "second",
  );
  expect(await joinInOrder(Promise.resolve(1), Promise.resolve(2))).toEqual([1, 2]);
});

test("a moving workspace is recognized in the first five causes of an error, with a retry in 2 seconds", () => {
  const nest = (depth: number): Error =>
    new Error(depth === 0 ? "workspace_moving" : "outer", depth === 0 ? {} : { cause: nest(depth - 1) });
  expect([nest(0), nest(4), nest(5)].map(isMoving)).toEqual([true, true, false]);
  expect(createMovingError().headers).toEqual({ "Retry-After": "2" });
});

test("clicks are counted under the first 256 characters of their destination", async () => {
  vi.useFakeTimers();
  const windows: Window<PageVisit>[] = [];
  const queue = { send: async (window: Window<PageVisit>) => void windows.push(window) } as unknown as Queue;
  const queues = { PAGE_HIT_QUEUE: queue, PAGE_HIT_SPARE_QUEUE: queue };
  const sent: Promise<unknown>[] = [];
  for (const length of [256, 257]) {
    const visit = { workspaceId: "w", pageId: "p", kind: "click", link: "x".repeat(length) } as const;
    const visitor = { traffic: "human", referrer: null, languages: [] } as unknown as RequestVisitor;
    recordVisit(queues, { ...visit, visitor }, Date.now(), (promise) => void sent.push(promise));
  }
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all(sent);
  vi.useRealTimers();
  const [group, ...others] = windows.flatMap(({ groups }) => groups);
  expect([group?.facts.link, group?.timesMs.length, others]).toEqual(["x".repeat(256), 2, []]);
});

// RFC 4648 section 10.
test.each([
  ["f", "Zg=="],
  ["fo", "Zm8="],
  ["foo", "Zm9v"],
  ["foob", "Zm9vYg=="],
])("formats the bytes of %s as the data URL %s", (text, base64) => {
  const image = { type: "image/png", width: 1, height: 1, bytes: new TextEncoder().encode(text) } as const;
  expect(buildDataUri(image)).toBe(`data:image/png;base64,${base64}`);
});

test("images of at most 1,024 × 1,024 pixels are decoded", () => {
  const header = (width: number, height: number): ImageHeader => ({ type: "image/png", width, height });
  expect(isDecodable(header(1_024, 1_024))).toBe(true);
  expect(isDecodable(header(1_048_577, 1))).toBe(false);
});

describe("the size limit of external responses", () => {
  const respond = (bytes: number, type: string) =>
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
      return new Response(new Uint8Array(bytes), { headers: { "Content-Type": type } });
    });
  const policy: OutboundPolicy = buildOutboundPolicy(getSettings(env), new Set());

  test("is 128 KiB for an identity provider", async () => {
    const fetchProvider = createProviderFetch(policy);
    const read = () => fetchProvider("https://id.example/", { method: "GET", headers: {} });
    respond(131_072, "application/json");
    expect((await (await read()).arrayBuffer()).byteLength).toBe(131_072);
    respond(131_073, "application/json");
    await expect(read()).rejects.toMatchObject({ reason: "unusable" });
  });

  test("is 64 KiB for a resolver", async () => {
    const look = async () => JSON.stringify(await lookUpProof(getSettings(env), "a.example", "x"));
    respond(65_536, "application/dns-json");
    expect(await look()).toContain("not valid DNS JSON");
    respond(65_537, "application/dns-json");
    expect(await look()).toContain("too large");
  });
});

test.each([
  [14_999, 2],
  [15_000, 1],
])(
  "replaying dead letters stops after 15 seconds: after %i ms, it has run %i steps",
  async (passedMs, steps) => {
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    let read = 0;
    const readLetters = async (kind: string) => {
      if (kind === "scans") read += 1;
      vi.setSystemTime(passedMs);
      const count = kind === "scans" && read === 1 ? 100 : 0;
      return Array.from({ length: count }, (_, id) => [String(id), "{}"]);
    };
    const bind = (first: string) => ({ raw: () => readLetters(first), run: async () => ({}) });
    const d1 = { prepare: () => ({ bind }) } as unknown as D1Database;
    const queue = { sendBatch: async () => {} } as unknown as Queue;
    await replayDeadLetters(openDatabase(d1), { scans: queue, "page-hits": queue, deliveries: queue });
    expect(read).toBe(steps);
  },
);

test("an upload times out after an hour, which the sweep relies on", async () => {
  const timer = vi.spyOn(globalThis, "setTimeout");
  const put = async (_: string, readable: ReadableStream) => {
    for await (const _chunk of readable);
    return {};
  };
  const body = new Response("x").body as ReadableStream<Uint8Array>;
  expect(await putOnce({ put } as unknown as R2Bucket, "k", body, 1, "text/plain")).toBe(true);
  expect(timer.mock.calls.map(([, delayMs]) => delayMs)).toContain(3_600_000);
});

describe("an upload whose body never ends", () => {
  const stall = () => new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) });

  test("fails after an hour and not before, and stores nothing", async () => {
    const { setTimeout } = globalThis;
    const expiries: (() => void)[] = [];
    vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, delayMs: number) =>
      delayMs === 3_600_000 ? expiries.push(run) : setTimeout(run, delayMs)) as never);
    const upload = putOnce(env.PRIVATE_FILES, "stalled", stall(), 2, "text/plain");
    const early = await Promise.race([upload, new Promise((resolve) => setTimeout(resolve, 10, "waits"))]);
    expect([early, expiries.length]).toEqual(["waits", 1]);
    expiries[0]?.();
    await expect(upload).rejects.toMatchObject({ name: "TimeoutError" });
    expect(await env.PRIVATE_FILES.head("stalled")).toBeNull();
  });

  test("also times out after an hour if the bucket failed before", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const put = async (_: string, readable: ReadableStream) => {
      await readable.getReader().read();
      throw new Error("the bucket is gone");
    };
    const upload = putOnce({ put } as unknown as R2Bucket, "k", stall(), 2, "text/plain");
    const outcome = expect(upload).rejects.toMatchObject({ name: "TimeoutError" });
    await vi.advanceTimersByTimeAsync(3_600_000);
    await outcome;
  });
});
