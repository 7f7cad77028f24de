import { afterEach, expect, test, vi } from "vitest";
import { analyticsEngine } from "../../src/analytics/engine.ts";
import { formatSteps } from "../../src/analytics/json-steps.ts";
import { listPageWarnings } from "../../src/bio/page-warnings.ts";
import { appendSuffix } from "../../src/bio/slug.ts";
import { ApiError } from "../../src/core/error.ts";
import { joinInOrder } from "../../src/core/join-in-order.ts";
import { explainBacklog } from "../../src/webhooks/backlog.ts";

/** Bounds that no schema states, each just inside and just outside. */

afterEach(() => void vi.restoreAllMocks());

test("a slug with a suffix has at most 60 characters, and words are not cut if others fit", () => {
  expect(appendSuffix("a".repeat(53))).toMatch(/^a{53}-[2-9a-hjkmnp-z]{6}$/);
  expect(appendSuffix("a".repeat(54))).toMatch(/^a{53}-[2-9a-hjkmnp-z]{6}$/);
  expect(appendSuffix(`${"a".repeat(50)}-bb`)).toMatch(/^a{50}-bb-.{6}$/);
  expect(appendSuffix(`${"a".repeat(50)}-bbb`)).toMatch(/^a{50}-.{6}$/);
  expect(appendSuffix("")).toMatch(/^.{6}$/);
});

test("a statement carries 1,000 rows, or 500,000 characters, or one row that has more", () => {
  const countRows = (rows: unknown[]) => formatSteps(rows).map((step) => JSON.parse(step).length);
  expect(countRows(Array(1_000).fill(1))).toEqual([1_000]);
  expect(countRows(Array(1_001).fill(1))).toEqual([1_000, 1]);
  // With their quotes, the two texts have 500,000 characters.
  const half = "x".repeat(249_998);
  expect(countRows([half, half])).toEqual([2]);
  expect(countRows([half, `${half}x`])).toEqual([1, 1]);
  expect(countRows(["x".repeat(600_000), 1])).toEqual([1, 1]);
  expect(formatSteps([])).toEqual([]);
});

test("20 unknown fields of a page are named, and the others are counted", () => {
  const warn = (count: number) =>
    listPageWarnings(Object.fromEntries(Array.from({ length: count }, (_, index) => [`own-${index}`, 1])));
  expect(warn(20)).toHaveLength(20);
  expect(warn(20).join()).not.toContain("more unknown fields");
  expect(warn(21)).toHaveLength(21);
  expect(warn(21).at(-1)).toBe("page_data has 1 more unknown fields.");
});

test("a theme is named by its first 50 characters", () => {
  const warn = (length: number) => listPageWarnings({ theme: "x".repeat(length) }).join();
  expect(warn(50)).toContain(`"${"x".repeat(50)}"`);
  expect(warn(51)).toContain(`"${"x".repeat(50)}…"`);
});

test("a full backlog of deliveries asks for another try in a minute; other errors stay what they are", () => {
  const full = explainBacklog(new Error("CHECK constraint failed: delivery_backlog"));
  expect(full).toBeInstanceOf(ApiError);
  expect(full).toMatchObject({ code: "DELIVERY_BACKLOG", headers: { "Retry-After": "60" } });
  const other = new Error("CHECK constraint failed: delivery_backlogs_other");
  expect(explainBacklog(other)).toBe(other);
});

test("Analytics Engine is asked for 3 seconds, and an error of the request tells nothing of it", async () => {
  const timeout = vi.spyOn(AbortSignal, "timeout");
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("https://api.example/ with Bearer secret"));
  const engine = analyticsEngine({ url: "https://api.example/", token: "secret" } as never, "w");
  const filter = { fromMs: 0, toMs: 1, linkId: null, traffic: null, values: new Map() } as never;
  await expect(engine.byTime("hour", filter)).rejects.toThrow(/^the SQL API did not respond \(TypeError\)$/);
  expect(timeout.mock.calls).toEqual([[3_000]]);
});

test("of two results the error of the first is thrown, even if the second fails earlier", async () => {
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error("first")), 1));
  await expect(joinInOrder(late, Promise.reject(new Error("second")))).rejects.toThrow("first");
  await expect(joinInOrder(Promise.resolve(1), Promise.reject(new Error("second")))).rejects.toThrow(
    "second",
  );
  expect(await joinInOrder(Promise.resolve(1), Promise.resolve(2))).toEqual([1, 2]);
});
