import { expect, test, vi } from "vitest";
import { verifyPassword } from "../../src/core/password-hash.ts";
import { MINUTE_MS } from "../../src/core/time.ts";
import { verifyRecentPassword } from "../../src/guards/recent-passwords.ts";

vi.mock("../../src/core/password-hash.ts", () => ({
  verifyPassword: vi.fn(async (password: string, stored: string) => stored.startsWith(`hash of ${password}`)),
}));

/** Verifies a password. Returns the result and the number of derivations. */
async function verify(password: string, stored: string, nowMs: number): Promise<[boolean, number]> {
  vi.mocked(verifyPassword).mockClear();
  return [await verifyRecentPassword(password, stored, nowMs), vi.mocked(verifyPassword).mock.calls.length];
}

test("a right password is derived once in ten minutes, and a wrong one each time", async () => {
  expect(await verify("horse", "hash of horse", 0)).toEqual([true, 1]);
  expect(await verify("horse", "hash of horse", 10 * MINUTE_MS - 1)).toEqual([true, 0]);
  expect(await verify("horse", "hash of battery", 10 * MINUTE_MS - 1)).toEqual([false, 1]);
  expect(await verify("horse", "hash of horse", 10 * MINUTE_MS)).toEqual([true, 1]);
  for (let n = 0; n < 2; n++) expect(await verify("wrong", "hash of horse", 0)).toEqual([false, 1]);
});

test("only the last thousand right passwords are remembered", async () => {
  for (let n = 0; n < 1_001; n++) await verify("horse", `hash of horse ${n}`, 0);
  expect(await verify("horse", "hash of horse 1", 0)).toEqual([true, 0]);
  expect(await verify("horse", "hash of horse 0", 0)).toEqual([true, 1]);
});
