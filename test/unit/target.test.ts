import { expect, test } from "vitest";
import { parseSettings } from "../../src/env.ts";
import { buildTarget, pickDestination, type TargetColumns } from "../../src/redirect/target.ts";
import { RequestVisitor } from "../../src/routing/visitor.ts";

const NOW_MS = Date.parse("2026-11-21T09:30:00Z");
const SETTINGS = parseSettings({
  API_URL: "https://api.signpost.example",
  SHORT_DOMAIN: "go.example",
  BIO_URL: "https://bio.signpost.example",
  CDN_URL: "https://cdn.signpost.example",
  ALLOW_LOOPBACK: "",
});
const CANADIAN = new RequestVisitor(new Headers(), new URL("https://go.example/x"), { country: "CA" });

const LINK: TargetColumns = {
  id: "019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f",
  workspaceId: "w",
  shortCode: "AbC2345",
  isCustom: false,
  destination: "https://example.com/a b?q=ü",
  routingRules: [],
  enabled: true,
  expiresAt: null,
  updatedAt: NOW_MS,
};

function resolveDestination(
  change: Partial<TargetColumns> = {},
  code = LINK.shortCode,
  ownHosts: string[] = [],
) {
  return pickDestination(buildTarget({ ...LINK, ...change }, ownHosts, SETTINGS), code, CANADIAN, NOW_MS);
}

const UNKNOWN = { status: "unknown" };
const GONE = { status: "gone" };
const OWN_DESTINATION = { status: "found", address: "https://example.com/a%20b?q=%C3%BC", rule: null };

test("pickDestination returns the link's destination, percent-encoded", () => {
  expect(resolveDestination()).toEqual(OWN_DESTINATION);
});

test("pickDestination returns unknown for a code without a link", () => {
  expect(pickDestination(null, "abc2345", CANADIAN, NOW_MS)).toEqual(UNKNOWN);
});

test.each([
  ["a generated code in another case", { isCustom: false }, "abc2345", UNKNOWN],
  ["a custom slug in another case", { isCustom: true }, "abc2345", OWN_DESTINATION],
  ["a disabled link", { enabled: false }, LINK.shortCode, GONE],
  ["a disabled link in another case", { enabled: false }, "abc2345", UNKNOWN],
  ["an expired link", { expiresAt: NOW_MS - 1 }, LINK.shortCode, GONE],
  ["a link that expires now", { expiresAt: NOW_MS }, LINK.shortCode, GONE],
  ["a link that expires in 1 ms", { expiresAt: NOW_MS + 1 }, LINK.shortCode, OWN_DESTINATION],
  ["an expired and disabled link", { enabled: false, expiresAt: 0 }, LINK.shortCode, GONE],
])("pickDestination for %s", (_, change, code, expected) => {
  expect(resolveDestination(change, code)).toEqual(expected);
});

const CANADA = { when: { country: ["CA"] }, destination: "https://example.ca" };
const USA = { when: { country: ["US"] }, destination: "https://example.us" };

test.each([
  ["the matching rule, with its name", [USA, { ...CANADA, name: "Canada" }], "https://example.ca/", "Canada"],
  ["a matching rule without a name, with its number", [USA, CANADA], "https://example.ca/", "#2"],
  ["the link's own destination if no rule matches", [USA], OWN_DESTINATION.address, null],
])("pickDestination returns %s", (_, routingRules, address, rule) => {
  expect(resolveDestination({ routingRules })).toEqual({ status: "found", address, rule });
});

test("pickDestination returns gone for a disabled link with a matching rule", () => {
  expect(resolveDestination({ routingRules: [CANADA], enabled: false })).toEqual(GONE);
});

const OWN_HOSTS = ["links.acme.example"];

test.each([
  "https://go.example/abc2345",
  "https://acme.go.example/abc2345",
  "https://LINKS.acme.example./abc2345",
  "https://bio.signpost.example/ada/l/0",
  "https://BIO.signpost.example./ada/L/0?from=link",
])("pickDestination returns unknown for %s, which could redirect in a circle", (destination) => {
  expect(resolveDestination({ destination }, LINK.shortCode, OWN_HOSTS)).toEqual(UNKNOWN);
  const routingRules = [{ ...CANADA, destination }];
  expect(resolveDestination({ routingRules }, LINK.shortCode, OWN_HOSTS)).toEqual(UNKNOWN);
  expect(resolveDestination({ routingRules: [{ ...USA, destination }] }, LINK.shortCode, OWN_HOSTS)).toEqual(
    OWN_DESTINATION,
  );
});

test.each([
  "https://api.signpost.example/docs",
  "https://bio.signpost.example/ada",
  "https://cdn.signpost.example/a",
])("pickDestination returns %s, an address of this service that does not redirect", (destination) => {
  const found = { status: "found", address: destination };
  expect(resolveDestination({ destination }, LINK.shortCode, OWN_HOSTS)).toMatchObject(found);
  const routingRules = [{ ...CANADA, destination }];
  expect(resolveDestination({ routingRules }, LINK.shortCode, OWN_HOSTS)).toMatchObject(found);
});

test("pickDestination returns no destination on another port of a workspace's host", () => {
  const destination = "https://links.acme.example:9000/";
  expect(resolveDestination({ destination }, LINK.shortCode, ["links.acme.example"])).toMatchObject({
    status: "unknown",
  });
});
