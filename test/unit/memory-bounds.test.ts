import { describe, expect, test } from "vitest";
import { FeedView } from "../../src/change-feed/feed-view.ts";
import { estimateHeapBytes, estimateTextBytes } from "../../src/core/heap-size.ts";
import { takeScan } from "../../src/guards/limited-visit.ts";
import { recallKey, rememberKey } from "../../src/keys/known-keys.ts";
import { UnknownLimit } from "../../src/limits/unknown-limit.ts";
import { recallSession, rememberSession } from "../../src/members/known-sessions.ts";
import type { Host } from "../../src/resolving/host-read.ts";
import { Resolver } from "../../src/resolving/resolve.ts";
import type { Target } from "../../src/resolving/target.ts";

/** Memory limits of an isolate's caches: an entry that fills a cache is kept, and a larger one is not. */

const NOW_MS = 1_800_000_000_000;
const VIEW = new FeedView(1);
/** Heap of an entry besides its key and its value. */
const SLOT_BYTES = 192;

const NO_TARGET: Target = {
  id: "l",
  workspaceId: "w",
  shortCode: "c",
  enabled: true,
  expiresAt: null,
  bannedAt: null,
  address: "",
  routingRules: [],
  ruleAddresses: [],
  options: null,
  guards: null,
  updatedAt: 1,
};
const NO_HOST: Host = {
  workspaceId: "w",
  workspaceName: "n",
  isSuspended: false,
  shard: 0,
  prefix: "0/w/",
  rootUrl: "",
  notFoundUrl: null,
  expiredUrl: null,
  documents: null,
};

test("the heap of a value is the heap of its texts, lists and objects", () => {
  expect(estimateTextBytes("abc")).toBe(24 + 2 * 3);
  expect(estimateHeapBytes(1)).toBe(8);
  expect(estimateHeapBytes("abc")).toBe(8 + 30);
  expect(estimateHeapBytes([1, null])).toBe(48 + 2 * 8);
  expect(estimateHeapBytes({ ab: 1 })).toBe(96 + 64 + (24 + 4) + 8);
});

/** Stores a value in an empty cache. Returns the estimated heap, or 0 if it is not kept. */
function keep(kind: "links" | "hosts", key: string, value: unknown, hashes: number[] | null = null): number {
  const memory = new Resolver()[kind];
  const stamp = hashes && { database: "0", seq: 1, hashes };
  memory.remember(key, { value, readAtMs: NOW_MS, stamp } as never, VIEW, NOW_MS, "cache");
  return memory.measure().bytes;
}

describe("redirects cache", () => {
  test.each<[string, number, (length: number) => number]>([
    [
      "13 MB of links",
      13_000_000,
      (length) => keep("links", "k", { ...NO_TARGET, address: "x".repeat(length) }),
    ],
    ["750 kB of codes without a link", 750_000, (length) => keep("links", "k".repeat(length), null)],
    ["1 MB of hosts", 1_000_000, (length) => keep("hosts", "k", { ...NO_HOST, rootUrl: "x".repeat(length) })],
    ["250 kB of unknown hosts", 250_000, (length) => keep("hosts", "k".repeat(length), null)],
  ])("%s", (_, bytesMax, keepText) => {
    // Two bytes per character.
    const length = (bytesMax - keepText(0)) / 2;
    expect(keepText(length)).toBe(bytesMax);
    expect(keepText(length + 1)).toBe(0);
  });

  test("each entry, counting its heap besides its texts", () => {
    const slot = SLOT_BYTES + estimateTextBytes("k");
    expect(keep("links", "k", null)).toBe(slot + 240);
    const { id, workspaceId, shortCode, address, routingRules, ruleAddresses, options, guards } = NO_TARGET;
    const texts = [id, workspaceId, shortCode, "", address];
    const parts = [routingRules, ruleAddresses, texts, options, guards];
    expect(keep("links", "k", NO_TARGET)).toBe(slot + 360 + 240 + estimateHeapBytes(parts));
    const hostTexts = 2 * estimateTextBytes("w") + estimateTextBytes("0/w/") + estimateTextBytes("");
    expect(keep("hosts", "k", NO_HOST)).toBe(slot + 360 + 240 + hostTexts);
    expect(keep("links", "k", NO_TARGET, [1, 2]) - keep("links", "k", NO_TARGET, [])).toBe(2 * 24);
  });
});

/**
 * Returns how many of the numbered items are still stored, which are the latest ones. Looking up an item
 * changes the rest, so this ends at the first one.
 */
async function countLatest(count: number, remembers: (n: number) => boolean | Promise<boolean>) {
  for (let n = count - 1; n >= 0; n--) if (!(await remembers(n))) return count - 1 - n;
  return count;
}

test("networks that exceeded the limit of unknown codes are stored in 500 kB", async () => {
  const name = (n: number) => `10.100.${100 + Math.floor(n / 100)}.${100 + (n % 100)}`;
  const open = (n: number) => {
    const headers = new Headers({ "CF-Connecting-IP": name(n) });
    return new UnknownLimit({ limit: async () => ({ success: false }) }, headers, NOW_MS);
  };
  for (let n = 0; n < 4_000; n++) await open(n).count();
  const entryBytes = SLOT_BYTES + estimateTextBytes(name(0)) + 16;
  const kept = await countLatest(4_000, (n) => open(n).isExceeded);
  expect(kept).toBe(Math.floor(500_000 / entryBytes));
});

test("used-up links are stored in 250 kB", async () => {
  let asked = 0;
  const take = async () => {
    asked += 1;
    return { isTaken: false, taken: 1 };
  };
  const visit = (n: number) => {
    const link = { id: `used-up-${n + 1_000}`, workspaceId: "w", updatedAt: 1, scansCounted: 0 };
    return takeScan({ getByName: () => ({ take }) } as never, link, 1);
  };
  for (let n = 0; n < 2_000; n++) await visit(n);
  const entryBytes = SLOT_BYTES + estimateTextBytes("used-up-1000") + 16;
  const kept = await countLatest(2_000, async (n) => {
    const before = asked;
    await visit(n);
    return asked === before;
  });
  expect(kept).toBe(Math.floor(250_000 / entryBytes));
});

describe("authentication caches", () => {
  test("keys in 2 MiB", () => {
    const value = { prefix: "p", workspaceId: "w", plan: "pro", verifiedAtMs: NOW_MS } as const;
    const remembers = (length: number) => {
      const hash = "h".repeat(length);
      rememberKey(hash, value.prefix, { id: value.workspaceId, plan: value.plan }, NOW_MS);
      return recallKey(hash, NOW_MS) !== undefined;
    };
    const length = (2_097_152 - SLOT_BYTES - estimateTextBytes("") - estimateHeapBytes(value)) / 2;
    expect([remembers(length), remembers(length + 1)]).toEqual([true, false]);
  });

  test("sessions in 1 MiB", () => {
    const session = { workspaceId: "w", memberId: "m", verifiedAtMs: NOW_MS };
    const remembers = (length: number) => {
      const key = "s".repeat(length);
      rememberSession(key, session);
      return recallSession(key, NOW_MS) !== undefined;
    };
    // The key is in the map and in the value.
    const emptyBytes = SLOT_BYTES + estimateTextBytes("") + estimateHeapBytes({ key: "", session });
    const length = Math.floor((1_048_576 - emptyBytes) / 4);
    expect([remembers(length), remembers(length + 1)]).toEqual([true, false]);
  });
});
