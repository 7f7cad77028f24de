import { beforeEach, expect, test } from "vitest";
import { type DatabaseState, FEED_FRESH_MS, type RecentChange } from "../../src/change-feed/feed-document.ts";
import { FeedView } from "../../src/change-feed/feed-view.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { FEED_REFRESH_MS, STALE_MS } from "../../src/resolving/cached-entry.ts";
import type { MemoryEntry } from "../../src/resolving/entry-memory.ts";
import { Resolver } from "../../src/resolving/resolve.ts";
import type { Target, TargetEntry } from "../../src/resolving/target.ts";
import { listDestinations, type RoutingRule } from "../../src/routing/rules.ts";

const NOW_MS = Date.parse("2026-11-21T09:30:00Z");
const KEY = "0/w/sale";
/** No information about changes: entries only expire by age. */
const VIEW = new FeedView(1);

let isolate: Resolver;

/** Stores a result that was read at a given time. */
function remember(
  key: string,
  found: { target: Target | null; readAtMs: number },
  nowMs: number,
): MemoryEntry<TargetEntry> {
  const { target: value, readAtMs } = found;
  return isolate.links.remember(key, { value, readAtMs, stamp: null }, VIEW, nowMs, "cache");
}

const recall = (key: string, nowMs: number) => isolate.links.recall(key, VIEW, nowMs);
const confirm = (key: string, nowMs: number) => isolate.links.confirm(key, VIEW, nowMs);
const extendStale = (key: string, nowMs: number) => isolate.links.extendStale(key, nowMs);
const measureMemory = () => isolate.links.measure();

function buildTarget(id: string, updatedAt: number): Target {
  return {
    id,
    workspaceId: "w",
    shortCode: "sale",
    enabled: true,
    expiresAt: null,
    bannedAt: null,
    address: `https://example.com/${updatedAt}`,
    routingRules: [],
    ruleAddresses: [],
    options: null,
    guards: null,
    updatedAt,
  };
}

beforeEach(() => {
  isolate = new Resolver();
});

test.each<[string, Target | null, Target | null, "first" | "second"]>([
  ["a later state of a link", buildTarget("a", 1), buildTarget("a", 2), "second"],
  ["an earlier state that arrives late", buildTarget("a", 2), buildTarget("a", 1), "first"],
  ["the same state, read again", buildTarget("a", 1), buildTarget("a", 1), "second"],
  ["another link with the same code", buildTarget("a", 2), buildTarget("b", 1), "second"],
  ["the deletion of the link", buildTarget("a", 2), null, "second"],
  ["a link for a code that had none", null, buildTarget("a", 1), "second"],
])("remember keeps the current state after %s", (_, first, second, winner) => {
  remember(KEY, { target: first, readAtMs: NOW_MS }, NOW_MS);
  const current = remember(KEY, { target: second, readAtMs: NOW_MS + 1 }, NOW_MS + 1);
  const expected = winner === "first" ? first : second;
  expect(current).toMatchObject({ value: expected, readAtMs: NOW_MS + (winner === "first" ? 0 : 1) });
  expect(recall(KEY, NOW_MS + 2)?.value).toBe(expected);
});

/** Rules of 16 KiB as JSON in the forms that use the most memory. */
const LARGE_RULES: [links: number, string, (link: number) => RoutingRule[]][] = [
  [
    500,
    "short values",
    (link) =>
      Array.from({ length: 7 }, (_, rule) => ({
        when: { query: { a: Array.from({ length: 280 }, (_, value) => `${link}${rule}${value}`.slice(-5)) } },
        destination: "https://example.com/",
      })),
  ],
  [
    500,
    "names of their own",
    (link) =>
      Array.from({ length: 20 }, (_, rule) => ({
        when: {
          query: Object.fromEntries(
            Array.from({ length: 20 }, (_, name) => [
              `${link}-${rule}-${name}-${"n".repeat(18)}`,
              true as const,
            ]),
          ),
        },
        destination: "https://example.com/",
      })),
  ],
  [
    1_100,
    "long destinations",
    (link) =>
      Array.from({ length: 20 }, (_, rule) => ({
        when: { percent: rule + 1 },
        destination: `https://example.com/${link}/${"p".repeat(700)}`,
      })),
  ],
];

test.each(LARGE_RULES)(
  "%i links with 16 KiB of rules each take at most 16 MB: %s",
  (count, _, buildRules) => {
    for (let link = 0; link < count; link++) {
      const routingRules = buildRules(link);
      if (JSON.stringify(routingRules).length > 16_384) expect.unreachable("rules have at most 16 KiB");
      const ruleAddresses = routingRules.flatMap(listDestinations);
      const target = { ...buildTarget(`link-${link}`, 1), routingRules, ruleAddresses };
      remember(`0/w/code-${link}`, { target, readAtMs: NOW_MS }, NOW_MS);
    }
    const { bytes, found: links } = measureMemory();
    expect(bytes).toBeLessThanOrEqual(16_000_000);
    expect(links).toBeGreaterThan(100);
    expect(links).toBeLessThan(count);
    expect(recall(`0/w/code-${count - 1}`, NOW_MS)).toBeDefined();
  },
);

test("codes without a link evict no link, and are limited too", () => {
  remember(KEY, { target: buildTarget("a", 1), readAtMs: NOW_MS }, NOW_MS);
  for (let code = 0; code < 50_000; code++) {
    remember(`0/w/random-${code}`, { target: null, readAtMs: NOW_MS }, NOW_MS);
  }
  const { bytes, found: links, none: unknown } = measureMemory();
  expect(bytes).toBeLessThanOrEqual(760_000);
  expect(links).toBe(1);
  expect(unknown).toBeGreaterThan(1_000);
  expect(recall(KEY, NOW_MS)).toBeDefined();
});

test.each([
  ["from the database", 0, 0, 5_000],
  ["from a cache that read it 24 seconds ago", 24_000, 0, 5_000],
  ["from a cache that read it 25 seconds ago", 25_000, 0, 0],
  ["confirmed by a later look-up", 0, 10_000, 15_000],
  ["confirmed 24.9 seconds after it was read", 0, 24_900, 29_900],
  ["confirmed too late", 0, 25_000, 0],
])("an entry %s is fresh for a limited time", (_, ageMs, confirmedAfterMs, freshMs) => {
  const readAtMs = NOW_MS - ageMs;
  remember(KEY, { target: buildTarget("a", 1), readAtMs }, NOW_MS);
  if (confirmedAfterMs > 0) confirm(KEY, NOW_MS + confirmedAfterMs);
  const isFreshAfter = (durationMs: number) => recall(KEY, NOW_MS + durationMs) !== undefined;
  if (freshMs > 0) expect(isFreshAfter(freshMs - 1)).toBe(true);
  expect(isFreshAfter(Math.max(freshMs, confirmedAfterMs))).toBe(false);
});

test("an old entry is extended by 5 seconds at a time, until it is a day old", () => {
  const readAtMs = NOW_MS - STALE_MS + 7_000;
  remember(KEY, { target: buildTarget("a", 1), readAtMs }, NOW_MS);
  const isUsed = (afterMs: number) => recall(KEY, NOW_MS + afterMs) !== undefined;
  extendStale(KEY, NOW_MS);
  expect([isUsed(4_999), isUsed(5_000)]).toEqual([true, false]);
  extendStale(KEY, NOW_MS + 5_000);
  expect([isUsed(6_999), isUsed(7_000)]).toEqual([true, false]);
  extendStale(KEY, NOW_MS + 7_000);
  expect(isUsed(7_000)).toBe(false);
});

/** Creates the nth copy of a feed whose last change, number 5, was collected now. Change 6 may have a hash. */
function createView(version: number, change: Partial<DatabaseState> = {}, changedHash?: number) {
  const state = { cursor: 5, from: 1, recentFrom: 1, collectedAtMs: NOW_MS, ...change };
  const recent: RecentChange[] = changedHash === undefined ? [] : [[changedHash, 6, "0", NOW_MS]];
  return new FeedView(version, { askedAtMs: NOW_MS, databases: { "0": state }, recent, ownHosts: [] });
}

test.each([
  ["links", 1],
  ["hosts", 14],
] as const)("%s that the feed confirms are used for %i days after they were read", (kind, days) => {
  const isInUse = (ageMs: number) => {
    const memory = new Resolver()[kind];
    const addresses = { prefix: "", rootUrl: "", notFoundUrl: null, expiredUrl: null, documents: null };
    const host = { workspaceName: "Acme", ...addresses };
    const stamp = { database: "0", seq: 5, hashes: [] };
    const found = { value: { ...buildTarget("a", 1), ...host }, readAtMs: NOW_MS - ageMs, stamp };
    const view = createView(1);
    memory.remember(KEY, found as never, view, NOW_MS, "cache");
    return memory.recall(KEY, view, NOW_MS) !== undefined;
  };
  expect([isInUse(days * DAY_MS - 1), isInUse(days * DAY_MS)]).toEqual([true, false]);
});

test.each([
  ["read just now", buildTarget("a", 1), 0, 4_000],
  ["read 16 seconds ago", buildTarget("a", 1), 16_000, 4_000],
  ["read 18 seconds ago, 5 seconds before it is too old", buildTarget("a", 1), 18_000, 2_000],
  ["of a code without a link, never", null, 0, Number.POSITIVE_INFINITY],
])("an entry %s is looked up in the background before it expires", (_, target, ageMs, afterMs) => {
  const { refreshAtMs } = remember(KEY, { target, readAtMs: NOW_MS - ageMs }, NOW_MS);
  expect(refreshAtMs - NOW_MS).toBe(afterMs);
});

test("an old entry that is extended is looked up in the background 4 seconds later", () => {
  remember(KEY, { target: buildTarget("a", 1), readAtMs: NOW_MS - DAY_MS / 2 }, NOW_MS);
  extendStale(KEY, NOW_MS);
  expect(recall(KEY, NOW_MS)?.refreshAtMs).toBe(NOW_MS + 4_000);
});

/** Stores a link that was read before change 4, more than half a minute ago. */
function rememberConfirmed(view: FeedView) {
  const stamp = { database: "0", seq: 3, hashes: [7] };
  const entry = { value: buildTarget("a", 1), readAtMs: NOW_MS - DAY_MS / 2, stamp };
  return isolate.links.remember(KEY, entry, view, NOW_MS, "cache");
}

test("an entry that the feed confirms is looked up 5 seconds before the confirmation ends", () => {
  const { refreshAtMs, freshUntilMs } = rememberConfirmed(createView(1));
  expect([refreshAtMs, freshUntilMs]).toEqual([
    NOW_MS + FEED_FRESH_MS - FEED_REFRESH_MS,
    NOW_MS + FEED_FRESH_MS,
  ]);
});

test.each<[string, FeedView, boolean]>([
  ["has no change of it, and only the last changes", createView(2, { recentFrom: 5 }), true],
  ["begins after the changes that confirmed it", createView(2, { recentFrom: 6 }), false],
  ["has a change of it", createView(2, { cursor: 6 }, 7), false],
  ["has a change of another entry", createView(2, { cursor: 6 }, 8), true],
  ["no longer contains its database", new FeedView(2), false],
])("a confirmed entry is judged again by a copy of the feed that %s", (_, view, isFresh) => {
  rememberConfirmed(createView(1));
  expect(isolate.links.recall(KEY, view, NOW_MS) !== undefined).toBe(isFresh);
  expect(isolate.links.isCurrent(KEY, view, NOW_MS)).toBe(isFresh);
});

test("an entry may be used while the database fails for a day after the feed last confirmed it", () => {
  rememberConfirmed(createView(1));
  const isKept = (afterMs: number) => isolate.links.recallStale(KEY, NOW_MS + afterMs) !== undefined;
  expect([isKept(STALE_MS - 1), isKept(STALE_MS)]).toEqual([true, false]);
});

test.each([
  ["a fresh feed that does not know it ends the use", NOW_MS, false],
  ["a feed that is no longer fresh does not", NOW_MS - FEED_FRESH_MS, true],
])("an old entry is extended, and %s", (_, collectedAtMs, isUsed) => {
  remember(KEY, { target: buildTarget("a", 1), readAtMs: NOW_MS - DAY_MS / 2 }, NOW_MS);
  extendStale(KEY, NOW_MS);
  const view = createView(2, { collectedAtMs });
  expect(isolate.links.recall(KEY, view, NOW_MS) !== undefined).toBe(isUsed);
});

test.each([
  ["later", 1, false],
  ["at the same time", 0, true],
])("a confirmed entry expires if the data centre's cache was written %s", (_, laterMs, isUsed) => {
  const view = createView(1);
  const { readAtMs } = rememberConfirmed(view);
  isolate.links.expire(KEY, readAtMs + laterMs);
  expect(isolate.links.recall(KEY, view, NOW_MS) !== undefined).toBe(isUsed);
});
