import { beforeEach, expect, test } from "vitest";
import type { Target } from "../../src/redirect/target.ts";
import { forgetAll, recall, remember } from "../../src/redirect/target-memory.ts";

const NOW_MS = Date.parse("2026-11-21T09:30:00Z");
const KEY = "acme.localhost/sale";

function buildTarget(id: string, updatedAt: number): Target {
  return {
    id,
    workspaceId: "w",
    shortCode: "sale",
    isCustom: true,
    enabled: true,
    expiresAt: null,
    address: `https://example.com/${updatedAt}`,
    routingRules: [],
    ruleAddresses: [],
    updatedAt,
  };
}

beforeEach(forgetAll);

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
  expect(current).toMatchObject({ target: expected, readAtMs: NOW_MS + (winner === "first" ? 0 : 1) });
  expect(recall(KEY, NOW_MS + 2)?.target).toBe(expected);
});
