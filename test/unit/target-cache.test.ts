import { beforeEach, expect, test } from "vitest";
import type { Target } from "../../src/redirect/target.ts";
import { forgetAll, recall, remember } from "../../src/redirect/target-cache.ts";

const NOW_MS = Date.parse("2026-11-21T09:30:00Z");
const KEY = "acme.localhost/sale";

function targetWith(linkId: string, updatedAt: number): Target {
  return {
    linkId,
    workspaceId: "w",
    shortCode: "sale",
    isCustom: true,
    enabled: true,
    expiresAt: null,
    address: `https://example.com/${updatedAt}`,
    rules: [],
    ruleAddresses: [],
    updatedAt,
  };
}

beforeEach(forgetAll);

test.each<[string, Target | null, Target | null, "first" | "second"]>([
  ["a later state of a link", targetWith("a", 1), targetWith("a", 2), "second"],
  ["an earlier state that arrives late", targetWith("a", 2), targetWith("a", 1), "first"],
  ["the same state read again", targetWith("a", 1), targetWith("a", 1), "second"],
  ["another link of the same code", targetWith("a", 2), targetWith("b", 1), "second"],
  ["the deletion of the link", targetWith("a", 2), null, "second"],
  ["a link where there was none", null, targetWith("a", 1), "second"],
])("after %s, the right one is remembered and handed on to the cache", (_, first, second, expected) => {
  remember(KEY, { target: first, readAtMs: NOW_MS }, NOW_MS);
  const kept = remember(KEY, { target: second, readAtMs: NOW_MS + 1 }, NOW_MS + 1);
  const right = expected === "first" ? first : second;
  expect(kept).toEqual({ target: right, readAtMs: NOW_MS + 1 });
  expect(recall(KEY, NOW_MS + 2)?.target).toBe(right);
});
