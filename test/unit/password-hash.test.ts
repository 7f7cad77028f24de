import { expect, test } from "vitest";
import { fromHex, toBase64 } from "../../src/core/crypto.ts";
import { hashPassword, readPasswordSalt, verifyPassword } from "../../src/core/password-hash.ts";

/** Formats a stored hash from the hexadecimal beginning of a vector. */
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

test("hashPassword takes 100,000 rounds and another salt each time", async () => {
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

test("a password is the same in each Unicode form of its letters", async () => {
  const composed = "caf\u00e9 \u1e69";
  const decomposed = composed.normalize("NFD");
  expect(decomposed).not.toBe(composed);
  expect(await verifyPassword(decomposed, await hashPassword(composed))).toBe(true);
  expect(await verifyPassword(composed, await hashPassword(decomposed))).toBe(true);
});

test("a hash of another algorithm is an error, not a wrong password", async () => {
  await expect(verifyPassword("x", "scrypt$1$c2FsdA==$aGFzaA==")).rejects.toThrow("unknown algorithm");
  expect(() => readPasswordSalt("")).toThrow("unknown algorithm");
});
