import { expect, test } from "vitest";
import { DOMAIN_MAX_LENGTH, formatProofName, parseDomainName } from "../../src/domains/hostname.ts";
import { parseSettings } from "../../src/env.ts";
import { findDomainProblem } from "../../src/tenant/own-hosts.ts";
import { isReservedLabel } from "../../src/tenant/reserved-names.ts";

const LABEL = "a".repeat(63);
/** Name of 253 characters. */
const LONGEST = `${`${LABEL}.`.repeat(3)}${"a".repeat(61)}`;

test.each([
  ["go.example.com", "go.example.com"],
  ["GO.Example.COM.", "go.example.com"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["BÜCHER.example", "xn--bcher-kva.example"],
  ["例え.テスト", "xn--r8jz45g.xn--zckzah"],
  ["xn--bcher-kva.example", "xn--bcher-kva.example"],
  ["go。example。com", "go.example.com"],
  ["1.example.com", "1.example.com"],
  [`${LABEL}.${LABEL}`, `${LABEL}.${LABEL}`],
  [LONGEST, LONGEST],
])("parseDomainName(%j) is %j", (text, name) => {
  expect(parseDomainName(text)).toBe(name);
});

test.each([
  "",
  ".",
  "localhost",
  "com",
  "127.0.0.1",
  "127.1",
  "0x7f.1",
  "go.example.123",
  "[::1]",
  "go.example.com:8080",
  "http://go.example.com",
  "go.example.com/path",
  "go.example.com?a",
  "go.example.com#a",
  "user@go.example.com",
  "go.example.com\\a",
  "go example.com",
  " go.example.com",
  "go.exa\tmple.com",
  "go.%65xample.com",
  "*.example.com",
  "_dmarc.example.com",
  "-go.example.com",
  "go-.example.com",
  "go..example.com",
  `${LABEL}a.example.com`,
  `example.${LABEL}a`,
  `${LONGEST}a`,
  `${"a.".repeat(140)}com`,
])("parseDomainName(%j) is null", (text) => {
  expect(parseDomainName(text)).toBeNull();
});

test("the TXT record of a host is below it", () => {
  expect(formatProofName("go.example.com")).toBe("_signpost.go.example.com");
  // The longest name of the DNS has 253 characters (RFC 1035 section 2.3.4, without the length of its root).
  expect(formatProofName("a".repeat(DOMAIN_MAX_LENGTH))).toHaveLength(253);
});

const settings = parseSettings({
  API_URL: "https://api.signpost.test",
  SHORT_DOMAIN: "sp.test",
  BIO_URL: "https://bio.signpost.test",
  APP_URL: "https://app.signpost.test",
  CDN_URL: "https://cdn.signpost.test",
  ALLOW_LOOPBACK: "",
});

test.each([
  ["api.signpost.test", "is a host of this service"],
  ["bio.signpost.test", "is a host of this service"],
  ["cdn.signpost.test", "is a host of this service"],
  ["sp.test", "is a host of this service"],
  ["a.b.sp.test", "must have one label before .sp.test"],
  ["xn--ypal-43d9g.sp.test", "must not start with xn-- below .sp.test"],
  ["xn--bcher-kva.example", null],
  ["acme.sp.test", null],
  ["go.acme.example", null],
  ["notsp.test", null],
])("findDomainProblem for %s is %j", (hostname, fault) => {
  expect(findDomainProblem(settings, hostname)).toBe(fault);
});

test.each(["www", "mta-sts", "security", "paypal", "autodiscover"])("%s is a reserved label", (label) => {
  expect(isReservedLabel(label)).toBe(true);
});

test.each(["acme", "go", "paypals", ""])("%j is no reserved label", (label) => {
  expect(isReservedLabel(label)).toBe(false);
});
