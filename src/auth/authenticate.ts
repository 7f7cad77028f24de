import { createMiddleware } from "hono/factory";
import { generateUuidv7 } from "../core/id.ts";
import { logError } from "../core/log.ts";
import { openDatabase } from "../db/database.ts";
import type { ApiContext, ApiEnv } from "../http/context.ts";
import { findInnerCaller } from "../http/inner-call.ts";
import { describeAuthorizationProblem, parseAuthorization } from "../keys/authorization.ts";
import type { KeyParts } from "../keys/key.ts";
import { forgetKey, hashApiKey, recallKey, rememberKey } from "../keys/known-keys.ts";
import { isFirstUseOfDay, recordUse } from "../keys/last-use.ts";
import { createInvalidKeyError, verifyKey } from "../keys/verify-key.ts";
import { CountedCall } from "../limits/counted-call.ts";
import { hasSessionCookie } from "../members/session-cookie.ts";
import { verifyLimited } from "./verify-limited.ts";

/**
 * Verifies the API key of a request and sets `caller` and `workspace` for the handlers. If this isolate has
 * verified the key before, counts the call (`countedCall`) in parallel, because both the limiter and the
 * directory are far away. The call is given back if the key is no longer valid or its workspace's plan has
 * changed.
 */
export const authenticateKey = createMiddleware<ApiEnv>(async (c, next) => {
  const inner = findInnerCaller(c.req.raw);
  if (inner !== undefined) {
    c.set("caller", inner.caller);
    c.set("workspace", inner.workspace);
    if (inner.countedCall !== undefined) c.set("countedCall", inner.countedCall);
    return next();
  }
  const parts = readKey(c);
  const { nowMs } = c.var;
  const keyHash = await hashApiKey(parts);
  const early = startCall(c, keyHash);
  const verify = () => verifyKey(c.env.DIRECTORY, parts, nowMs);
  const { key, workspace } = await verifyLimited(c, "api key", keyHash, verify).catch((error) => {
    forgetKey(keyHash);
    if (early !== undefined) c.executionCtx.waitUntil(early.giveBack());
    throw error;
  });
  if (early?.isOf(workspace)) c.set("countedCall", early);
  // Must finish before the call is counted again, because that may need the last call of the quota.
  else await early?.giveBack();
  rememberKey(keyHash, parts.prefix, workspace, nowMs);
  const { id, name, prefix, scopes } = key;
  if (isFirstUseOfDay(key, nowMs)) writeUse(c, id);
  c.set("caller", { actor: { type: "key", id, name }, scopes, bucket: prefix });
  c.set("workspace", workspace);
  await next();
});

/** Returns a request's API key. Throws `INVALID_API_KEY`. */
function readKey(c: ApiContext): KeyParts {
  const header = c.req.header("Authorization");
  const parts = parseAuthorization(header);
  if (parts !== null) return parts;
  if (header === undefined && hasSessionCookie(c.req.header("Cookie"))) {
    throw createInvalidKeyError(
      `The API key is missing. Sessions are only accepted at ${c.var.settings.appUrl}.`,
    );
  }
  const hasApiKeyHeader = c.req.header("X-API-Key") !== undefined;
  throw createInvalidKeyError(describeAuthorizationProblem(header, hasApiKeyHeader));
}

/** Starts counting the call if this isolate has verified the key before. */
function startCall(c: ApiContext, keyHash: string): CountedCall | undefined {
  const { nowMs } = c.var;
  const known = recallKey(keyHash, nowMs);
  if (known === undefined) return undefined;
  const { workspaceId, plan, prefix } = known;
  // Doesn't use the request's id, because that id is needed to count the call again if this count is given
  // back.
  return new CountedCall(c.env.LIMITER, { workspaceId, plan, bucket: prefix }, generateUuidv7(nowMs));
}

/**
 * Records the day of the key's last use after the response. Failures are logged, and the next call tries
 * again.
 */
function writeUse(c: ApiContext, keyId: string): void {
  const written = recordUse(openDatabase(c.env.DIRECTORY), keyId, c.var.nowMs).catch((error) =>
    logError("the last use of a key could not be stored", error),
  );
  c.executionCtx.waitUntil(written);
}
