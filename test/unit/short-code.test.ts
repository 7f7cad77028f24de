import { expect, test } from "vitest";
import {
  generateShortCode,
  isReservedSlug,
  mayBeShortCode,
  toCodeKey,
} from "../../src/routing/short-code.ts";

test("generated codes are 7 characters without look-alikes, and do not repeat", () => {
  const codes = Array.from({ length: 2_000 }, () => generateShortCode());
  for (const code of codes) expect(code).toMatch(/^[2-9A-HJ-NP-Za-km-z]{7}$/);
  expect(new Set(codes).size).toBe(codes.length);
});

test.each([
  "v1",
  "docs",
  "healthz",
  "uploads",
  "api",
  "admin",
  "dashboard",
  "assets",
  "static",
  "login",
  "Admin",
  "V1",
])("the slug %s is reserved", (slug) => {
  expect(isReservedSlug(slug)).toBe(true);
});

test.each(["v2", "apis", "my-admin", "login-now", "sale"])("the slug %s may be had", (slug) => {
  expect(isReservedSlug(slug)).toBe(false);
});

test.each([
  ["abc", true],
  ["a-b", true],
  ["---", true],
  ["A1b2C3d", true],
  ["x".repeat(64), true],
  ["x".repeat(65), false],
  ["ab", false],
  ["", false],
  ["a_b", false],
  ["a.b", false],
  ["a/b", false],
  ["a%20b", false],
  ["é-é-é", false],
  ["abc\n", false],
])("%j could be a short code: %j", (text, expected) => {
  expect(mayBeShortCode(text)).toBe(expected);
});

test("codes that differ in case alone are the same", () => {
  expect(toCodeKey("Summer-SALE")).toBe(toCodeKey("summer-sale"));
});
