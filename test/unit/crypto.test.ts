import { describe, expect, test } from "vitest";
import {
  fromHex,
  generateRandomText,
  isEqualInConstantTime,
  sha256Hex,
  toHex,
} from "../../src/core/crypto.ts";

// The last three vectors are from FIPS 180-2, appendix B.
test.each([
  ["an empty text", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["one block", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  [
    "two blocks",
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  ],
  [
    "a million letters",
    "a".repeat(1_000_000),
    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
  ],
])("sha256Hex of %s equals the published vector", async (_, text, digest) => {
  expect(await sha256Hex(text)).toBe(digest);
});

test("sha256Hex hashes the UTF-8 bytes of the text", async () => {
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array([0xc3, 0xa9]));
  expect(await sha256Hex("é")).toBe(toHex(new Uint8Array(digest)));
});

test.each([
  ["abc", "abc", true],
  ["", "", true],
  ["abc", "abd", false],
  ["abc", "Abc", false],
  ["abc", "abcd", false],
  ["a", "", false],
])("isEqualInConstantTime(%j, %j) returns %j", (a, b, expected) => {
  expect(isEqualInConstantTime(a, b)).toBe(expected);
});

describe("generateRandomText", () => {
  test.each([0, 1, 7, 64, 1_000])("returns %i characters of the alphabet", (length) => {
    expect(generateRandomText("abc", length)).toMatch(new RegExp(`^[abc]{${length}}$`));
  });

  // With 100 characters, a plain modulo would return the first 56 characters 1.5 times as often as the others.
  test.each([2, 57, 62, 100, 256])("returns each of %i characters equally often", (size) => {
    const perCharacter = 1_000;
    const alphabet = String.fromCharCode(...Array.from({ length: size }, (_, i) => 0x100 + i));
    const counts = new Map<string, number>();
    for (let drawn = 0; drawn < size * perCharacter; drawn += size) {
      for (const character of generateRandomText(alphabet, size))
        counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(counts.size).toBe(size);
    const chiSquare = [...counts.values()].reduce(
      (sum, n) => sum + (n - perCharacter) ** 2 / perCharacter,
      0,
    );
    // The mean is size - 1 and the standard deviation sqrt(2 (size - 1)). Seven deviations are practically impossible.
    expect(chiSquare).toBeLessThan(size - 1 + 7 * Math.sqrt(2 * size));
  });
});

test("toHex writes lower case and keeps leading zeros", () => {
  expect(toHex(new Uint8Array([0, 1, 0xab, 0xff]))).toBe("0001abff");
});

test("fromHex reads every byte, in either case", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  expect(fromHex(toHex(bytes))).toEqual(bytes);
  expect(fromHex(toHex(bytes).toUpperCase())).toEqual(bytes);
});
