import fc from "fast-check";
import { expect, test } from "vitest";
import { parseSettings } from "../../src/env.ts";
import { createLinkBody } from "../../src/links/links.schema.ts";
import { explainVisit } from "../../src/links/resolve-link.ts";
import { decideOutcome, OUTCOME_STATUS, PERSON } from "../../src/resolving/outcome.ts";
import { buildTarget, type TargetColumns } from "../../src/resolving/target.ts";
import { DescribedVisitor } from "../../src/routing/described-visitor.ts";
import {
  BROWSERS,
  CONTINENTS,
  DEVICES,
  OPERATING_SYSTEMS,
  type RoutingRule,
} from "../../src/routing/rules.ts";
import { RequestVisitor } from "../../src/routing/visitor.ts";
import { chooseRuns } from "../support/runs.ts";

/** Compares the explanation of a redirect with the redirect itself. */

const NOW_MS = Date.parse("2026-11-21T09:30:00Z");
const SETTINGS = parseSettings({
  API_URL: "https://api.signpost.example",
  SHORT_DOMAIN: "go.example",
  BIO_URL: "https://bio.signpost.example",
  APP_URL: "https://app.signpost.example",
  CDN_URL: "https://cdn.signpost.example",
  ALLOW_LOOPBACK: "",
});

const COUNTRIES = ["CA", "US", "DE", "BR"] as const;
const REGIONS = ["CA-QC", "US-CA", "DE-BE"] as const;
const LANGUAGES = ["fr", "fr-CA", "en", "de"] as const;
const NAMES = ["utm_source", "ref"] as const;
const VALUES = ["mail", "web", ""] as const;
const AGENTS = [
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  "curl/8.7.1",
  "facebookexternalhit/1.1",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
] as const;

const some = <Value>(...values: readonly Value[]) => fc.subarray([...values], { minLength: 1 });
const optional = { requiredKeys: [] };
const nearNow = fc.integer({ min: NOW_MS - 3, max: NOW_MS + 3 });
const address = fc.constantFrom(
  "https://example.com/",
  "https://example.com/p?a=1&ref=x#f",
  // This host may redirect, so links with it as destination are ignored.
  "https://go.example/abc",
);

const when = fc.record(
  {
    country: some(...COUNTRIES),
    region: some(...REGIONS),
    continent: some(...CONTINENTS),
    device: some(...DEVICES),
    os: some(...OPERATING_SYSTEMS),
    browser: some(...BROWSERS),
    language: some(...LANGUAGES),
    query: fc.dictionary(fc.constantFrom(...NAMES), fc.oneof(fc.constant(true as const), some(...VALUES)), {
      minKeys: 1,
    }),
    after: nearNow.map((timeMs) => new Date(timeMs).toISOString()),
    before: nearNow.map((timeMs) => new Date(timeMs).toISOString()),
    percent: fc.integer({ min: 1, max: 99 }),
  },
  optional,
);
// Few conditions, so that many rules match.
const fewConditions = fc.tuple(when, fc.integer({ min: 0, max: 2 })).map(([all, count]) => {
  return Object.fromEntries(Object.entries(all).slice(0, count));
});
const name = fc.option(fc.constantFrom("A", "B"), { nil: undefined });
const share = fc.record({ name, destination: address, percent: fc.integer({ min: 1, max: 25 }) });
const rule: fc.Arbitrary<RoutingRule> = fc.oneof(
  fc.record({ name, when: fewConditions, destination: address }),
  fc.record({ name, when: fewConditions, block: fc.constant(true as const) }),
  fc.record({ name, when: fewConditions, split: fc.array(share, { minLength: 1, maxLength: 4 }) }),
);
const rarely = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ arbitrary: fc.constant(null), weight: 2 }, { arbitrary, weight: 1 });

const link: fc.Arbitrary<TargetColumns> = fc.record({
  id: fc.uuid(),
  workspaceId: fc.constant("w"),
  shortCode: fc.constant("AbC2345"),
  destination: address,
  routingRules: fc.array(rule, { maxLength: 4 }),
  enabled: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
  expiresAt: rarely(nearNow),
  bannedAt: fc.constantFrom(null, null, null, null, NOW_MS),
  startsAt: rarely(nearNow),
  earlyUrl: rarely(address),
  expiredUrl: rarely(address),
  forwardQuery: fc.boolean(),
  confirm: fc.boolean(),
  maxScans: rarely(fc.constant(5)),
  scanCount: fc.constant(0),
  passwordHash: rarely(fc.constant("pbkdf2-sha256$1$salt$hash")),
  preview: rarely(fc.constant({ title: "Sale", description: null, image_url: null })),
  updatedAt: fc.constant(NOW_MS),
});

const visitor = fc.record(
  {
    country: fc.constantFrom(...COUNTRIES),
    continent: fc.constantFrom(...CONTINENTS),
    languages: fc.subarray([...LANGUAGES]),
    query: fc.dictionary(
      fc.constantFrom(...NAMES, "pw"),
      fc.oneof(fc.constantFrom(...VALUES), some(...VALUES)),
    ),
    user_agent: fc.constantFrom(...AGENTS),
    ip: fc.ipV4(),
  },
  optional,
);

/** Builds the request of a described visitor. */
function buildRequestVisitor(description: typeof visitor extends fc.Arbitrary<infer Value> ? Value : never) {
  const { country, continent, languages, query = {}, user_agent, ip } = description;
  const headers = new Headers({
    "Sec-Fetch-Mode": "navigate",
    ...(languages && { "Accept-Language": languages.join(",") }),
    ...(user_agent && { "User-Agent": user_agent }),
    ...(ip && { "CF-Connecting-IP": ip }),
  });
  const pairs = Object.entries(query).flatMap(([key, values]) =>
    [values].flat().map((value) => [key, value]),
  );
  const url = new URL(`https://go.example/AbC2345?${new URLSearchParams(pairs)}`);
  return new RequestVisitor(headers, url, { country, continent });
}

const VISITORS = chooseRuns(1_000, 5_000);

test(`${VISITORS} random visitors of random links get the explained result`, () => {
  const outcomes = new Map<string, number>();
  fc.assert(
    fc.property(link, visitor, fc.boolean(), (columns, description, isUsedUp) => {
      const target = buildTarget(columns, [], new Set(), SETTINGS);
      const visitor = buildRequestVisitor(description);
      const isBrowser = description.user_agent === undefined || visitor.isBrowser;
      const access = { ...PERSON, traffic: visitor.traffic, isBrowser, isUsedUp };
      const requested = decideOutcome(target, visitor, NOW_MS, access);
      const explained = explainVisit(target, new DescribedVisitor(description), NOW_MS, isUsedUp);
      outcomes.set(explained.outcome, (outcomes.get(explained.outcome) ?? 0) + 1);
      expect(explained).toMatchObject({
        outcome: requested.status,
        status: OUTCOME_STATUS[requested.status],
        destination: "location" in requested ? requested.location : null,
        rule: "rule" in requested ? requested.rule : null,
      });
      expect(explained.rules).toHaveLength(columns.routingRules.length);
      if (requested.status !== "found" && requested.status !== "blocked") return;
      // The first rule that is explained as matching is the one that decided.
      const first = explained.rules.findIndex(({ matched }) => matched);
      const decided = columns.routingRules[first];
      const names = [explained.rules[first]?.name, ...(decided?.split ?? []).map((item) => item.name)];
      if (first === -1) expect(requested.rule).toBeNull();
      else expect(names.some((text) => text !== undefined && requested.rule?.startsWith(text))).toBe(true);
      expect(requested.status === "blocked").toBe(decided?.block === true);
    }),
    { numRuns: VISITORS, seed: 14 },
  );
  for (const outcome of Object.keys(OUTCOME_STATUS)) {
    expect(outcomes.get(outcome), outcome).toBeGreaterThan(VISITORS / 100);
  }
}, 30_000);

const explain = (routingRules: unknown, description: object, atMs = NOW_MS) => {
  const { routing_rules } = createLinkBody.parse({
    url: "https://example.com/",
    routing_rules: routingRules,
  });
  const columns: TargetColumns = {
    id: "019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f",
    workspaceId: "w",
    shortCode: "AbC2345",
    destination: "https://example.com/",
    routingRules: routing_rules ?? [],
    enabled: true,
    expiresAt: null,
    bannedAt: null,
    startsAt: null,
    earlyUrl: null,
    expiredUrl: null,
    forwardQuery: false,
    confirm: false,
    maxScans: null,
    scanCount: 0,
    passwordHash: null,
    preview: null,
    updatedAt: NOW_MS,
  };
  const target = buildTarget(columns, [], new Set(), SETTINGS);
  return explainVisit(target, new DescribedVisitor(description), atMs, false).rules;
};

test.each<[object, object, string | null, string | null]>([
  [{ country: ["CA"] }, { country: "CA" }, null, null],
  [{ country: ["CA"] }, { country: "US" }, "country", "US"],
  [{ country: ["CA"] }, {}, "country", null],
  [{ country: ["US"] }, { region: "US-CA" }, null, null],
  [{ region: ["US-NY"] }, { region: "US-CA" }, "region", "US-CA"],
  [{ continent: ["EU"] }, { country: "DE" }, "continent", null],
  [{ country: ["CA"], os: ["ios"] }, { country: "CA", os: "android" }, "os", "android"],
  [{ os: ["ios"], country: ["CA"] }, { os: "android" }, "country", null],
  [{ device: ["mobile"], os: ["ios"], browser: ["safari"] }, { user_agent: AGENTS[0] }, null, null],
  [{ device: ["tablet"] }, { user_agent: AGENTS[0] }, "device", "mobile"],
  [{ device: ["tablet"] }, { user_agent: AGENTS[0], device: "tablet" }, null, null],
  [{ browser: ["chrome"] }, { browser: "firefox", user_agent: AGENTS[1] }, "browser", "firefox"],
  [{ language: ["fr"] }, { languages: ["de-AT", "en"] }, "language", "de-at, en"],
  [{ language: ["fr"] }, { languages: [] }, "language", null],
  [{ query: { ref: ["a"] } }, { query: { ref: ["b", "c d"], other: "a" } }, "query", "ref=b&ref=c+d"],
  [{ query: { ref: true } }, { query: { other: "a" } }, "query", null],
  [{ after: "2026-11-21T09:30:00.001Z" }, {}, "after", "2026-11-21T09:30:00.000Z"],
  [{ before: "2026-11-21T09:30:00Z" }, {}, "before", "2026-11-21T09:30:00.000Z"],
])("the rule %j for the visitor %j fails at %s, with %s", (conditions, description, failed, seen) => {
  expect(explain([{ when: conditions, destination: "https://example.com/a" }], description)).toEqual([
    { name: "#1", matched: failed === null, failed, seen },
  ]);
});

test("shares are explained with the visitor's number, and rules after the deciding rule are explained too", () => {
  const rules = [
    { name: "all", when: { percent: 99 }, destination: "https://example.com/a" },
    { when: { percent: 1 }, destination: "https://example.com/b" },
    { split: [{ destination: "https://example.com/c", percent: 1 }] },
  ];
  for (let n = 0; n < 50; n++) {
    const [, second, third] = explain(rules, { ip: `203.0.113.${n}`, user_agent: "curl/8" });
    expect(second?.matched).toBe(second?.failed === null);
    if (second?.failed !== null) expect(Number(second?.seen)).toBeGreaterThanOrEqual(1);
    if (third?.failed !== null) expect([third?.failed, Number(third?.seen) >= 1]).toEqual(["split", true]);
  }
});
