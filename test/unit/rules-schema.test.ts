import { describe, expect, test } from "vitest";
import { listProblems } from "../../src/http/validation.ts";
import { toCanonicalJson } from "../../src/links/canonical-conditions.ts";
import { createLinkBody } from "../../src/links/links.schema.ts";
import type { When } from "../../src/routing/rules.ts";

const DESTINATION = "https://example.com/";

/** Parses rules as part of a link, so that errors have the same path as in the API. */
function parseRules(routing_rules: unknown) {
  return createLinkBody.safeParse({ url: DESTINATION, routing_rules });
}

function listRuleFaults(rules: unknown): string[] {
  const { error } = parseRules(rules);
  return error === undefined
    ? []
    : listProblems(error.issues).map(({ field, message }) => `${field}: ${message}`);
}

const buildRules = (conditions: unknown) => [{ when: conditions, destination: DESTINATION }];

const buildSplit = (...percents: unknown[]) => [
  { split: percents.map((percent) => ({ destination: DESTINATION, percent })) },
];

const COUNTRY = "must be an ISO 3166-1 alpha-2 country code";
const REGION = "must be an ISO 3166-2 code such as US-CA";
const LANGUAGE = "must be a BCP 47 language, or language and region, such as fr or fr-CA";
const DATE_TIME = "must be an ISO 8601 date-time with an offset or Z";
const QUERY = "must be a non-empty array of strings, or true";

describe("routing_rules are rejected with the path of the field:", () => {
  test.each<[unknown, string]>([
    ["x", ": must be an array"],
    [null, ": must be an array"],
    [{}, ": must be an array"],
    [[1], "[0]: must be an object"],
    [[null], "[0]: must be an object"],
    [[{ destination: DESTINATION }], "[0].when: is required"],
    [[{ when: { os: ["ios"] } }], "[0].destination: is required unless `block` or `split` is set"],
    [[{ when: { os: ["ios"] }, destination: DESTINATION, goto: 1 }], "[0].goto: is not a known field"],
    [
      [{ when: { os: ["ios"] }, destination: DESTINATION, name: "" }],
      "[0].name: must have at least 1 character",
    ],
    [
      [{ when: { os: ["ios"] }, destination: DESTINATION, name: "x".repeat(65) }],
      "[0].name: must have at most 64 characters",
    ],
    [[{ when: { os: ["ios"] }, destination: DESTINATION, name: 1 }], "[0].name: must be a string"],
    [
      [{ when: { os: ["ios"] }, destination: "ftp://example.com" }],
      "[0].destination: must be an http or https URL",
    ],
    [
      [{ when: { os: ["ios"] }, destination: "https://a:b@example.com" }],
      "[0].destination: must not contain a user name or password",
    ],
    [
      [...buildRules({ os: ["ios"] }), ...buildRules({ city: ["Bonn"] })],
      "[1].when.city: is not a known field",
    ],
    [buildRules(null), "[0].when: must be an object"],
    [buildRules([]), "[0].when: must be an object"],
    [buildRules({}), "[0].when: must have at least one condition"],
    [buildRules({ country: [] }), "[0].when.country: must have at least 1 item"],
    [buildRules({ country: "CA" }), "[0].when.country: must be an array"],
    [buildRules({ country: ["CA", "XX"] }), `[0].when.country[1]: ${COUNTRY}`],
    [buildRules({ country: ["CAN"] }), `[0].when.country[0]: ${COUNTRY}`],
    [buildRules({ country: ["UK"] }), "[0].when.country[0]: UK is not an ISO 3166-1 code; use GB"],
    [buildRules({ country: ["uk"] }), "[0].when.country[0]: UK is not an ISO 3166-1 code; use GB"],
    [buildRules({ country: [null] }), "[0].when.country[0]: must be a string"],
    [
      buildRules({ continent: ["Europe"] }),
      "[0].when.continent[0]: must be one of AF, AN, AS, EU, NA, OC, SA",
    ],
    [buildRules({ region: ["US"] }), `[0].when.region[0]: ${REGION}`],
    [buildRules({ region: ["CA-"] }), `[0].when.region[0]: ${REGION}`],
    [buildRules({ region: ["UK-ENG"] }), `[0].when.region[0]: ${REGION}`],
    [buildRules({ region: ["US_CA"] }), `[0].when.region[0]: ${REGION}`],
    [buildRules({ device: ["phone"] }), "[0].when.device[0]: must be one of mobile, tablet, desktop"],
    [
      buildRules({ os: ["iOS"] }),
      "[0].when.os[0]: must be one of ios, android, windows, macos, linux, chromeos",
    ],
    [
      buildRules({ browser: ["brave"] }),
      "[0].when.browser[0]: must be one of chrome, safari, firefox, edge, opera, samsung",
    ],
    [buildRules({ language: ["english"] }), `[0].when.language[0]: ${LANGUAGE}`],
    [buildRules({ language: ["fr_CA"] }), `[0].when.language[0]: ${LANGUAGE}`],
    [buildRules({ language: [""] }), `[0].when.language[0]: ${LANGUAGE}`],
    [buildRules({ query: [] }), "[0].when.query: must be an object"],
    [buildRules({ query: {} }), "[0].when.query: must have at least 1 entry"],
    [buildRules({ query: { ref: [] } }), "[0].when.query.ref: must have at least 1 item"],
    [buildRules({ query: { ref: false } }), `[0].when.query.ref: ${QUERY}`],
    [buildRules({ query: { ref: "x" } }), `[0].when.query.ref: ${QUERY}`],
    [buildRules({ query: { "": true } }), `[0].when.query[""]: must have a name`],
    [
      buildRules({ query: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [i, true])) }),
      "[0].when.query: must have at most 20 entries",
    ],
    [buildRules({ after: "2026-11-21" }), `[0].when.after: ${DATE_TIME}`],
    [buildRules({ before: "2026-02-30T00:00:00Z" }), `[0].when.before: ${DATE_TIME}`],
    [buildRules({ after: 1 }), "[0].when.after: must be a string"],
    [buildRules({ percent: 0 }), "[0].when.percent: must be at least 1"],
    [buildRules({ percent: 100 }), "[0].when.percent: must be at most 99"],
    [buildRules({ percent: 1.5 }), "[0].when.percent: must be a whole number"],
    [buildRules({ percent: "50" }), "[0].when.percent: must be a number"],
    [
      [{ when: { os: ["ios"] }, destination: DESTINATION, block: true }],
      "[0]: must have only one of destination, block and split",
    ],
    [[{ when: { os: ["ios"] }, block: false }], "[0].block: must be true"],
    [[{ block: true }], "[0].when: is required"],
    [[{ when: {}, block: true }], "[0].when: must have at least one condition"],
    [[{ split: [] }], "[0].split: must have at least 1 item"],
    [[{ split: [{ destination: DESTINATION }] }], "[0].split[0].percent: is required"],
    [[{ split: [{ percent: 5 }] }], "[0].split[0].destination: is required"],
    [buildSplit(0), "[0].split[0].percent: must be at least 1"],
    [buildSplit(101), "[0].split[0].percent: must be at most 100"],
    [buildSplit(0.5), "[0].split[0].percent: must be a whole number"],
    [buildSplit(50, 51), "[0].split: must have percentages that add up to at most 100"],
    [
      [{ split: [{ destination: "ftp://example.com", percent: 5 }] }],
      "[0].split[0].destination: must be an http or https URL",
    ],
    [
      [{ split: [{ destination: DESTINATION, percent: 5, weight: 1 }] }],
      "[0].split[0].weight: is not a known field",
    ],
    [Array.from({ length: 21 }, (_, i) => buildRules({ percent: i + 1 })[0]), ": must have at most 20 items"],
    [
      buildRules({ query: { q: Array.from({ length: 65 }, (_, i) => i + "é".repeat(128)) } }),
      ": must be at most 16 KiB as JSON",
    ],
  ])("%j", (rules, fault) => {
    expect(listRuleFaults(rules)).toEqual([`routing_rules${fault}`]);
  });

  test.each([
    ["2026-11-21T09:30:00Z", "2026-11-21T09:30:00Z"],
    ["2026-11-21T10:30:00+01:00", "2026-11-21T09:30:00Z"],
    ["2026-11-21T09:30:00.001Z", "2026-11-21T09:30:00Z"],
  ])("a time range from %s to %s", (after, before) => {
    expect(listRuleFaults(buildRules({ after, before }))).toEqual([
      "routing_rules[0].when.after: must be earlier than before",
    ]);
  });

  test.each([
    ["the same", { os: ["ios"] }, { os: ["ios"] }],
    ["another order of values", { os: ["ios", "android"] }, { os: ["android", "ios"] }],
    ["a value twice", { os: ["ios"] }, { os: ["ios", "ios"] }],
    ["another order of keys", { os: ["ios"], device: ["mobile"] }, { device: ["mobile"], os: ["ios"] }],
    ["another case", { country: ["ca"], language: ["FR-ca"] }, { country: ["CA"], language: ["fr-CA"] }],
    ["another offset", { after: "2026-11-21T09:30:00Z" }, { after: "2026-11-21T10:30:00+01:00" }],
    [
      "another order of parameters",
      { query: { a: true, b: ["1", "2"] } },
      { query: { b: ["2", "1"], a: true } },
    ],
  ])("conditions equal to an earlier rule's conditions: %s", (_, first, second) => {
    expect(
      listRuleFaults([...buildRules(first), ...buildRules({ percent: 5 }), ...buildRules(second)]),
    ).toEqual([
      "routing_rules[2].when: must differ from the conditions of rule 0, which would always match first",
    ]);
  });
});

test.each([
  [{ country: ["ca", "Us"] }, { country: ["CA", "US"] }],
  [{ region: ["us-ca", "gb-eng", "FR-75"] }, { region: ["US-CA", "GB-ENG", "FR-75"] }],
  [{ language: ["FR", "fr-ca", "ES-419", "fil"] }, { language: ["fr", "fr-CA", "es-419", "fil"] }],
  [{ after: "2026-11-21T10:30+01:00" }, { after: "2026-11-21T09:30:00.000Z" }],
  [{ query: { Ref: ["A"], utm: true } }, { query: { Ref: ["A"], utm: true } }],
  [{ country: ["CA", "ca", "US", "CA"] }, { country: ["CA", "US"] }],
  [{ language: ["fr-ca", "fr", "FR-CA"] }, { language: ["fr-CA", "fr"] }],
  [
    { os: ["ios", "ios"], device: ["tablet", "mobile", "tablet"] },
    { os: ["ios"], device: ["tablet", "mobile"] },
  ],
  [{ query: { a: ["2", "1", "2"], b: true } }, { query: { a: ["2", "1"], b: true } }],
  [{ percent: 1 }, { percent: 1 }],
  [{ percent: 99 }, { percent: 99 }],
])("routing_rules normalise the conditions %j to %j", (given, expected) => {
  expect(parseRules(buildRules(given)).data?.routing_rules).toEqual(buildRules(expected));
});

test("a split of 99 percent leaves visitors for a rule with the same conditions, a split of 100 percent none", () => {
  const list = (percent: number) =>
    listRuleFaults([
      { when: { os: ["ios"] }, split: [{ destination: DESTINATION, percent }] },
      ...buildRules({ os: ["ios"] }),
    ]);
  expect([list(99).length, list(100).length]).toEqual([0, 1]);
});

test("routing_rules are measured without repeated values", () => {
  const text = "x".repeat(256);
  expect(listRuleFaults(buildRules({ query: { q: Array(300).fill(text) } }))).toEqual([]);
});

test("routing_rules accept no rules, twenty rules and rules that differ in one value", () => {
  expect(listRuleFaults([])).toEqual([]);
  expect(listRuleFaults(Array.from({ length: 20 }, (_, i) => buildRules({ percent: i + 1 })[0]))).toEqual([]);
  expect(listRuleFaults([...buildRules({ os: ["ios"] }), ...buildRules({ os: ["ios", "android"] })])).toEqual(
    [],
  );
  expect(
    listRuleFaults([...buildRules({ query: { a: true } }), ...buildRules({ query: { a: ["true"] } })]),
  ).toEqual([]);
});

test("routing_rules accept splits without conditions, which get an empty `when`, and rules after them", () => {
  const [split] = buildSplit(50, 50) as [object];
  expect(parseRules([split]).data?.routing_rules).toEqual([{ ...split, when: {} }]);
  expect(listRuleFaults([{ ...split, when: {} }])).toEqual([]);
  expect(listRuleFaults([...buildSplit(50), ...buildSplit(50), split])).toEqual([]);
  expect(listRuleFaults([split, ...buildSplit(50)])).toEqual([
    "routing_rules[1].when: must differ from the conditions of rule 0, which would always match first",
  ]);
  expect(listRuleFaults([{ when: { os: ["ios"] }, block: true }])).toEqual([]);
});

test("routing_rules accept a name of 64 characters", () => {
  expect(listRuleFaults([{ ...buildRules({ os: ["ios"] })[0], name: "x".repeat(64) }])).toEqual([]);
});

test("conditions in another order of keys and values have the same canonical JSON, and other conditions do not", () => {
  const conditions: When = { query: { b: ["2", "1"], a: true }, os: ["ios", "android"], percent: 5 };
  const reordered: When = { percent: 5, os: ["android", "ios", "ios"], query: { a: true, b: ["1", "2"] } };
  const text = toCanonicalJson(conditions);
  expect(toCanonicalJson(reordered)).toBe(text);
  expect(toCanonicalJson({ ...reordered, percent: 6 })).not.toBe(text);
  expect(toCanonicalJson({ ...reordered, os: ["ios"] })).not.toBe(text);
});
