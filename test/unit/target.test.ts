import { expect, test } from "vitest";
import { parseSettings } from "../../src/env.ts";
import { type Access, decideOutcome, PERSON } from "../../src/resolving/outcome.ts";
import { buildTarget, type TargetColumns } from "../../src/resolving/target.ts";
import { RequestVisitor } from "../../src/routing/visitor.ts";

const NOW_MS = Date.parse("2026-11-21T09:30:00Z");
const SETTINGS = parseSettings({
  API_URL: "https://api.signpost.example",
  SHORT_DOMAIN: "go.example",
  BIO_URL: "https://bio.signpost.example",
  APP_URL: "https://app.signpost.example",
  CDN_URL: "https://cdn.signpost.example",
  ALLOW_LOOPBACK: "",
});
const CANADIAN = new RequestVisitor(new Headers(), new URL("https://go.example/x"), { country: "CA" });

const LINK: TargetColumns = {
  id: "019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f",
  workspaceId: "w",
  shortCode: "AbC2345",
  destination: "https://example.com/a b?q=ü",
  routingRules: [],
  enabled: true,
  expiresAt: null,
  bannedAt: null,
  startsAt: null,
  earlyUrl: null,
  expiredUrl: null,
  forwardQuery: false,
  maxScans: null,
  scanCount: 0,
  passwordHash: null,
  preview: null,
  confirm: false,
  updatedAt: NOW_MS,
};

function decide(change: Partial<TargetColumns> = {}, ownHosts: string[] = [], blocked: string[] = []) {
  const target = buildTarget({ ...LINK, ...change }, ownHosts, new Set(blocked), SETTINGS);
  return decideOutcome(target, CANADIAN, NOW_MS);
}

const UNKNOWN = { status: "unknown" };
const GONE = { status: "gone" };
const OWN_DESTINATION = find("https://example.com/a%20b?q=%C3%BC", null);

/** Returns the outcome of a redirect that counts as a scan. */
function find(address: string, rule: string | null, location = address) {
  return { status: "found", address, location, rule };
}

test("decideOutcome returns the link's destination, percent-encoded", () => {
  expect(decide()).toEqual(OWN_DESTINATION);
});

test("decideOutcome returns unknown for a code without a link", () => {
  expect(decideOutcome(null, CANADIAN, NOW_MS)).toEqual(UNKNOWN);
});

test.each([
  ["a disabled link", { enabled: false }, GONE],
  ["an expired link", { expiresAt: NOW_MS - 1 }, GONE],
  ["a link that expires now", { expiresAt: NOW_MS }, GONE],
  ["a link that expires in 1 ms", { expiresAt: NOW_MS + 1 }, OWN_DESTINATION],
  ["an expired and disabled link", { enabled: false, expiresAt: 0 }, GONE],
])("decideOutcome for %s", (_, change, expected) => {
  expect(decide(change)).toEqual(expected);
});

const BANNED = { status: "banned" };

test.each<[string, Partial<TargetColumns>, string[], object]>([
  ["a banned link", { bannedAt: 0 }, [], BANNED],
  ["a banned and disabled link", { bannedAt: 1, enabled: false }, [], BANNED],
  ["a blocked destination", {}, ["example.com"], BANNED],
  [
    "a destination whose parent is blocked",
    { destination: "https://a.b.example.com" },
    ["b.example.com"],
    BANNED,
  ],
  ["a blocked destination of a disabled link", { enabled: false }, ["example.com"], GONE],
  ["another blocked host", {}, ["www.example.com", "ample.com", "com"], OWN_DESTINATION],
  ["a blocked early URL", { startsAt: NOW_MS + 1, earlyUrl: "https://a.test" }, ["a.test"], BANNED],
  [
    "a blocked early URL of a link that has started",
    { startsAt: NOW_MS, earlyUrl: "https://a.test" },
    ["a.test"],
    OWN_DESTINATION,
  ],
  ["a blocked URL after expiry", { enabled: false, expiredUrl: "https://a.test" }, ["a.test"], BANNED],
])("decideOutcome for %s", (_, change, blocked, expected) => {
  expect(decide(change, [], blocked)).toEqual(expected);
});

const OWN_HOSTS = ["links.acme.example"];

const CANADA = { when: { country: ["CA"] }, destination: "https://example.ca" };
const USA = { when: { country: ["US"] }, destination: "https://example.us" };

test.each([
  ["the matching rule, with its name", [USA, { ...CANADA, name: "Canada" }], "https://example.ca/", "Canada"],
  ["a matching rule without a name, with its number", [USA, CANADA], "https://example.ca/", "#2"],
  ["the link's own destination if no rule matches", [USA], OWN_DESTINATION.address, null],
])("decideOutcome returns %s", (_, routingRules, address, rule) => {
  expect(decide({ routingRules })).toEqual(find(address, rule));
});

test("decideOutcome returns gone for a disabled link with a matching rule", () => {
  expect(decide({ routingRules: [CANADA], enabled: false })).toEqual(GONE);
});

const START = NOW_MS + 1;
const EARLY = { startsAt: START, earlyUrl: "https://example.com/soon" };
const EXPIRED = { expiredUrl: "https://example.com/over" };
const SOON = { status: "early", location: "https://example.com/soon" };
const OVER = { status: "expired", location: "https://example.com/over" };

test.each([
  ["a link that starts in 1 ms", { startsAt: START }, UNKNOWN],
  ["a link that starts now", { startsAt: NOW_MS }, OWN_DESTINATION],
  ["a link that starts in 1 ms, with an early address", EARLY, SOON],
  ["a link that has started, with an early address", { ...EARLY, startsAt: NOW_MS }, OWN_DESTINATION],
  ["a link with an early address and no start", { ...EARLY, startsAt: null }, OWN_DESTINATION],
  ["a disabled link before its start", { ...EARLY, enabled: false }, GONE],
  ["a link that expired before its start", { ...EARLY, ...EXPIRED, expiresAt: 0 }, SOON],
  ["an expired link with an address for that", { ...EXPIRED, expiresAt: NOW_MS }, OVER],
  ["a disabled link with an address for that", { ...EXPIRED, enabled: false }, OVER],
  ["a link with such an address that is neither", { ...EXPIRED, expiresAt: START }, OWN_DESTINATION],
])("decideOutcome for %s", (_, change, expected) => {
  expect(decide(change)).toEqual(expected);
});

test.each(["https://go.example/abc2345", "https://links.acme.example/"])(
  "an early or expired URL that is %s, which could redirect in a circle, is ignored",
  (url) => {
    expect(decide({ startsAt: START, earlyUrl: url }, OWN_HOSTS)).toEqual(UNKNOWN);
    expect(decide({ enabled: false, expiredUrl: url }, OWN_HOSTS)).toEqual(GONE);
  },
);

test("a link without rare fields has none of them in its target", () => {
  expect(buildTarget(LINK, [], new Set(), SETTINGS).options).toBeNull();
  expect(buildTarget({ ...LINK, earlyUrl: EARLY.earlyUrl }, [], new Set(), SETTINGS).options).toBeNull();
});

test("decideOutcome blocks visitors whom a rule blocks, and returns the rule", () => {
  const block = { when: { country: ["CA"] }, block: true as const };
  expect(decide({ routingRules: [block] })).toEqual({ status: "blocked", rule: "#1" });
  const named = { ...block, name: "Canada" };
  expect(decide({ routingRules: [USA, named, CANADA] })).toEqual({ status: "blocked", rule: "Canada" });
  expect(decide({ routingRules: [CANADA, block] })).toMatchObject({ status: "found", rule: "#1" });
  expect(decide({ routingRules: [{ ...block, when: { country: ["US"] } }] })).toEqual(OWN_DESTINATION);
});

test("decideOutcome names the share of a split by its name, otherwise by the rule and its number", () => {
  const [a, b] = ["https://example.com/a", "https://example.com/b"] as const;
  const split = (first: number, name?: string) => [
    { destination: a, percent: first },
    { destination: b, percent: 100 - first, name },
  ];
  expect(decide({ routingRules: [{ when: {}, split: split(100).slice(0, 1) }] })).toEqual(find(a, "#1/1"));
  expect(decide({ routingRules: [USA, { when: {}, name: "Test", split: split(0) }] })).toEqual(
    find(b, "Test/2"),
  );
  expect(decide({ routingRules: [{ when: {}, split: split(0, "B") }] })).toEqual(find(b, "B"));
  const onlyUsa = { when: { country: ["US"] }, split: split(50) };
  expect(decide({ routingRules: [onlyUsa] })).toEqual(OWN_DESTINATION);
});

test("decideOutcome adds the visitor's query to the destinations of a forwarding link and its rules", () => {
  const visitor = new RequestVisitor(new Headers(), new URL("https://go.example/x?q=1&pw=secret"), {
    country: "CA",
  });
  const decideFor = (change: Partial<TargetColumns>) =>
    decideOutcome(buildTarget({ ...LINK, ...change }, [], new Set(), SETTINGS), visitor, NOW_MS);
  expect(decideFor({})).toEqual(OWN_DESTINATION);
  const [address] = [OWN_DESTINATION.address];
  expect(decideFor({ forwardQuery: true })).toEqual(find(address, null, "https://example.com/a%20b?q=1"));
  expect(decideFor({ forwardQuery: true, routingRules: [CANADA] })).toEqual(
    find("https://example.ca/", "#1", "https://example.ca/?q=1"),
  );
  expect(decideFor({ forwardQuery: true, enabled: false, ...EXPIRED })).toEqual(OVER);
});

test.each([
  "https://go.example/abc2345",
  "https://acme.go.example/abc2345",
  "https://LINKS.acme.example./abc2345",
  "https://bio.signpost.example/ada/l/0",
  "https://BIO.signpost.example./ada/L/0?from=link",
])("decideOutcome returns unknown for %s, which could redirect in a circle", (destination) => {
  expect(decide({ destination }, OWN_HOSTS)).toEqual(UNKNOWN);
  const routingRules = [{ ...CANADA, destination }];
  expect(decide({ routingRules }, OWN_HOSTS)).toEqual(UNKNOWN);
  expect(decide({ routingRules: [{ ...USA, destination }] }, OWN_HOSTS)).toEqual(OWN_DESTINATION);
});

test.each([
  "https://api.signpost.example/docs",
  "https://bio.signpost.example/ada",
  "https://cdn.signpost.example/a",
])("decideOutcome returns %s, a URL of this service that does not redirect", (destination) => {
  const found = { status: "found", address: destination };
  expect(decide({ destination }, OWN_HOSTS)).toMatchObject(found);
  const routingRules = [{ ...CANADA, destination }];
  expect(decide({ routingRules }, OWN_HOSTS)).toMatchObject(found);
});

test("decideOutcome returns no destination on another port of a workspace's host", () => {
  const destination = "https://links.acme.example:9000/";
  expect(decide({ destination }, ["links.acme.example"])).toMatchObject({
    status: "unknown",
  });
});

const PREVIEW = { title: "Sale", description: null, image_url: null };
const GUARDED = { maxScans: 5, scanCount: 3, passwordHash: "pbkdf2-sha256$1$salt$hash", preview: PREVIEW };
const ENDED = { status: "expired", location: "https://example.com/over" };

/** Decides for a link with a limit, a password or a preview. */
function decideGuarded(change: Partial<TargetColumns>, access: Partial<Access>) {
  const target = buildTarget({ ...LINK, ...change }, [], new Set(), SETTINGS);
  return decideOutcome(target, CANADIAN, NOW_MS, { ...PERSON, ...access });
}

test("the cached target contains the version of a password, and neither the password nor its hash", () => {
  const target = buildTarget({ ...LINK, ...GUARDED }, [], new Set(), SETTINGS);
  expect(target.guards).toEqual({
    maxScans: 5,
    scansCounted: 3,
    passwordVersion: "salt",
    preview: PREVIEW,
    confirm: false,
  });
  expect(JSON.stringify(target)).not.toContain("hash");
  expect(buildTarget({ ...LINK, scanCount: 3 }, [], new Set(), SETTINGS).guards).toBeNull();
});

test.each<[string, Partial<TargetColumns>, Partial<Access>, object]>([
  ["a fetcher gets the preview", GUARDED, { traffic: "preview" }, { status: "preview", preview: PREVIEW }],
  ["a person does not get the preview", { preview: PREVIEW }, {}, OWN_DESTINATION],
  ["a crawler does not get the preview", { preview: PREVIEW }, { traffic: "bot" }, OWN_DESTINATION],
  ["a fetcher without a preview is redirected", { maxScans: null }, { traffic: "preview" }, OWN_DESTINATION],
  [
    "a fetcher gets no preview of a disabled link",
    { ...GUARDED, enabled: false },
    { traffic: "preview" },
    GONE,
  ],
  [
    "a fetcher gets no preview of an expired link",
    { ...GUARDED, expiresAt: 0 },
    { traffic: "preview" },
    GONE,
  ],
  ["a person is asked for the password", GUARDED, {}, { status: "password" }],
  [
    "a fetcher is asked for the password",
    { ...GUARDED, preview: null },
    { traffic: "preview" },
    { status: "password" },
  ],
  ["a crawler is asked for the password", GUARDED, { traffic: "bot" }, { status: "password" }],
  ["HEAD is asked for the password", GUARDED, { isProbe: true }, { status: "password" }],
  ["nobody is asked for the password of a disabled link", { ...GUARDED, enabled: false }, {}, GONE],
  ["nobody is asked for the password of an expired link", { ...GUARDED, expiresAt: NOW_MS }, {}, GONE],
  ["nobody is asked before the start", { ...GUARDED, startsAt: NOW_MS + 1 }, {}, UNKNOWN],
  ["the password leads to the destination", GUARDED, { hasPassword: true }, OWN_DESTINATION],
  ["the password counts before the limit", GUARDED, { isUsedUp: true }, { status: "password" }],
  ["a link without scans left is gone", GUARDED, { hasPassword: true, isUsedUp: true }, GONE],
  ["it leads to expired_url", { maxScans: 5, expiredUrl: ENDED.location }, { isUsedUp: true }, ENDED],
  ["a link without a limit is never used up", { preview: PREVIEW }, { isUsedUp: true }, OWN_DESTINATION],
  ["a crawler is held", { maxScans: 5 }, { traffic: "bot" }, { status: "held" }],
  ["a fetcher is held", { maxScans: 5 }, { traffic: "preview" }, { status: "held" }],
  ["a prefetch is held", { maxScans: 5 }, { traffic: "prefetch" }, { status: "held" }],
  ["HEAD is held", { maxScans: 5 }, { isProbe: true }, { status: "held" }],
  ["a browser passes a limit", { maxScans: 5 }, {}, OWN_DESTINATION],
  ["a scanner is asked to confirm", { maxScans: 5 }, { traffic: "scanner" }, { status: "confirm" }],
  ["a program is asked to confirm", { maxScans: 5 }, { isBrowser: false }, { status: "confirm" }],
  [
    "a scanner that confirms passes",
    { maxScans: 5 },
    { traffic: "scanner", hasConfirmed: true },
    OWN_DESTINATION,
  ],
  [
    "a confirmation counts before the limit",
    { maxScans: 5 },
    { isBrowser: false, isUsedUp: true },
    { status: "confirm" },
  ],
  [
    "no scan is left after it",
    { maxScans: 5 },
    { isBrowser: false, hasConfirmed: true, isUsedUp: true },
    GONE,
  ],
  [
    "a crawler that confirms is held",
    { maxScans: 5 },
    { traffic: "bot", hasConfirmed: true },
    { status: "held" },
  ],
  ["everyone is asked", { confirm: true }, {}, { status: "confirm" }],
  ["crawlers too", { confirm: true }, { traffic: "bot" }, { status: "confirm" }],
  ["HEAD too", { confirm: true }, { isProbe: true }, { status: "confirm" }],
  ["browsers of a limited link too", { confirm: true, maxScans: 5 }, {}, { status: "confirm" }],
  ["fetchers are not asked", { confirm: true }, { traffic: "preview" }, OWN_DESTINATION],
  ["the password is asked for first", { ...GUARDED, confirm: true }, {}, { status: "password" }],
  ["a disabled link shows no button", { confirm: true, enabled: false }, {}, GONE],
  ["a scanner passes a link without guards", { preview: PREVIEW }, { traffic: "scanner" }, OWN_DESTINATION],
  [
    "a rule that blocks counts after the password",
    { ...GUARDED, routingRules: [{ when: { country: ["CA"] }, block: true }] },
    {},
    { status: "password" },
  ],
  [
    "a rule that blocks counts before the limit",
    { ...GUARDED, routingRules: [{ when: { country: ["CA"] }, block: true }] },
    { hasPassword: true, traffic: "bot", isUsedUp: true },
    { status: "blocked", rule: "#1" },
  ],
])("decideOutcome: %s", (_, change, access, expected) => {
  expect(decideGuarded(change, access)).toEqual(expected);
});
