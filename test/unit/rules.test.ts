import { describe, expect, test } from "vitest";
import {
  findMatchingRule,
  pickShare,
  type RoutingRule,
  saltRule,
  type Visitor,
  type When,
} from "../../src/routing/rules.ts";
import { RequestVisitor } from "../../src/routing/visitor.ts";

const NOW_MS = Date.parse("2026-11-21T09:30:00Z");

/** Visitor without any known facts. */
const UNKNOWN_VISITOR: Visitor = {
  country: null,
  continent: null,
  region: null,
  device: null,
  os: null,
  browser: null,
  languages: [],
  query: new URLSearchParams(),
  search: "",
  share: () => 99,
};

const CANADIAN: Visitor = {
  country: "CA",
  continent: "NA",
  region: "CA-QC",
  device: "mobile",
  os: "ios",
  browser: "safari",
  languages: ["fr-ca", "en"],
  query: new URLSearchParams("utm_source=mail&tag=a&tag=b&empty="),
  search: "?utm_source=mail&tag=a&tag=b&empty=",
  share: () => 0,
};

function buildRule(when: When): RoutingRule {
  return { when, destination: "https://example.com/" };
}

function isMatch(when: When, visitor: Visitor, nowMs = NOW_MS): boolean {
  return findMatchingRule([buildRule(when)], visitor, "link", nowMs) === 0;
}

test.each<[When, boolean]>([
  [{ country: ["CA"] }, true],
  [{ country: ["US", "CA"] }, true],
  [{ country: ["US"] }, false],
  [{ continent: ["NA", "EU"] }, true],
  [{ continent: ["EU"] }, false],
  [{ region: ["CA-QC"] }, true],
  [{ region: ["CA-ON", "US-CA"] }, false],
  [{ device: ["mobile", "tablet"] }, true],
  [{ device: ["desktop"] }, false],
  [{ os: ["ios"] }, true],
  [{ os: ["android"] }, false],
  [{ browser: ["chrome", "safari"] }, true],
  [{ browser: ["samsung"] }, false],
  [{ language: ["fr"] }, true],
  [{ language: ["fr-CA"] }, true],
  [{ language: ["en"] }, true],
  [{ language: ["de", "en"] }, true],
  [{ language: ["fr-FR"] }, false],
  [{ language: ["en-US"] }, false],
  [{ language: ["f"] }, false],
  [{ query: { utm_source: ["mail"] } }, true],
  [{ query: { utm_source: ["web", "mail"] } }, true],
  [{ query: { utm_source: ["MAIL"] } }, false],
  [{ query: { tag: ["b"] } }, true],
  [{ query: { empty: true } }, true],
  [{ query: { empty: [""] } }, true],
  [{ query: { utm_source: true, tag: ["a"] } }, true],
  [{ query: { utm_source: true, tag: ["c"] } }, false],
  [{ query: { absent: true } }, false],
  [{ query: { Tag: true } }, false],
  [{ percent: 1 }, true],
  [{}, true],
])("findMatchingRule with %j for a Canadian on an iPhone matches: %j", (when, expected) => {
  expect(isMatch(when, CANADIAN)).toBe(expected);
});

test("a rule matches only if all of its conditions are met", () => {
  expect(isMatch({ country: ["CA"], os: ["ios"], query: { tag: true }, percent: 50 }, CANADIAN)).toBe(true);
  expect(isMatch({ country: ["CA"], os: ["android"] }, CANADIAN)).toBe(false);
  expect(isMatch({ country: ["US"], os: ["ios"] }, CANADIAN)).toBe(false);
});

test.each<When>([
  { country: ["CA"] },
  { continent: ["NA"] },
  { region: ["CA-QC"] },
  { device: ["mobile"] },
  { os: ["ios"] },
  { browser: ["safari"] },
  { language: ["fr"] },
  { query: { tag: true } },
  { query: { tag: [""] } },
])("a visitor without known facts does not match %j", (when) => {
  expect(isMatch(when, UNKNOWN_VISITOR)).toBe(false);
});

test.each<[When, string, boolean]>([
  [{ after: "2026-11-21T09:30:00.000Z" }, "2026-11-21T09:29:59.999Z", false],
  [{ after: "2026-11-21T09:30:00.000Z" }, "2026-11-21T09:30:00.000Z", true],
  [{ before: "2026-11-21T09:30:00.000Z" }, "2026-11-21T09:29:59.999Z", true],
  [{ before: "2026-11-21T09:30:00.000Z" }, "2026-11-21T09:30:00.000Z", false],
  [{ after: "2026-11-21T00:00:00Z", before: "2026-11-22T00:00:00Z" }, "2026-11-21T12:00:00Z", true],
  [{ after: "2026-11-21T00:00:00Z", before: "2026-11-22T00:00:00Z" }, "2026-11-22T00:00:00Z", false],
])("findMatchingRule with %j at %s matches: %j", (when, now, expected) => {
  expect(isMatch(when, UNKNOWN_VISITOR, Date.parse(now))).toBe(expected);
});

test("findMatchingRule returns the index of the first rule that matches, or -1", () => {
  const rules = [buildRule({ country: ["US"] }), buildRule({ os: ["ios"] }), buildRule({ country: ["CA"] })];
  expect(findMatchingRule(rules, CANADIAN, "link", NOW_MS)).toBe(1);
  expect(findMatchingRule(rules, UNKNOWN_VISITOR, "link", NOW_MS)).toBe(-1);
  expect(findMatchingRule([], CANADIAN, "link", NOW_MS)).toBe(-1);
});

describe("a split", () => {
  const VISITORS = 4_000;

  function buildVisitor(index: number): Visitor {
    const headers = new Headers({ "CF-Connecting-IP": `203.0.${index >> 8}.${index & 255}` });
    return new RequestVisitor(headers, new URL("https://go.example/x"), {});
  }

  /** Returns the index of the share for each visitor of a link, and null where the split does not match. */
  function divide(percents: readonly number[], when: When = {}, linkId = "link"): (number | null)[] {
    const split = percents.map((percent) => ({ percent, destination: "https://example.com/" }));
    return Array.from({ length: VISITORS }, (_, number) => {
      const visitor = buildVisitor(number);
      const index = findMatchingRule([{ when, split }], visitor, linkId, NOW_MS);
      return index === -1 ? null : pickShare(split, visitor, saltRule(linkId, 0));
    });
  }

  function getShare(shares: readonly (number | null)[], share: number | null): number {
    return shares.filter((item) => item === share).length / shares.length;
  }

  test.each([[[30, 70]], [[10, 20, 30]], [[1]], [[100]], [[50, 50]]])(
    "of %j sends each share its number of visitors, and the rest to the next rule",
    (percents) => {
      const shares = divide(percents);
      for (const [index, percent] of percents.entries()) {
        expect(Math.abs(getShare(shares, index) - percent / 100)).toBeLessThan(0.03);
      }
      const rest = 100 - percents.reduce((sum, percent) => sum + percent, 0);
      expect(Math.abs(getShare(shares, null) - rest / 100)).toBeLessThan(0.03);
      if (rest === 0) expect(shares).not.toContain(null);
    },
  );

  test("leaves no visitor out of 100 %, one of a hundred out of 99 %, and 99 of a hundred out of 1 %", () => {
    expect(divide([100])).not.toContain(null);
    const isOut = (percent: number) => divide([percent]).map((share) => share === null);
    expect(isOut(99)).toContain(true);
    expect(isOut(1)).toContain(false);
  });

  test("always sends a visitor to the same share, and distributes another link's visitors differently", () => {
    expect(divide([30, 70])).toEqual(divide([30, 70]));
    expect(divide([30, 70], {}, "other")).not.toEqual(divide([30, 70]));
  });

  test("is independent of the percent condition of its rule", () => {
    const shares = divide([50, 50], { percent: 40 });
    expect(Math.abs(getShare(shares, 0) - 0.2)).toBeLessThan(0.03);
    expect(Math.abs(getShare(shares, 1) - 0.2)).toBeLessThan(0.03);
  });
});

describe("a percent condition", () => {
  const VISITORS = 4_000;

  function buildVisitor(index: number, userAgent = "curl/8.7.1"): Visitor {
    const address = `203.0.${index >> 8}.${index & 255}`;
    const headers = new Headers({ "CF-Connecting-IP": address, "User-Agent": userAgent });
    return new RequestVisitor(headers, new URL("https://go.example/x"), {});
  }

  /** Returns the index of the matching rule for each visitor of a link. */
  function matchVisitors(linkId: string, ...percents: number[]): number[] {
    const rules = percents.map((percent) => buildRule({ percent }));
    return Array.from({ length: VISITORS }, (_, i) =>
      findMatchingRule(rules, buildVisitor(i), linkId, NOW_MS),
    );
  }

  function getShare(routes: readonly number[], index: number): number {
    return routes.filter((route) => route === index).length / routes.length;
  }

  test.each([1, 10, 50, 90, 99])("of %i matches that share of the visitors", (percent) => {
    expect(Math.abs(getShare(matchVisitors("link", percent), 0) - percent / 100)).toBeLessThan(0.03);
  });

  test("always matches the same visitors, and depends on IP address, user agent and link", () => {
    const routes = matchVisitors("link", 50);
    expect(matchVisitors("link", 50)).toEqual(routes);
    expect(matchVisitors("other", 50)).not.toEqual(routes);
    const byAgent = Array.from({ length: 50 }, (_, i) =>
      findMatchingRule([buildRule({ percent: 50 })], buildVisitor(0, `agent ${i}`), "link", NOW_MS),
    );
    expect(new Set(byAgent)).toEqual(new Set([0, -1]));
  });

  test("is independent of the percent conditions of earlier rules", () => {
    const routes = matchVisitors("link", 50, 50);
    expect(Math.abs(getShare(routes, 0) - 0.5)).toBeLessThan(0.03);
    expect(Math.abs(getShare(routes, 1) - 0.25)).toBeLessThan(0.03);
    expect(Math.abs(getShare(routes, -1) - 0.25)).toBeLessThan(0.03);
  });

  test("is independent of the percent conditions of other links", () => {
    const [routes, otherRoutes] = [matchVisitors("link", 50), matchVisitors("other", 50)];
    const both = routes.filter((route, i) => route === 0 && otherRoutes[i] === 0).length / VISITORS;
    expect(Math.abs(both - 0.25)).toBeLessThan(0.03);
  });
});

test.each([
  [9, 10, true],
  [10, 10, false],
  [0, 1, true],
  [1, 1, false],
  [98, 99, true],
  [99, 99, false],
])("a visitor with the share %i matches %i percent: %j", (share, percent, expected) => {
  expect(isMatch({ percent }, { ...UNKNOWN_VISITOR, share: () => share })).toBe(expected);
});
