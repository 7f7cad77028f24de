import { describe, expect, test } from "vitest";
import { formatShortUrl, getSettings, parseSettings, type Vars } from "../../src/env.ts";
import { isOwnHost } from "../../src/tenant/own-hosts.ts";

const LOCAL: Vars = {
  API_URL: "http://localhost:8787",
  SHORT_DOMAIN: "localhost:8787",
  BIO_URL: "http://bio.localhost:8787",
  CDN_URL: "http://cdn.localhost:8787",
  APP_URL: "http://app.localhost:8787",
  ALLOW_LOOPBACK: "true",
};

const DEPLOYED: Vars = {
  API_URL: "https://API.signpost.example/",
  SHORT_DOMAIN: "go.example.",
  BIO_URL: "https://bio.signpost.example",
  CDN_URL: "https://cdn.signpost.example/",
  APP_URL: "https://APP.signpost.example/",
  ALLOW_LOOPBACK: "",
};

describe("parseSettings", () => {
  test("parses the vars of local development, with its port", () => {
    expect(parseSettings(LOCAL)).toEqual({
      apiUrl: "http://localhost:8787",
      bioUrl: "http://bio.localhost:8787",
      cdnUrl: "http://cdn.localhost:8787",
      appUrl: "http://app.localhost:8787",
      dnsResolverUrl: "https://cloudflare-dns.com/dns-query",
      apiHost: "localhost",
      bioHost: "bio.localhost",
      cdnHost: "cdn.localhost",
      appHost: "app.localhost",
      shortHost: "localhost",
      shortScheme: "http://",
      shortPort: ":8787",
      allowLoopback: true,
      identityProvider: null,
      abuseContact: null,
      analyticsSql: null,
      watchesDestinations: false,
    });
  });

  test("watches destinations in a deployment, or as WATCH_DESTINATIONS says", () => {
    const parse = (vars: Partial<Vars>) => parseSettings({ ...LOCAL, ...vars }).watchesDestinations;
    expect(parse({ ALLOW_LOOPBACK: "false" })).toBe(true);
    expect(parse({ ALLOW_LOOPBACK: "false", WATCH_DESTINATIONS: "false" })).toBe(false);
    expect(parse({ WATCH_DESTINATIONS: "true" })).toBe(true);
  });

  test("parses an identity provider, which needs an issuer and a client", () => {
    const provider = { OIDC_ISSUER: "https://id.acme.com/", OIDC_CLIENT_ID: "signpost" };
    const parse = (vars: Partial<Vars>) => parseSettings({ ...LOCAL, ...vars }).identityProvider;
    expect(parse({ ...provider, OIDC_CLIENT_SECRET: "s", OIDC_TRUST_EMAIL: " Acme.com,, acme.de " })).toEqual(
      {
        issuer: "https://id.acme.com/",
        clientId: "signpost",
        clientSecret: "s",
        trustedEmailDomains: ["acme.com", "acme.de"],
      },
    );
    expect(parse(provider)).toMatchObject({ clientSecret: null, trustedEmailDomains: [] });
    expect(parse({ ...provider, OIDC_ISSUER: "" })).toBeNull();
    expect(parse({ ...provider, OIDC_CLIENT_ID: "" })).toBeNull();
  });

  test("parses the vars of a deployment and normalizes its hosts", () => {
    expect(parseSettings(DEPLOYED)).toMatchObject({
      apiUrl: "https://api.signpost.example",
      cdnUrl: "https://cdn.signpost.example",
      appUrl: "https://app.signpost.example",
      apiHost: "api.signpost.example",
      shortHost: "go.example",
      shortScheme: "https://",
      shortPort: "",
    });
  });

  test.each(["", "false", "1", "TRUE", "yes"])(
    "rejects loopback addresses if ALLOW_LOOPBACK is %j",
    (ALLOW_LOOPBACK) => {
      expect(parseSettings({ ...DEPLOYED, ALLOW_LOOPBACK }).allowLoopback).toBe(false);
    },
  );

  test.each([
    { API_URL: "api.signpost.example" },
    { BIO_URL: "" },
    { CDN_URL: "https://" },
    { APP_URL: "app" },
    { SHORT_DOMAIN: "" },
  ])("throws a TypeError for %j", (fault) => {
    expect(() => parseSettings({ ...DEPLOYED, ...fault })).toThrow(TypeError);
  });

  test("is called once for each env of getSettings", () => {
    const vars = { ...LOCAL };
    expect(getSettings(vars)).toBe(getSettings(vars));
    expect(getSettings(vars)).not.toBe(getSettings({ ...LOCAL }));
  });
});

test("shortUrl adds the scheme and port of the deployment", () => {
  const inDeployment = formatShortUrl(parseSettings(DEPLOYED), "acme.go.example", "abc2345");
  expect(inDeployment).toBe("https://acme.go.example/abc2345");
  expect(formatShortUrl(parseSettings(LOCAL), "demo.localhost", "Sale")).toBe(
    "http://demo.localhost:8787/Sale",
  );
});

test.each([
  ["a local start", "http://localhost:8787/abc2345", true],
  ["a local start", "http://acme.localhost:8787/x", true],
  ["a local start", "http://BIO.localhost.:8787/", true],
  ["a local start", "https://localhost:8787/", true],
  ["a local start", "http://localhost:3000/", false],
  ["a local start", "http://localhost/", false],
  ["a local start", "http://localhost..:8787/", true],
  ["a local start", "http://127.0.0.1:8787/", true],
  ["a local start", "http://127.1:8787/", true],
  ["a local start", "http://0:8787/", true],
  ["a local start", "http://[::1]:8787/", true],
  ["a local start", "http://[::]:8787/", true],
  ["a local start", "http://127.0.0.1:3000/", false],
  ["a local start", "http://128.0.0.1:8787/", false],
  ["a local start", "https://example.com/", false],
  ["a deployment", "https://api.signpost.example/v1/links", true],
  ["a deployment", "https://bio.signpost.example/ada", true],
  ["a deployment", "https://cdn.signpost.example/a", true],
  ["a deployment", "https://go.example/x", true],
  ["a deployment", "https://go.example:443/x", true],
  ["a deployment", "http://acme.go.example/x", true],
  ["a deployment", "https://ACME.GO.EXAMPLE./x", true],
  ["a deployment", "https://acme.go.example:9000/x", true],
  ["a deployment", "https://127.0.0.1/", false],
  ["a deployment", "https://signpost.example/", false],
  ["a deployment", "https://www.api.signpost.example/", false],
  ["a deployment", "https://ergo.example/", false],
  ["a deployment", "https://go.example.com/", false],
])("isOwnHost in %s: %s is %j", (which, url, expected) => {
  const settings = parseSettings(which === "a deployment" ? DEPLOYED : LOCAL);
  expect(isOwnHost(settings, new URL(url))).toBe(expected);
});

test("the SQL API of Analytics Engine is only used with an account and a token", () => {
  const read = (vars: Partial<Vars>) => parseSettings({ ...DEPLOYED, ...vars }).analyticsSql;
  const both = { ANALYTICS_ACCOUNT_ID: "a/b", ANALYTICS_API_TOKEN: "token" };
  const path = "accounts/a%2Fb/analytics_engine/sql";
  expect(read(both)).toEqual({ url: `https://api.cloudflare.com/client/v4/${path}`, token: "token" });
  expect(read({ ...both, ANALYTICS_API_URL: "http://stub" })?.url).toBe(`http://stub/${path}`);
  expect(read({ ANALYTICS_ACCOUNT_ID: "a" })).toBeNull();
  expect(read({ ANALYTICS_API_TOKEN: "token" })).toBeNull();
});

test.each([
  ["abuse@example.com", "mailto:abuse@example.com"],
  ["mailto:abuse@example.com", "mailto:abuse@example.com"],
  ["https://example.com/report", "https://example.com/report"],
  ["", null],
])("ABUSE_CONTACT %j is the URI %j", (contact, uri) => {
  expect(parseSettings({ ...DEPLOYED, ABUSE_CONTACT: contact }).abuseContact).toBe(uri);
});

test.each(["http://example.com", "javascript:alert(1)", "abuse", "a@b?c", "a b@example.com"])(
  "ABUSE_CONTACT %j is rejected",
  (contact) => {
    expect(() => parseSettings({ ...DEPLOYED, ABUSE_CONTACT: contact })).toThrow(TypeError);
  },
);
