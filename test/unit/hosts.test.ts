import { expect, test } from "vitest";
import { isWithin, normalizeHostname } from "../../src/core/hosts.ts";

test.each([
  ["Go.Example.COM", "go.example.com"],
  ["go.example.com.", "go.example.com"],
  ["localhost", "localhost"],
  ["", ""],
])("the host %j is compared as %j", (hostname, expected) => {
  expect(normalizeHostname(hostname)).toBe(expected);
});

test.each([
  ["example.com", "example.com", true],
  ["go.example.com", "example.com", true],
  ["a.b.example.com", "example.com", true],
  ["badexample.com", "example.com", false],
  ["example.com.evil.org", "example.com", false],
  ["com", "example.com", false],
])("%s is %s or below it: %j", (hostname, parent, expected) => {
  expect(isWithin(hostname, parent)).toBe(expected);
});
