import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandError } from "../../src/cli/command-error.ts";
import { buildAdmin } from "../../src/cli/commands.ts";
import { readStartVars } from "../../src/cli/settings.ts";
import {
  parseBlockedHost,
  parseEmail,
  parseHeldName,
  parseHostname,
  parseKeyPrefix,
  parsePort,
  parseScopes,
  parseShard,
  parseSlug,
  parseText,
  parseTime,
} from "../../src/cli/values.ts";
import { parseSettings } from "../../src/env.ts";

const settings = parseSettings({
  API_URL: "http://localhost:8787",
  SHORT_DOMAIN: "localhost:8787",
  BIO_URL: "http://bio.localhost:8787",
  APP_URL: "http://app.localhost:8787",
  CDN_URL: "http://cdn.localhost:8787",
  ALLOW_LOOPBACK: "true",
});

test("parsePort accepts 1 to 65535 in decimal digits", () => {
  expect(parsePort("1")).toBe(1);
  expect(parsePort("65535")).toBe(65_535);
  for (const text of ["0", "65536", "0x50", "1e3", "80.0", " 80", "-1", "", "abc", "100000"]) {
    expect(() => parsePort(text), text).toThrow("--port: must be 1 to 65535");
  }
});

describe("parseHostname", () => {
  const LABEL = "a".repeat(63);
  test.each([
    ["go.acme.example", "go.acme.example"],
    ["GO.Acme.Example.", "go.acme.example"],
    ["acme.localhost:8787", "acme.localhost"],
    ["localhost", "localhost"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["1.2.example", "1.2.example"],
    [`${LABEL}.example`, `${LABEL}.example`],
  ])("normalizes %s to %s", (text, hostname) => {
    expect(parseHostname(text, settings)).toBe(hostname);
  });

  test.each([
    ...["127.0.0.1", "127.0.0.1:80", "1.2.3", "256.1.1.1", "go.0x7f", "::1", "[::1]", "2130706433"],
    ...["", ".", "a..b", "-a.example", "a-.example", "a_b.example", "a b", "a/b", "https://a.example"],
    ...[
      "user@a.example",
      "bücher.example",
      `${LABEL}a.example`,
      `${`${LABEL}.`.repeat(4)}example`,
      "*.a.example",
    ],
  ])("rejects %j", (text) => {
    expect(() => parseHostname(text, settings)).toThrow(new CommandError(`${text}: not a DNS name`));
  });

  test("rejects the hosts of bio pages, files and the app", () => {
    const message = "bio.localhost: is already used for bio pages, files or the app";
    expect(() => parseHostname("bio.localhost", settings)).toThrow(new CommandError(message));
    expect(() => parseHostname("app.localhost", settings)).toThrow(CommandError);
    expect(() => parseHostname("CDN.localhost:8787", settings)).toThrow(CommandError);
  });
});

test("parseHostname rejects xn-- below the short domain, for which a workspace needs no proof", () => {
  const rejected = new CommandError("xn--ypal-43d9g.localhost: must not start with xn-- below localhost");
  expect(() => parseHostname("xn--ypal-43d9g.localhost", settings)).toThrow(rejected);
  expect(() => parseSlug("xn--ypal-43d9g")).toThrow(CommandError);
});

test.each([
  ["paypal", "paypal.localhost"],
  ["localhost", "localhost"],
  ["go.acme.example", "go.acme.example"],
  ["https://go.acme.example/x", "go.acme.example"],
  ["/Ada-1", "/ada-1"],
  ["http://bio.localhost:8787/ada/", "/ada"],
])("parseHeldName reads %s as %s", (text, name) => {
  expect(parseHeldName(text, settings)).toBe(name);
});

test.each(["", "/", "/a/b", "http://bio.localhost:8787/", "a b"])("parseHeldName rejects %j", (text) => {
  expect(() => parseHeldName(text, settings)).toThrow(CommandError);
});

test.each([
  ["evil.example", "evil.example"],
  ["HTTPS://www.EVIL.example.:8443/x?y", "www.evil.example"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["198.51.100.7", "198.51.100.7"],
  ["[2001:DB8::7]", "[2001:db8::7]"],
  ["app.localhost.example", "app.localhost.example"],
])("parseBlockedHost reads %s as %s", (text, host) => {
  expect(parseBlockedHost(text, settings)).toBe(host);
});

test.each([
  "",
  "example",
  "com.",
  "a b",
  "https://",
  "app.localhost",
  "http://bio.localhost:8787/ada",
  "localhost",
])("parseBlockedHost rejects %j", (text) => {
  expect(() => parseBlockedHost(text, settings)).toThrow(CommandError);
});

test("parseSlug accepts a lower-case label of a host name", () => {
  for (const text of ["a", "acme", "a-1", "1", "a".repeat(63)]) expect(parseSlug(text)).toBe(text);
  for (const text of ["", "-a", "a-", "A", "a.b", "a_b", "a".repeat(64), "a\n"]) {
    expect(() => parseSlug(text), text).toThrow(CommandError);
  }
});

test("parseText checks the number of characters", () => {
  expect(parseText("name", "abc", 1, 3)).toBe("abc");
  expect(() => parseText("name", "abcd", 1, 3)).toThrow("--name: must have 1 to 3 characters");
  expect(() => parseText("name", "", 1, 3)).toThrow(CommandError);
});

test("parseScopes splits at commas and removes duplicates", () => {
  expect(parseScopes("links:read, links:write,links:read")).toEqual(["links:read", "links:write"]);
  expect(parseScopes("*")).toEqual(["*"]);
  expect(() => parseScopes("links:read,")).toThrow("(empty): unknown scope");
  expect(() => parseScopes("links:admin")).toThrow("links:admin: unknown scope");
});

test("parseTime requires an offset or Z, as the API does", () => {
  expect(parseTime("expires-at", "2027-01-01T01:00:00+01:00")).toBe(Date.UTC(2027, 0, 1));
  for (const text of ["2027-01-01T00:00:00", "2027-01-01", "2027-02-30T00:00:00Z", "1", "tomorrow"]) {
    expect(() => parseTime("expires-at", text), text).toThrow("--expires-at: must be an ISO 8601 date-time");
  }
});

test("parseKeyPrefix accepts a prefix and a whole key", () => {
  for (const text of ["AbCd1234", "svc_pk_AbCd1234", `svc_pk_AbCd1234.${"x".repeat(64)}`]) {
    expect(parseKeyPrefix(text)).toBe("AbCd1234");
  }
  for (const text of ["", "AbCd123", "AbCd12345", "AbCd-234", "svc_pk_"]) {
    expect(() => parseKeyPrefix(text), text).toThrow(CommandError);
  }
});

test("parseEmail lower-cases an address and rejects other text", () => {
  expect(parseEmail("Ada@Example.COM")).toBe("ada@example.com");
  for (const text of ["", "ada", "@example.com", "ada@", "a da@example.com", "a@b@c"]) {
    expect(() => parseEmail(text), text).toThrow(CommandError);
  }
});

test("parseShard accepts a number of up to four digits, and parseText a text of the minimum length", () => {
  expect([parseShard("0"), parseShard("9999")]).toEqual([0, 9_999]);
  for (const text of ["", "-1", "1.5", "10000", "x"]) expect(() => parseShard(text), text).toThrow("--shard");
  expect(parseText("name", "ab", 2, 3)).toBe("ab");
});

test("a workspace has a name of at most 200 characters, and a description of at most 2,000", async () => {
  let isRun = false;
  const create = (name: string, description: string) =>
    buildAdmin(async () => {
      isRun = true;
    }).parseAsync(
      ["workspace", "create", "--slug=acme", "--plan=pro", "--name", name, "--description", description],
      { from: "user" },
    );
  await create("a".repeat(200), "b".repeat(2_000));
  expect(isRun).toBe(true);
  await expect(create("a".repeat(201), "")).rejects.toThrow("--name: must have 1 to 200 characters");
  await expect(create("a", "b".repeat(2_001))).rejects.toThrow(
    "--description: must have 0 to 2000 characters",
  );
});

describe("readStartVars", () => {
  const write = (...lines: string[]) => {
    const file = join(mkdtempSync(join(tmpdir(), "signpost-vars-")), "signpost.env");
    writeFileSync(file, lines.join("\n"));
    return file;
  };
  const HOSTS = ["API", "BIO", "CDN", "APP"].map((name) => `${name}_URL=https://${name.toLowerCase()}.test`);

  test("reads hosts, optional variables and secrets, without loopback", () => {
    expect(
      readStartVars(
        write(...HOSTS, "SHORT_DOMAIN=go.test", "ABUSE_CONTACT=a@b.test", "WEBHOOK_KEY=k", "GEO_FILE=g.mmdb"),
      ),
    ).toEqual({
      vars: {
        API_URL: "https://api.test",
        BIO_URL: "https://bio.test",
        CDN_URL: "https://cdn.test",
        APP_URL: "https://app.test",
        SHORT_DOMAIN: "go.test",
        ABUSE_CONTACT: "a@b.test",
        ALLOW_LOOPBACK: "false",
      },
      secrets: expect.objectContaining({ WEBHOOK_KEY: "k" }),
      geoFile: "g.mmdb",
    });
  });

  test("rejects missing hosts, invalid values and a missing file", () => {
    expect(() => readStartVars(write(...HOSTS))).toThrow("set SHORT_DOMAIN, for example with --env-file");
    expect(() => readStartVars(write(...HOSTS, "SHORT_DOMAIN=a b"))).toThrow("the variables are invalid");
    expect(() => readStartVars("/none/signpost.env")).toThrow("--env-file: ENOENT");
  });
});
