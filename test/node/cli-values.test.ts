import { describe, expect, test } from "vitest";
import { CommandError } from "../../src/cli/command.ts";
import {
  parseEmail,
  parseHostname,
  parseKeyPrefix,
  parseMoment,
  parsePlan,
  parsePort,
  parseScopes,
  parseSlug,
  parseText,
} from "../../src/cli/values.ts";
import { parseSettings } from "../../src/env.ts";

const settings = parseSettings({
  API_URL: "http://localhost:8787",
  SHORT_DOMAIN: "localhost:8787",
  BIO_URL: "http://bio.localhost:8787",
  CDN_URL: "http://cdn.localhost:8787",
  ALLOW_LOOPBACK: "true",
});

test("a port is decimal digits", () => {
  expect(parsePort("1")).toBe(1);
  expect(parsePort("65535")).toBe(65_535);
  for (const text of ["0", "65536", "0x50", "1e3", "80.0", " 80", "-1", "", "abc", "100000"]) {
    expect(() => parsePort(text), text).toThrow("--port: must be 1 to 65535");
  }
});

describe("a short host", () => {
  const LABEL = "a".repeat(63);
  test.each([
    ["go.acme.example", "go.acme.example"],
    ["GO.Acme.Example.", "go.acme.example"],
    ["acme.localhost:8787", "acme.localhost"],
    ["localhost", "localhost"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["1.2.example", "1.2.example"],
    [`${LABEL}.example`, `${LABEL}.example`],
  ])("%s is %s", (text, hostname) => {
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
  ])("%j is none", (text) => {
    expect(() => parseHostname(text, settings)).toThrow(new CommandError(`${text}: not a DNS name`));
  });

  test("is none that serves bio pages or files", () => {
    expect(() => parseHostname("bio.localhost", settings)).toThrow("serves bio pages or files already");
    expect(() => parseHostname("CDN.localhost:8787", settings)).toThrow(CommandError);
  });
});

test("a slug is a label of a host name", () => {
  for (const text of ["a", "acme", "a-1", "1", "a".repeat(63)]) expect(parseSlug(text)).toBe(text);
  for (const text of ["", "-a", "a-", "A", "a.b", "a_b", "a".repeat(64), "a\n"]) {
    expect(() => parseSlug(text), text).toThrow(CommandError);
  }
});

test("text has bounds", () => {
  expect(parseText("name", "abc", 1, 3)).toBe("abc");
  expect(() => parseText("name", "abcd", 1, 3)).toThrow("--name: must have 1 to 3 characters");
  expect(() => parseText("name", "", 1, 3)).toThrow(CommandError);
});

test("a plan is one of those there are", () => {
  expect(parsePlan("enterprise")).toBe("enterprise");
  for (const text of ["", "gold", "Pro", "constructor"]) {
    expect(() => parsePlan(text)).toThrow(`${text}: no plan; there are free, pro, business, enterprise`);
  }
});

test("scopes stand between commas, each once", () => {
  expect(parseScopes("links:read, links:write,links:read")).toEqual(["links:read", "links:write"]);
  expect(parseScopes("*")).toEqual(["*"]);
  expect(() => parseScopes("links:read,")).toThrow("(empty): no scope");
  expect(() => parseScopes("links:admin")).toThrow("links:admin: no scope");
});

test("a moment has an offset or Z, as in the API", () => {
  expect(parseMoment("expires-at", "2027-01-01T01:00:00+01:00")).toBe(Date.UTC(2027, 0, 1));
  for (const text of ["2027-01-01T00:00:00", "2027-01-01", "2027-02-30T00:00:00Z", "1", "tomorrow"]) {
    expect(() => parseMoment("expires-at", text), text).toThrow(
      "--expires-at: must be an ISO 8601 date-time",
    );
  }
});

test("a key is named by its prefix or as it begins in full", () => {
  for (const text of ["AbCd1234", "svc_pk_AbCd1234", `svc_pk_AbCd1234.${"x".repeat(64)}`]) {
    expect(parseKeyPrefix(text)).toBe("AbCd1234");
  }
  for (const text of ["", "AbCd123", "AbCd12345", "AbCd-234", "svc_pk_"]) {
    expect(() => parseKeyPrefix(text), text).toThrow(CommandError);
  }
});

test("an e-mail address is the same in any case", () => {
  expect(parseEmail("Ada@Example.COM")).toBe("ada@example.com");
  for (const text of ["", "ada", "@example.com", "ada@", "a da@example.com", "a@b@c"]) {
    expect(() => parseEmail(text), text).toThrow(CommandError);
  }
});
