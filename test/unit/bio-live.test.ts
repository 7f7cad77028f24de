import { expect, test } from "vitest";
import { findClickDestination, isLive } from "../../src/bio/live.ts";

const NOW_MS = Date.parse("2026-11-21T09:30:00Z");
const at = (offsetMs: number) => new Date(NOW_MS + offsetMs).toISOString();

test.each([
  ["without times", {}, true],
  ["disabled", { enabled: false }, false],
  ["that starts in a millisecond", { starts_at: at(1) }, false],
  ["that starts now", { starts_at: at(0) }, true],
  ["that ends in a millisecond", { ends_at: at(1) }, true],
  ["that ends now", { ends_at: at(0) }, false],
  ["within its times", { starts_at: at(-1), ends_at: at(1) }, true],
  ["disabled within its times", { enabled: false, starts_at: at(-1), ends_at: at(1) }, false],
])("a link %s is shown or hidden", (_, link, expected) => {
  expect(isLive(link, NOW_MS)).toBe(expected);
  const url = "https://example.com/a b";
  const links = [{ ...link, url }];
  expect(findClickDestination(links, 0, NOW_MS)).toBe(expected ? "https://example.com/a%20b" : null);
});

test("headings, links without a URL and numbers beyond the last link do not redirect", () => {
  const links = [{ type: "heading" as const, url: "https://example.com/" }, {}];
  for (const index of [0, 1, 2, -1, Number.NaN])
    expect(findClickDestination(links, index, NOW_MS)).toBeNull();
});
