import { describe, expect, test } from "vitest";
import { findOutboundProblem } from "../../src/core/outbound.ts";
import { parseSettings } from "../../src/env.ts";
import {
  buildOutboundPolicy,
  isCdnHost,
  isClickUrl,
  isShortHost,
  mayRedirect,
} from "../../src/tenant/own-hosts.ts";

const deployed = parseSettings({
  API_URL: "https://api.signpost.example",
  SHORT_DOMAIN: "go.signpost.example",
  BIO_URL: "https://bio.signpost.example",
  CDN_URL: "https://cdn.signpost.example",
  APP_URL: "https://app.signpost.example",
  ALLOW_LOOPBACK: "false",
});

const local = parseSettings({
  API_URL: "http://localhost:8787",
  SHORT_DOMAIN: "localhost:8787",
  BIO_URL: "http://bio.localhost:8787",
  CDN_URL: "http://cdn.localhost:8787",
  APP_URL: "http://app.localhost:8787",
  ALLOW_LOOPBACK: "true",
});

const policy = buildOutboundPolicy(deployed, new Set(["go.customer.test"]));

describe("a deployed service rejects outbound requests to", () => {
  test.each([
    ["loopback", ["localhost", "LOCALHOST.", "foo.localhost", "127.0.0.1", "127.1", "127.0.1", "2130706433"]],
    ["loopback in other number bases", ["0x7f.1", "0x7f000001", "0177.0.0.1", "017700000001", "127.0x0.0.1"]],
    ["loopback in other spellings", ["①②⑦.⓪.⓪.①", "127。0。0。1", "%31%32%37.0.0.1", "0", "0.0.0.0"]],
    ["IPv6 loopback", ["[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::]"]],
    ["private networks", ["10.0.0.1", "10.1", "172.16.0.1", "192.168.1.1", "192.168.257", "100.64.0.1"]],
    [
      "link-local and metadata",
      ["169.254.169.254", "0xa9fea9fe", "[fe80::1]", "[fd00::1]", "[64:ff9b::7f00:1]"],
    ],
    ["public IP addresses", ["1.1.1.1", "[2606:4700::1111]"]],
    [
      "private names",
      ["printer", "nas.local", "db.internal", "router.home.arpa", "db.internal.", "metadata"],
    ],
    [
      "its own hosts",
      ["api.signpost.example", "API.signpost.example.", "go.signpost.example", "a.go.signpost.example"],
    ],
    ["hosts of workspaces", ["go.customer.test", "GO.customer.test."]],
  ])("%s", (_, hosts) => {
    for (const host of hosts) {
      expect(findOutboundProblem(`https://${host}/hook`, policy), host).not.toBeNull();
      expect(findOutboundProblem(`https://${host}:8443/hook`, policy), `${host}:8443`).not.toBeNull();
    }
  });

  test.each([
    ["http://example.com/", "must be an https URL"],
    ["ftp://example.com/", "must be an https URL"],
    ["file:///etc/passwd", "must be an https URL"],
    ["javascript:alert(1)", "must be an https URL"],
    ["https://user@example.com/", "must not contain a user name or password"],
    ["https://:secret@example.com/", "must not contain a user name or password"],
    ["https://example.com:22/", "must use port 443 or 8443"],
    ["https://example.com:80/", "must use port 443 or 8443"],
    ["https:///", "must be a URL"],
    ["not a url", "must be a URL"],
  ])("%s", (address, fault) => {
    expect(findOutboundProblem(address, policy)).toBe(fault);
  });
});

test("a deployed service allows outbound requests to public https hosts", () => {
  for (const address of [
    "https://example.com/",
    "https://a.b.example.com:8443/x?y#z",
    "https://bücher.example/",
  ]) {
    expect(findOutboundProblem(address, policy), address).toBeNull();
  }
});

test("local development also allows http and loopback, but not its own URLs or private networks", () => {
  const localPolicy = buildOutboundPolicy(local, new Set(["go.customer.test"]));
  for (const address of ["http://localhost:9000/", "http://127.0.0.1:9000/", "https://[::1]:9000/"]) {
    expect(findOutboundProblem(address, localPolicy), address).toBeNull();
  }
  for (const address of [
    "http://localhost:8787/v1/links",
    "http://demo.localhost:8787/",
    "http://127.1:8787/v1",
    "http://127.9.9.9:8787/",
    "http://[::1]:8787/",
    "http://go.customer.test:8787/",
    "http://192.168.1.1/",
    "http://example.com/",
  ]) {
    expect(findOutboundProblem(address, localPolicy), address).not.toBeNull();
  }
});

test.each([
  ["https://go.signpost.example/x", deployed, "short"],
  ["https://A.go.signpost.example./x", deployed, "short"],
  ["http://localhost:8787/x", local, "short"],
  ["http://demo.localhost:8787/x", local, "short"],
  ["http://127.1:8787/x", local, "short"],
  ["http://[::1]:8787/x", local, "short"],
  ["http://0:8787/x", local, "short"],
  ["http://localhost:3000/x", local, "other"],
  ["http://127.0.0.1:3000/x", local, "other"],
  ["http://127.0.0.1/x", deployed, "other"],
  ["https://api.signpost.example/x", deployed, "other"],
  ["https://ago.signpost.example/x", deployed, "other"],
  ["https://a.go.signpost.example:8443/x", deployed, "short"],
  ["http://a.go.signpost.example/x", deployed, "short"],
  ["https://go.signpost.example:1/x", deployed, "short"],
  ["https://bio.signpost.example:8443/ada", deployed, "other"],
  ["https://bio.signpost.example:8443/ada/l/0", deployed, "click"],
  ["https://cdn.signpost.example:8443/a", deployed, "cdn"],
  ["https://api.signpost.example:8443/x", deployed, "other"],
  ["https://bio.signpost.example/ada", deployed, "other"],
  ["https://bio.signpost.example/ada/l", deployed, "other"],
  ["https://bio.signpost.example/l/0", deployed, "other"],
  ["https://bio.signpost.example/ada/l/0", deployed, "click"],
  ["https://BIO.signpost.example./Ada/L/0", deployed, "click"],
  ["http://bio.localhost:8787/ada", local, "other"],
  ["http://bio.localhost:8787/ada/l/12", local, "click"],
  ["https://cdn.signpost.example/a", deployed, "cdn"],
  ["https://CDN.signpost.example./a", deployed, "cdn"],
  ["http://cdn.localhost:8787/a/l/0", local, "cdn"],
  ["http://cdn.localhost/a", local, "other"],
])("%s: isShortHost, isClickUrl and isCdnHost identify its kind", (address, settings, kind) => {
  const url = new URL(address);
  expect({
    short: isShortHost(settings, url),
    click: isClickUrl(settings, url),
    cdn: isCdnHost(settings, url),
  }).toEqual({ short: kind === "short", click: kind === "click", cdn: kind === "cdn" });
});

test("bio, CDN and app hosts below SHORT_DOMAIN are no short hosts", () => {
  const nested = parseSettings({
    API_URL: "https://signpost.example",
    SHORT_DOMAIN: "signpost.example",
    BIO_URL: "https://bio.signpost.example",
    CDN_URL: "https://cdn.signpost.example",
    APP_URL: "https://app.signpost.example",
    ALLOW_LOOPBACK: "",
  });
  const isShort = (host: string) => isShortHost(nested, new URL(`https://${host}/x`));
  expect(["bio", "cdn", "app"].map((name) => isShort(`${name}.signpost.example`))).toEqual([
    false,
    false,
    false,
  ]);
  expect(["signpost.example", "acme.signpost.example"].map(isShort)).toEqual([true, true]);
});

test.each([
  ["a short host", "https://a.go.signpost.example/x", true],
  ["a short host with a trailing dot", "https://a.go.signpost.example./x", true],
  ["a click address", "https://bio.signpost.example./ada/l/0", true],
  ["a host of a workspace, with a trailing dot", "https://GO.customer.test./x", true],
  ["a bio page", "https://bio.signpost.example/ada", false],
  ["another host", "https://www.go.customer.test/x", false],
])("mayRedirect of %s", (_, address, expected) => {
  expect(mayRedirect(deployed, new Set(["go.customer.test"]), new URL(address))).toBe(expected);
});
