import { describe, expect, test } from "vitest";
import { fromHex, toBase64 } from "../../src/core/crypto.ts";
import {
  hashPassword,
  importPasswordHash,
  readPasswordSalt,
  verifyPassword,
} from "../../src/core/password-hash.ts";

/** Formats a stored hash from the first hexadecimal digits of a vector. */
function formatHash(rounds: number, salt: string, hash: string): string {
  const bytes = new TextEncoder().encode(salt);
  return `pbkdf2-sha256$${rounds}$${toBase64(bytes)}$${toBase64(fromHex(hash))}`;
}

// RFC 7914 section 11.
test.each([
  ["passwd", 1, "salt", "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"],
  ["Password", 80_000, "NaCl", "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"],
])("verifyPassword accepts %s with %d rounds", async (password, rounds, salt, hash) => {
  const stored = formatHash(rounds, salt, hash);
  expect(await verifyPassword(password, stored)).toBe(true);
  expect(await verifyPassword(`${password} `, stored)).toBe(false);
  expect(await verifyPassword("", stored)).toBe(false);
});

test("hashPassword uses 100,000 rounds and a new salt each time", async () => {
  const [one, other] = [await hashPassword("open sesame"), await hashPassword("open sesame")];
  expect(one).toMatch(/^pbkdf2-sha256\$100000\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/);
  expect(readPasswordSalt(one)).toBe(one.split("$")[2]);
  expect(readPasswordSalt(one)).not.toBe(readPasswordSalt(other));
  expect(one.endsWith(other.split("$").at(-1) as string)).toBe(false);
  expect([await verifyPassword("open sesame", one), await verifyPassword("open sesame", other)]).toEqual([
    true,
    true,
  ]);
  expect(await verifyPassword("Open sesame", one)).toBe(false);
});

test("a password matches in each Unicode form of its letters", async () => {
  const composed = "caf\u00e9 \u1e69";
  const decomposed = composed.normalize("NFD");
  expect(decomposed).not.toBe(composed);
  expect(await verifyPassword(decomposed, await hashPassword(composed))).toBe(true);
  expect(await verifyPassword(composed, await hashPassword(decomposed))).toBe(true);
});

test("a hash of another algorithm throws an error and does not count as a wrong password", async () => {
  await expect(verifyPassword("x", "scrypt$1$c2FsdA==$aGFzaA==")).rejects.toThrow("unknown algorithm");
  expect(() => readPasswordSalt("")).toThrow("unknown algorithm");
});

describe("an imported hash", () => {
  const salt = "AAECAwQFBgcICQoLDA0ODw";
  const hash = "BtOtu9PHoBzV6acYE8jb_083Lai6b2UQWJacHigbcPY";
  const plainHash = "BtOtu9PHoBzV6acYE8jb/083Lai6b2UQWJacHigbcPY=";
  const sink = `sink-pwd:v1:10000:${salt}:${hash}:cmV0`;

  // Format of https://github.com/miantiao-me/Sink/blob/master/server/utils/link-password.ts, with values
  // computed by pbkdf2Sync of Node.js.
  test("by Sink is stored without the end of the password, and verified with the unchanged password", async () => {
    const stored = importPasswordHash(sink) ?? "";
    expect(stored).toBe(`sink-pbkdf2-sha256$10000$${salt}==$${plainHash}`);
    expect(readPasswordSalt(stored)).toBe(`${salt}==`);
    expect(await verifyPassword("caf\u00e9 secret", stored)).toBe(true);
    expect(await verifyPassword("cafe\u0301 secret", stored)).toBe(false);
    expect(await verifyPassword("caf\u00e9 secret ", stored)).toBe(false);
  });

  test("by this service is stored unchanged", async () => {
    const own = await hashPassword("open sesame");
    expect(importPasswordHash(own)).toBe(own);
  });

  test.each([
    ["1,000 rounds", sink.replace("10000", "1000")],
    ["100,000 rounds", sink.replace("10000", "100000")],
    ["8 bytes of salt", sink.replace(salt, "AAECAwQFBgc")],
    ["64 bytes of salt", sink.replace(salt, `${"A".repeat(84)}AA`)],
  ])("may have %s", (_, text) => {
    expect(importPasswordHash(text)).not.toBeNull();
  });

  test.each([
    ["999 rounds", sink.replace("10000", "999")],
    ["0999 rounds", sink.replace("10000", "0999")],
    ["100,001 rounds", sink.replace("10000", "100001")],
    ["no number of rounds", sink.replace("10000", "1e4")],
    ["7 bytes of salt", sink.replace(salt, "AAECAwQFBg")],
    ["65 bytes of salt", sink.replace(salt, "A".repeat(87))],
    ["31 bytes of hash", sink.replace(hash, hash.slice(0, 42))],
    ["33 bytes of hash", sink.replace(hash, `${hash}A`)],
    ["no end", sink.replace(":cmV0", "")],
    ["another version", sink.replace("v1", "v2")],
    ["another algorithm", `scrypt$10000$${salt}==$${plainHash}`],
    ["salt that is no Base64", `pbkdf2-sha256$10000$AAECAwQFBgcICQ=$${plainHash}`],
    ["something behind", `${sink}\n`],
    ["a mask instead", "__SINK_MASKED__\u2022\u2022\u2022ret"],
    ["nothing", ""],
  ])("with %s is rejected", (_, text) => {
    expect(importPasswordHash(text)).toBeNull();
  });
});
