import { afterEach, expect, test, vi } from "vitest";
import { sha256Hex } from "../../src/core/crypto.ts";
import { forgetKey, hashApiKey, recallKey, rememberKey } from "../../src/keys/known-keys.ts";
import { verifyKey } from "../../src/keys/verify-key.ts";

const NOW_MS = Date.parse("2026-11-21T09:30:00Z");
const HOUR_MS = 3_600_000;
const PARTS = { prefix: "AbCd1234", secret: "x".repeat(64) };

afterEach(() => void vi.restoreAllMocks());

/** Returns a directory whose only key has the given columns, or no key without columns. */
async function buildDirectory(columns?: object): Promise<D1Database> {
  const row = columns && {
    secret_hash: await sha256Hex(PARTS.secret),
    scopes: "[]",
    expires_at: null,
    revoked_at: null,
    id: "w",
    name: "Acme",
    description: "",
    plan: "pro",
    shard: 0,
    is_moving: 0,
    created_at: 0,
    hostnames: "[]",
    ...columns,
  };
  const statement = { bind: () => statement, first: async () => row ?? null };
  return { prepare: () => statement } as unknown as D1Database;
}

test.each([
  ["that expires in a millisecond", { expires_at: NOW_MS + 1 }, undefined],
  ["that expires now", { expires_at: NOW_MS }, "EXPIRED_API_KEY"],
  ["that expired", { expires_at: NOW_MS - 1 }, "EXPIRED_API_KEY"],
  ["that was revoked and expired", { expires_at: 1, revoked_at: NOW_MS - 1 }, "REVOKED_API_KEY"],
  ["that is revoked now", { revoked_at: NOW_MS }, "REVOKED_API_KEY"],
  ["that will be revoked in a millisecond", { revoked_at: NOW_MS + 1 }, undefined],
  ["that was revoked at the beginning of time", { revoked_at: 0 }, "REVOKED_API_KEY"],
  ["with another secret", { secret_hash: "0".repeat(64), revoked_at: 1 }, "INVALID_API_KEY"],
])("verifyKey checks a key %s", async (_, columns, code) => {
  const verified = await verifyKey(await buildDirectory(columns), PARTS, NOW_MS).catch((error) => error.code);
  if (code === undefined)
    expect(verified).toMatchObject({ key: { prefix: "AbCd1234" }, workspace: { id: "w" } });
  else expect(verified).toBe(code);
});

test("verifyKey rejects an unknown prefix, and reports a workspace that is moving", async () => {
  await expect(verifyKey(await buildDirectory(), PARTS, NOW_MS)).rejects.toMatchObject({
    code: "INVALID_API_KEY",
  });
  const { workspace } = await verifyKey(await buildDirectory({ is_moving: 1 }), PARTS, NOW_MS);
  expect(workspace.isMoving).toBe(true);
});

test("a verified key is cached for an hour, by its prefix and its secret", async () => {
  const hash = await hashApiKey(PARTS);
  rememberKey(hash, PARTS.prefix, { id: "w", plan: "pro" }, NOW_MS);
  const known = { prefix: "AbCd1234", workspaceId: "w", plan: "pro", verifiedAtMs: NOW_MS };
  expect(recallKey(hash, NOW_MS + HOUR_MS - 1)).toEqual(known);
  expect(recallKey(hash, NOW_MS + HOUR_MS)).toBeUndefined();
  expect(recallKey(await hashApiKey({ ...PARTS, secret: "y".repeat(64) }), NOW_MS)).toBeUndefined();
  forgetKey(hash);
  expect(recallKey(hash, NOW_MS)).toBeUndefined();
});
