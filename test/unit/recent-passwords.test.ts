import { pbkdf2Sync } from "node:crypto";
import { expect, test, vi } from "vitest";
import { MINUTE_MS } from "../../src/core/time.ts";
import { verifyRecentPassword } from "../../src/guards/recent-passwords.ts";

/** Returns a stored hash of one round, which takes no time to derive. */
function hash(password: string, salt: string): string {
  const bits = pbkdf2Sync(password, salt, 1, 32, "sha256");
  return ["pbkdf2-sha256", 1, btoa(salt), bits.toString("base64")].join("$");
}

/** Verifies a password. Returns the result and the number of derivations. */
async function verify(password: string, stored: string, nowMs: number): Promise<[boolean, number]> {
  const derive = vi.spyOn(crypto.subtle, "deriveBits").mockClear();
  return [await verifyRecentPassword(password, stored, nowMs), derive.mock.calls.length];
}

test("a right password is derived once in ten minutes, and a wrong one each time", async () => {
  const stored = hash("horse", "salt");
  expect(await verify("horse", stored, 0)).toEqual([true, 1]);
  expect(await verify("horse", stored, 10 * MINUTE_MS - 1)).toEqual([true, 0]);
  expect(await verify("horse", hash("battery", "salt"), 10 * MINUTE_MS - 1)).toEqual([false, 1]);
  expect(await verify("horse", stored, 10 * MINUTE_MS)).toEqual([true, 1]);
  for (let n = 0; n < 2; n++) expect(await verify("wrong", stored, 0)).toEqual([false, 1]);
});

test("only the last thousand right passwords are remembered", async () => {
  for (let n = 0; n < 1_001; n++) await verify("horse", hash("horse", `salt ${n}`), 0);
  expect(await verify("horse", hash("horse", "salt 1"), 0)).toEqual([true, 0]);
  expect(await verify("horse", hash("horse", "salt 0"), 0)).toEqual([true, 1]);
});
