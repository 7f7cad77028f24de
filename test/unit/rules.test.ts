import { describe, expect, test } from "vitest";
import { findMatchingRule, type RoutingRule, type Visitor, type When } from "../../src/routing/rules.ts";
import { RequestVisitor } from "../../src/routing/visitor.ts";

const NOW_MS = Date.parse("2026-11-21T09:30:00Z");

/** Of whom nothing is known. */
const NOBODY: Visitor = {
  country: null,
  continent: null,
  region: null,
  device: null,
  os: null,
  browser: null,
  languages: [],
  query: new URLSearchParams(),
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
  share: () => 0,
};

function rule(when: When): RoutingRule {
  return { when, destination: "https://example.com/" };
}

function matches(when: When, visitor: Visitor, nowMs = NOW_MS): boolean {
  return findMatchingRule([rule(when)], visitor, "link", nowMs) === 0;
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
])("a Canadian on an iPhone matches %j: %j", (when, expected) => {
  expect(matches(when, CANADIAN)).toBe(expected);
});

test("keys are all to hold", () => {
  expect(matches({ country: ["CA"], os: ["ios"], query: { tag: true }, percent: 50 }, CANADIAN)).toBe(true);
  expect(matches({ country: ["CA"], os: ["android"] }, CANADIAN)).toBe(false);
  expect(matches({ country: ["US"], os: ["ios"] }, CANADIAN)).toBe(false);
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
])("a value missing from the request does not match %j", (when) => {
  expect(matches(when, NOBODY)).toBe(false);
});

test.each<[When, string, boolean]>([
  [{ after: "2026-11-21T09:30:00.000Z" }, "2026-11-21T09:29:59.999Z", false],
  [{ after: "2026-11-21T09:30:00.000Z" }, "2026-11-21T09:30:00.000Z", true],
  [{ before: "2026-11-21T09:30:00.000Z" }, "2026-11-21T09:29:59.999Z", true],
  [{ before: "2026-11-21T09:30:00.000Z" }, "2026-11-21T09:30:00.000Z", false],
  [{ after: "2026-11-21T00:00:00Z", before: "2026-11-22T00:00:00Z" }, "2026-11-21T12:00:00Z", true],
  [{ after: "2026-11-21T00:00:00Z", before: "2026-11-22T00:00:00Z" }, "2026-11-22T00:00:00Z", false],
])("%j at %s: %j", (when, moment, expected) => {
  expect(matches(when, NOBODY, Date.parse(moment))).toBe(expected);
});

test("the first rule that holds wins; none, and there is no rule", () => {
  const rules = [rule({ country: ["US"] }), rule({ os: ["ios"] }), rule({ country: ["CA"] })];
  expect(findMatchingRule(rules, CANADIAN, "link", NOW_MS)).toBe(1);
  expect(findMatchingRule(rules, NOBODY, "link", NOW_MS)).toBe(-1);
  expect(findMatchingRule([], CANADIAN, "link", NOW_MS)).toBe(-1);
});

describe("a share of the visitors", () => {
  const VISITORS = 4_000;

  function visitor(index: number, userAgent = "curl/8.7.1"): Visitor {
    const address = `203.0.${index >> 8}.${index & 255}`;
    const headers = new Headers({ "CF-Connecting-IP": address, "User-Agent": userAgent });
    return new RequestVisitor(headers, new URL("https://go.example/x"), {});
  }

  /** Which of the visitors a link's rules send where. */
  function routesOf(linkId: string, ...percents: number[]): number[] {
    const rules = percents.map((percent) => rule({ percent }));
    return Array.from({ length: VISITORS }, (_, i) => findMatchingRule(rules, visitor(i), linkId, NOW_MS));
  }

  function share(routes: readonly number[], index: number): number {
    return routes.filter((route) => route === index).length / routes.length;
  }

  test.each([1, 10, 50, 90, 99])("of %i percent is as large as it says", (percent) => {
    expect(Math.abs(share(routesOf("link", percent), 0) - percent / 100)).toBeLessThan(0.03);
  });

  test("is the same for a visitor each time, and differs by address, user agent and link", () => {
    const routes = routesOf("link", 50);
    expect(routesOf("link", 50)).toEqual(routes);
    expect(routesOf("other", 50)).not.toEqual(routes);
    const byAgent = Array.from({ length: 50 }, (_, i) =>
      findMatchingRule([rule({ percent: 50 })], visitor(0, `agent ${i}`), "link", NOW_MS),
    );
    expect(new Set(byAgent)).toEqual(new Set([0, -1]));
  });

  test("is independent of that of the rules before it", () => {
    const routes = routesOf("link", 50, 50);
    expect(Math.abs(share(routes, 0) - 0.5)).toBeLessThan(0.03);
    expect(Math.abs(share(routes, 1) - 0.25)).toBeLessThan(0.03);
    expect(Math.abs(share(routes, -1) - 0.25)).toBeLessThan(0.03);
  });

  test("is independent of that of other links", () => {
    const [here, there] = [routesOf("link", 50), routesOf("other", 50)];
    const both = here.filter((route, i) => route === 0 && there[i] === 0).length / VISITORS;
    expect(Math.abs(both - 0.25)).toBeLessThan(0.03);
  });
});
