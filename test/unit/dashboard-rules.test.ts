import { describe, expect, test } from "vitest";
import {
  buildRestore,
  describeChanges,
  describeOperation,
  isReordering,
  isRevertible,
} from "../../src/dashboard/screens/links/history/history-labels.ts";
import { EMPTY_DRAFT } from "../../src/dashboard/screens/links/link-draft.ts";
import {
  summarizeAccess,
  summarizeCampaign,
  summarizeMore,
  summarizePreview,
  summarizeSchedule,
} from "../../src/dashboard/screens/links/link-summary.ts";
import {
  type Condition,
  type FormRule,
  parseRule,
  type RuleBody,
  type RuleDraft,
  toFormRule,
  toJsonRule,
  toRuleBody,
  toRuleDrafts,
} from "../../src/dashboard/screens/links/rules/rule-draft.ts";
import {
  findFault,
  findRuleFaults,
  formatFaults,
  placeRuleFaults,
} from "../../src/dashboard/screens/links/rules/rule-faults.ts";
import {
  buildCondition,
  buildRule,
  CONDITION_NAMES,
  listFreeConditions,
  RULE_TEMPLATES,
  shareEvenly,
} from "../../src/dashboard/screens/links/rules/rule-templates.ts";
import { writeSentence } from "../../src/dashboard/screens/links/rules/rule-texts.ts";
import { listOptions, nameValue } from "../../src/dashboard/screens/links/rules/rule-values.ts";
import {
  describeOutcome,
  explainRule,
  findDecidingRule,
} from "../../src/dashboard/screens/links/tester/tester-texts.ts";
import {
  formatVisitor,
  readVisitor,
  toVisitorBody,
  UNKNOWN_VISITOR,
} from "../../src/dashboard/screens/links/tester/tester-visitor.ts";
import { routingRules } from "../../src/links/rules.schema.ts";
import { COUNTRY_CODES } from "../../src/routing/countries.ts";

const TO = { destination: "https://www.a.example/ios" };
const EVERY_CONDITION = {
  country: ["DE", "AT"],
  continent: ["EU"],
  region: ["US-CA"],
  language: ["fr"],
  device: ["mobile"],
  os: ["ios"],
  browser: ["safari"],
  after: "2027-01-01T00:00:00.000Z",
  before: "2027-02-01T00:00:00.000Z",
  percent: 10,
  query: { utm_source: ["mail", "flyer"], ref: true },
};

const form = (changes: Partial<FormRule>): FormRule => ({
  kind: "form",
  key: "k",
  name: "",
  conditions: [],
  action: { kind: "send", destination: "https://a.example/" },
  ...changes,
});

describe("forms of rules", () => {
  const WHOLE: RuleBody[] = [
    { when: EVERY_CONDITION, ...TO },
    { name: "N", when: { os: ["ios"] }, block: true },
    {
      when: {},
      split: [
        { name: "A", destination: "https://a.example/", percent: 30 },
        { destination: "https://b.example/", percent: 70 },
      ],
    },
  ];
  test.each(WHOLE)("%o is restored completely, and the service accepts it", (body) => {
    const [rule] = toRuleDrafts([body]);
    expect(rule?.kind).toBe("form");
    expect(toRuleBody(rule as RuleDraft)).toEqual(body);
    expect(routingRules.safeParse([body]).success).toBe(true);
  });

  // Members that a later version of the service may have, or that are no rule.
  test.each([
    { when: { weekday: ["mon"] }, ...TO },
    { when: { any: [{ os: ["ios"] }] }, ...TO },
    { when: { country: { not: ["DE"] } }, ...TO },
    { when: { country: [1] }, ...TO },
    { when: { os: ["ios"] }, ...TO, weight: 3 },
    { when: { os: ["ios"] } },
    { when: { os: ["ios"] }, block: true, ...TO },
    { when: { query: { a: "b" } }, ...TO },
    { when: { query: { a: [] } }, ...TO },
    { when: { query: ["a"] }, ...TO },
    { when: { after: 5 }, ...TO },
    { when: { percent: "5" }, ...TO },
    { when: [], ...TO },
    { name: 5, when: {}, ...TO },
    { when: {}, split: "half" },
    { when: {}, split: ["half"] },
    { when: {}, split: [{ destination: "https://a.example/", percent: "5" }] },
    { when: {}, split: [{ destination: "https://a.example/", percent: 5, sticky: true }] },
  ])("%o stays text without losing anything", (body) => {
    const [rule] = toRuleDrafts([body as RuleBody]);
    expect(rule?.kind).toBe("json");
    expect(toRuleBody(rule as RuleDraft)).toEqual(body);
    expect(rule?.kind === "json" && toFormRule(rule)).toBeNull();
  });

  test("text and form convert into each other", () => {
    const text = toJsonRule({ when: { os: ["ios"] }, ...TO }, "k");
    expect(toFormRule(text)).toEqual(
      form({ conditions: [{ field: "os", values: ["ios"] }], action: { kind: "send", ...TO } }),
    );
    expect(toFormRule({ ...text, text: "{" })).toBeNull();
  });

  test.each([
    ["{", /^Invalid JSON: /],
    ["[]", /^A rule must be a JSON object/],
    ["null", /^A rule must be a JSON object/],
  ])("%s is no rule", (text, fault) => {
    expect(parseRule(text)).toEqual({ fault: expect.stringMatching(fault) });
    expect(toRuleBody({ kind: "json", key: "k", text })).toEqual({});
  });

  test.each<[Partial<FormRule>, unknown]>([
    [{ name: " N " }, { name: "N", when: {}, destination: "https://a.example/" }],
    [
      { action: { kind: "send", destination: " b.example " } },
      { when: {}, destination: "https://b.example" },
    ],
    [
      { conditions: [{ field: "after", at: "" }], action: { kind: "block" } },
      { when: {}, block: true },
    ],
    [
      { conditions: [{ field: "percent", percent: "ten" }], action: { kind: "block" } },
      { when: { percent: "ten" }, block: true },
    ],
    [
      { conditions: [{ field: "percent", percent: "" }], action: { kind: "block" } },
      { when: { percent: "" }, block: true },
    ],
    [
      { action: { kind: "split", shares: [{ name: " ", destination: "b.example", percent: "50" }] } },
      { when: {}, split: [{ destination: "https://b.example", percent: 50 }] },
    ],
  ])("%o is sent as %o", (changes, body) => {
    expect(toRuleBody(form(changes))).toEqual(body);
  });
});

describe("errors of rules", () => {
  const rules: RuleDraft[] = [form({ key: "a" }), { kind: "json", key: "b", text: "{" }];

  test("are shown at their rule and its field", () => {
    const fields = {
      "routing_rules[0].when.country[3]": "A",
      "routing_rules[0].when.country[4]": "B",
      "routing_rules[0].split[1].percent": "C",
      "routing_rules[1]": "D",
      "routing_rules[1].when.query.a.b[0]": "E",
      "routing_rules[7].when": "F",
      routing_rules: "G",
      url: "H",
    };
    expect(placeRuleFaults(fields, rules)).toEqual({
      a: { "when.country": "A", "split[1].percent": "C" },
      b: { "": "D", "when.query.a.b[0]": "E" },
    });
  });

  test("are found before anything is sent", () => {
    const twice: Condition[] = ["x", "y", "x"].map((name) => ({ field: "query", name, values: [] }));
    expect(findRuleFaults([...rules, form({ key: "c", conditions: twice })])).toEqual({
      "routing_rules[1]": expect.stringMatching(/^Invalid JSON/),
      "routing_rules[2].when.query.x": expect.stringMatching(/listed twice/),
    });
  });

  test.each([
    [["when.query.a"], "A"],
    [["when.query"], "A"],
    [["when.que"], undefined],
    [["split"], "B"],
    [["name", "split[0]"], "B"],
    [["split[00]"], undefined],
  ])("of %o are %o", (paths, text) => {
    expect(findFault({ "when.query.a": "A", "split[0].percent": "B" }, ...paths)).toBe(text);
  });

  test("are one text at a text field", () => {
    expect(formatFaults({})).toBeUndefined();
    expect(formatFaults({ "": "A.", "when.os": "B." })).toBe("A. when.os: B.");
  });
});

describe("sentences", () => {
  test.each<[RuleBody, string]>([
    [{ when: { os: ["ios"] }, ...TO }, "If the visitor uses iOS → a.example/ios"],
    [{ when: { os: ["ios"], device: ["mobile"] }, ...TO }, "If the visitor uses an iPhone → a.example/ios"],
    [
      { when: { device: ["tablet"], os: ["ios"], country: ["DE"] }, ...TO },
      "If the visitor uses an iPad and is in Germany → a.example/ios",
    ],
    [
      { when: { os: ["android"], country: ["DE", "AT"] }, block: true },
      "If the visitor uses Android and is in Germany or Austria → blocked",
    ],
    [
      { when: { device: ["mobile", "tablet"] }, ...TO },
      "If the visitor is on a phone or tablet → a.example/ios",
    ],
    [
      { when: { language: ["fr", "pt-BR"] }, ...TO },
      "If the visitor prefers French or Brazilian Portuguese → a.example/ios",
    ],
    [
      { when: { region: ["US-CA"], continent: ["EU"] }, ...TO },
      "If the visitor is in the region US-CA and is in Europe → a.example/ios",
    ],
    [
      { when: { query: { ref: true, a: ["1", "2"] } }, ...TO },
      "If the visitor visits with ?ref and visits with ?a=1 or ?a=2 → a.example/ios",
    ],
    [{ when: { percent: 10 }, ...TO }, "If the visitor is in a random 10% → a.example/ios"],
    [
      { when: { after: "2027-01-01T00:00:00Z" }, ...TO },
      "If the visitor visits from 1 Jan 2027, 00:00 → a.example/ios",
    ],
    [
      { when: { before: "2027-01-01T00:00:00Z" }, ...TO },
      "If the visitor visits before 1 Jan 2027, 00:00 → a.example/ios",
    ],
    [
      { when: { country: ["DE", "AT", "CH", "FR"] }, ...TO },
      "If the visitor is in Germany, Austria, Switzerland or France → a.example/ios",
    ],
    [
      { when: { country: ["DE", "AT", "CH", "FR", "IT"] }, ...TO },
      "If the visitor is in Germany, Austria, Switzerland or 2 more → a.example/ios",
    ],
    [{ when: { country: [] }, destination: "" }, "If the visitor is in … → …"],
    [
      {
        split: [
          { name: "A", ...TO, percent: 30 },
          { ...TO, percent: 20 },
        ],
      },
      "All visitors → 30% A, 20% a.example/ios",
    ],
    [
      { when: { weekday: ["mon"] }, ...TO },
      'Rule (JSON) → { "when": { "weekday": [ "mon" ] }, "destination": "https://',
    ],
  ])("%o reads %s", (body, sentence) => {
    expect(writeSentence(body, "UTC")).toBe(sentence);
  });
});

describe("values of conditions", () => {
  test("have names, and countries and languages have codes", () => {
    expect(nameValue("country", "DE")).toBe("Germany");
    expect(nameValue("country", "D")).toBe("D");
    expect(nameValue("language", "zh-TW")).toMatch(/Chinese/);
    expect(nameValue("region", "US-CA")).toBe("US-CA");
    expect(listOptions("region", [])).toEqual([]);
    expect(listOptions("device", [])[0]).toEqual({ value: "mobile", label: "Phone" });
    const countries = listOptions("country", COUNTRY_CODES);
    expect(countries).toHaveLength(COUNTRY_CODES.size);
    expect(countries[0]).toEqual({ value: "AF", label: "Afghanistan", code: "AF" });
    expect(countries.filter(({ value, label }) => value === label)).toEqual([]);
  });

  test("the service accepts every offered language", () => {
    const language = listOptions("language", []).map(({ value }) => value);
    expect(routingRules.safeParse([{ when: { language }, ...TO }]).error).toBeUndefined();
  });
});

describe("templates", () => {
  test("start with the known values", () => {
    const [iphones] = RULE_TEMPLATES;
    const rule = buildRule(iphones as (typeof RULE_TEMPLATES)[number], "k", "https://a.example/");
    expect(toRuleBody(rule)).toEqual({ when: { os: ["ios"], device: ["mobile"] }, destination: "" });
    const split = RULE_TEMPLATES.find(({ isSplit }) => isSplit) as (typeof RULE_TEMPLATES)[number];
    expect(toRuleBody(buildRule(split, "k", "https://a.example/"))).toEqual({
      when: {},
      split: [
        { name: "A", destination: "https://a.example/", percent: 50 },
        { name: "B", destination: "", percent: 50 },
      ],
    });
  });

  test("every condition can be added once, and parameters repeatedly", () => {
    const all = CONDITION_NAMES.map(({ field }) => buildCondition(field));
    expect(all.map(({ field }) => field)).toEqual(CONDITION_NAMES.map(({ field }) => field));
    expect(listFreeConditions(all).map(({ field }) => field)).toEqual(["query"]);
    expect(listFreeConditions([])).toEqual(CONDITION_NAMES);
  });

  test.each([
    [2, ["50", "50"]],
    [3, ["34", "33", "33"]],
    [1, ["100"]],
  ])("%i shares are %o", (count, percents) => {
    expect(shareEvenly(count)).toEqual(percents);
  });
});

describe("summaries of sections", () => {
  const draft = {
    ...EMPTY_DRAFT,
    destination: "https://a.example/?utm_medium=print&utm_source=flyer",
    startsAt: "2027-01-01T10:00:00.000Z",
    expiresAt: "2027-02-01T10:00:00.000Z",
    maxScans: " 1 ",
    expiredUrl: "b.example",
    forwardQuery: true,
    confirm: true,
    previewTitle: " ",
    previewDescription: "D",
    previewImage: "x",
    note: "First\nSecond",
    enabled: false,
    archived: true,
  };

  test("show the fields that are set", () => {
    expect(summarizeCampaign(draft)).toBe("flyer · print");
    expect(summarizeSchedule(draft, "Europe/Berlin")).toBe(
      "from 1 Jan 2027, 11:00 · until 1 Feb 2027, 11:00 · 1 scan · then redirects",
    );
    expect(summarizeAccess(draft, false)).toBe("asks before opening · forwards parameters");
    expect(summarizePreview(draft)).toBe("D · image");
    expect(summarizeMore(draft)).toBe("disabled · archived · First");
  });

  test("are empty for a new link", () => {
    const all = [
      summarizeCampaign(EMPTY_DRAFT),
      summarizeSchedule(EMPTY_DRAFT, "UTC"),
      summarizeAccess(EMPTY_DRAFT, false),
      summarizePreview(EMPTY_DRAFT),
      summarizeMore(EMPTY_DRAFT),
    ];
    expect(all).toEqual(["", "", "", "", ""]);
  });

  test.each([
    [null, true, "password"],
    ["", true, ""],
    ["abcd", false, "password"],
    [null, false, ""],
  ])("a password of %o, with one before: %o, is %o", (password, hasPassword, summary) => {
    expect(summarizeAccess({ ...EMPTY_DRAFT, password }, hasPassword)).toBe(summary);
  });
});

describe("visitors of the tester", () => {
  const visitor = {
    ...UNKNOWN_VISITOR,
    country: "DE",
    os: "ios",
    languages: ["de", "en"],
    query: "a=1&a=2&=3&b",
    userAgent: " curl/8 ",
  };

  test("are stored in the URL", () => {
    expect(readVisitor(formatVisitor(visitor))).toEqual(visitor);
    expect(formatVisitor(UNKNOWN_VISITOR)).toBe("");
    expect(readVisitor("")).toEqual(UNKNOWN_VISITOR);
  });

  test("are described without unknown facts", () => {
    expect(toVisitorBody(UNKNOWN_VISITOR)).toEqual({});
    expect(toVisitorBody(visitor)).toEqual({
      country: "DE",
      os: "ios",
      languages: ["de", "en"],
      query: { a: ["1", "2"], b: [""] },
      user_agent: "curl/8",
    });
  });
});

describe("outcomes of the tester", () => {
  const explained = (failed: string | null, seen: string | null = null) => ({
    name: "#1",
    matched: failed === null,
    failed,
    seen,
  });
  const resolved = { status: 302, outcome: "found", destination: null, rule: null, rules: [] };

  test("name the rule that decides", () => {
    expect(describeOutcome(resolved).text).toMatch(/^No rule matches/);
    expect(describeOutcome({ ...resolved, rule: "iOS" }).text).toBe("Matched rule “iOS”.");
    expect(describeOutcome({ ...resolved, outcome: "blocked" })).toMatchObject({ tone: "danger" });
    expect(describeOutcome({ ...resolved, outcome: "new" }).title).toBe("new");
    const rules = [explained("os"), explained(null), explained(null)];
    expect(findDecidingRule({ ...resolved, rules })).toBe(1);
    expect(findDecidingRule({ ...resolved, outcome: "gone", rules })).toBe(-1);
  });

  test.each([
    [null, null, false, "Matches."],
    [null, null, true, "Also matches, but an earlier rule applies."],
    ["country", "FR", false, "The visitor's country is France."],
    ["country", null, false, "The visitor's country is unknown."],
    ["language", "de, en-gb", false, "The visitor's language is German, British English."],
    ["os", "windows", true, "The visitor's operating system is Windows."],
    ["query", null, false, "The parameter is missing."],
    ["query", "a=2", false, "The parameters are a=2."],
    ["after", "2027-01-01T00:00:00.000Z", false, "Not active yet at 1 Jan 2027, 00:00."],
    ["before", "2027-01-01T00:00:00.000Z", false, "No longer active at 1 Jan 2027, 00:00."],
    ["percent", "73", false, "This visitor's number is 73 (0 to 99). Numbers below 10 match."],
    ["split", "93", false, "This visitor's number is 93 (0 to 99), outside all variants."],
  ])("a rule that fails by %o with %o (decided: %o): %s", (failed, seen, hasDecided, text) => {
    expect(explainRule(explained(failed, seen), { when: { percent: 10 } }, hasDecided, "UTC")).toBe(text);
  });
});

describe("history", () => {
  test.each([
    ["title", [null, "T"], [], ["T"]],
    ["enabled", [true, false], ["yes"], ["no"]],
    [
      "labels",
      [
        ["a", "b"],
        ["b", "c"],
      ],
      ["a"],
      ["c"],
    ],
    ["expires_at", ["2027-01-01T00:00:00.000Z", null], ["1 Jan 2027, 00:00"], []],
    [
      "preview",
      [null, { title: "T", description: null, image_url: "https://a.example/" }],
      [],
      ["T", "https://a.example/"],
    ],
    [
      "routing_rules",
      [[], [{ when: { os: ["ios"] }, block: true }]],
      [],
      ["If the visitor uses iOS → blocked"],
    ],
    [
      "labels",
      [
        ["a", "b"],
        ["b", "a"],
      ],
      [],
      [],
    ],
    ["max_scans", [3, 4], ["3"], ["4"]],
    ["note", ["Short", { omitted_bytes: 2_049 }], ["Short"], ["long value (2 KiB)"]],
  ])("%s from %o", (field, values, removed, added) => {
    const [change] = describeChanges({ [field]: values }, "UTC");
    expect(change).toMatchObject({ field, removed, added });
    expect(change && isReordering(change)).toBe(removed.length + added.length === 0);
  });

  test("a creation shows the fields that were set", () => {
    const changes = {
      short_code: [null, "a"],
      labels: [null, []],
      archived: [null, false],
      imported_scans: [null, 0],
      enabled: [null, true],
    };
    expect(describeChanges(changes).map(({ field }) => field)).toEqual(["short_code", "enabled"]);
  });

  test("a field without a label is shown by its name", () => {
    expect(describeChanges({ other: [1, 2] })[0]?.label).toBe("other");
    expect(describeOperation("other")).toBe("other");
    expect(describeOperation("updateLink")).toBe("changed this link");
  });

  test.each([
    [{ short_code: [null, "a"], title: [null, "T"] }, false],
    [{ title: ["A", "B"] }, true],
    [{ password: ["…", "…"] }, false],
    [{ password: ["…", null], has_password: [true, false] }, false],
    [{ password: [null, "…"], has_password: [false, true] }, true],
  ])("%o can be reverted: %o", (changes, expected) => {
    expect(isRevertible(changes)).toBe(expected);
  });

  test("undoing a revert restores the link's current values", () => {
    const link = { title: "Now", note: null, labels: ["x"] };
    const changes = { title: ["A", "B"], note: ["n", null], password: ["…", null], other: [1, 2] };
    expect(buildRestore(link, changes)).toEqual({ title: "Now", note: null });
  });
});
