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

function destinationOf(change: Partial<TargetColumns> = {}, code = LINK.shortCode, ownHosts: string[] = []) {
  return pickDestination(buildTarget({ ...LINK, ...change }, ownHosts, SETTINGS), code, CANADIAN, NOW_MS);
}

const UNKNOWN = { status: "unknown" };
const GONE = { status: "gone" };
const OWN_DESTINATION = { status: "found", address: "https://example.com/a%20b?q=%C3%BC", rule: null };

test("a link leads to its destination, encoded", () => {
  expect(destinationOf()).toEqual(OWN_DESTINATION);
});

test("no link is unknown", () => {
  expect(pickDestination(null, "abc2345", CANADIAN, NOW_MS)).toEqual(UNKNOWN);
});

test.each([
  ["a generated code in another case", { isCustom: false }, "abc2345", UNKNOWN],
  ["a custom slug in another case", { isCustom: true }, "abc2345", OWN_DESTINATION],
  ["a disabled link", { enabled: false }, LINK.shortCode, GONE],
  ["a disabled link in another case", { enabled: false }, "abc2345", UNKNOWN],
  ["a link that expired", { expiresAt: NOW_MS - 1 }, LINK.shortCode, GONE],
  ["a link that expires now", { expiresAt: NOW_MS }, LINK.shortCode, GONE],
  ["a link about to expire", { expiresAt: NOW_MS + 1 }, LINK.shortCode, OWN_DESTINATION],
  ["a link that expired and is disabled", { enabled: false, expiresAt: 0 }, LINK.shortCode, GONE],
])("%s", (_, change, code, expected) => {
  expect(destinationOf(change, code)).toEqual(expected);
});

const CANADA = { when: { country: ["CA"] }, destination: "https://example.ca" };
const USA = { when: { country: ["US"] }, destination: "https://example.us" };

test.each([
  ["the rule that holds, by its name", [USA, { ...CANADA, name: "Canada" }], "https://example.ca/", "Canada"],
  ["a rule without a name, by its place", [USA, CANADA], "https://example.ca/", "#2"],
  ["the link's own destination where no rule holds", [USA], OWN_DESTINATION.address, null],
])("a visitor is sent by %s", (_, routingRules, address, rule) => {
  expect(destinationOf({ routingRules })).toEqual({ status: "found", address, rule });
});

test("rules do not bring back a link that is gone", () => {
  expect(destinationOf({ routingRules: [CANADA], enabled: false })).toEqual(GONE);
});

test.each([
  "https://api.signpost.example/v1/links",
  "https://bio.signpost.example/ada",
  "https://cdn.signpost.example/a",
  "https://acme.go.example/abc2345",
  "https://LINKS.acme.example./abc2345",
])("%s leads back here, so nobody is sent there", (destination) => {
  const ownHosts = ["links.acme.example"];
  expect(destinationOf({ destination }, LINK.shortCode, ownHosts)).toEqual(UNKNOWN);
  const routingRules = [{ ...CANADA, destination }];
  expect(destinationOf({ routingRules }, LINK.shortCode, ownHosts)).toEqual(UNKNOWN);
  expect(destinationOf({ routingRules: [{ ...USA, destination }] }, LINK.shortCode, ownHosts)).toEqual(
    OWN_DESTINATION,
  );
});

test("another port of a workspace's host is another service", () => {
  const destination = "https://links.acme.example:9000/";
  expect(destinationOf({ destination }, LINK.shortCode, ["links.acme.example"])).toMatchObject({
    status: "found",
    address: destination,
  });
});
