import { expect, test, vi } from "vitest";
import { verifyLimited } from "../../src/auth/verify-limited.ts";
import { ApiError } from "../../src/core/error.ts";
import type { ApiContext } from "../../src/http/context.ts";

/** Verification of credentials, limited per network. */

const NOW_MS = 1_800_000_000_000;
const count = vi.fn(async () => ({ success: false }));
let networks = 0;

/** Returns the context of requests from a new network, which is over the limit after one rejected credential. */
function openNetwork(): ApiContext {
  networks += 1;
  count.mockClear();
  const headers = new Headers({ "CF-Connecting-IP": `198.51.100.${networks}` });
  return {
    env: { UNKNOWN_LIMIT: { limit: count } },
    req: { raw: { headers } },
    var: { nowMs: NOW_MS },
  } as unknown as ApiContext;
}

const verify = (c: ApiContext, kind: "api key" | "session", hash: string, result: () => Promise<string>) =>
  verifyLimited(c, kind, hash, result).catch((error) => error);

const accept = async () => "verified";
const reject = async (): Promise<string> => {
  throw new ApiError("REVOKED_API_KEY", "revoked");
};

test("a verified credential counts nowhere", async () => {
  const c = openNetwork();
  expect(await verify(c, "session", "accepted", accept)).toBe("verified");
  expect(count).not.toHaveBeenCalled();
});

test.each([
  [new ApiError("INVALID_API_KEY", "unknown"), 1],
  [new ApiError("REVOKED_API_KEY", "revoked"), 1],
  [new ApiError("NOT_A_MEMBER", "no member"), 0],
  [new ApiError("SERVICE_UNAVAILABLE", "down"), 0],
  [Object.assign(new Error("no response"), { status: 401 }), 0],
])("%s is thrown as it is, and counts %i times for the network", async (error, counted) => {
  const c = openNetwork();
  const thrown = await verify(c, "api key", `rejected ${networks}`, async () => {
    throw error;
  });
  expect(thrown).toBe(error);
  expect(count).toHaveBeenCalledTimes(counted);
});

test("a network with too many rejected credentials gets 429 before the database is read, for this kind only", async () => {
  const c = openNetwork();
  for (let tries = 0; tries <= 20; tries++) {
    expect(await verify(c, "api key", `guess ${tries}`, reject)).toMatchObject({ code: "REVOKED_API_KEY" });
  }
  const read = vi.fn(reject);
  expect(await verify(c, "api key", "one more", read)).toMatchObject({
    code: "RATE_LIMIT_EXCEEDED",
    message: "Your network has sent too many invalid api keys.",
    headers: { "Retry-After": "1" },
  });
  expect(read).not.toHaveBeenCalled();
  expect(await verify(c, "session", "first", accept)).toBe("verified");
});
