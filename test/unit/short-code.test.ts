import { expect, test } from "vitest";
import {
  generateShortCode,
  isReservedSlug,
  mayBeShortCode,
  toCodeKey,
} from "../../src/routing/short-code.ts";

test("generateShortCode returns 7 characters, none of which look alike, and does not repeat a code", () => {
  const codes = Array.from({ length: 2_000 }, () => generateShortCode());
  for (const code of codes) expect(code).toMatch(/^[2-9A-HJ-NP-Za-km-z]{7}$/);
  expect(new Set(codes).size).toBe(codes.length);
});

test.each([
  "v1",
  "docs",
  "healthz",
  "uploads",
  "scim",
  "api",
  "admin",
  "dashboard",
  "assets",
  "static",
  "login",
  "Admin",
  "V1",
])("isReservedSlug returns true for %s", (slug) => {
  expect(isReservedSlug(slug)).toBe(true);
});

test.each(["v2", "apis", "my-admin", "login-now", "sale"])("isReservedSlug returns false for %s", (slug) => {
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
])("%j has the form of a short code: %j", (text, expected) => {
  expect(mayBeShortCode(text)).toBe(expected);
});

test("toCodeKey returns the same key for codes that differ only in case", () => {
  expect(toCodeKey("Summer-SALE")).toBe(toCodeKey("summer-sale"));
});

test("toCodeKey changes only A to Z, as lower() of SQLite does", () => {
  expect(toCodeKey("ÉTÉ/MENÜ-AZ09")).toBe("ÉtÉ/menÜ-az09");
});

test("a code has 3 to 64 letters and digits", () => {
  for (const character of "09azAZ-") expect(mayBeShortCode(character.repeat(3))).toBe(true);
  for (const character of "/:@[`{_.~é") expect(mayBeShortCode(`a${character}a`)).toBe(false);
  expect([2, 3, 64, 65].map((length) => mayBeShortCode("x".repeat(length)))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
