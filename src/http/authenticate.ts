import { createMiddleware } from "hono/factory";
import { describeAuthorizationFault, parseAuthorization } from "../auth/authorization.ts";
import { createInvalidKeyError, verifyKey } from "../auth/verify-key.ts";
import type { ApiEnv } from "./context.ts";

/** Verifies the API key of a request and sets `key` and `workspace` for the handlers. */
export const authenticate = createMiddleware<ApiEnv>(async (c, next) => {
  const header = c.req.header("Authorization");
  const parts = parseAuthorization(header);
  if (parts === null) {
    const hasApiKeyHeader = c.req.header("X-API-Key") !== undefined;
    throw createInvalidKeyError(describeAuthorizationFault(header, hasApiKeyHeader));
  }
  const { key, workspace } = await verifyKey(c.env.DIRECTORY, parts, c.var.nowMs);
  c.set("key", key);
  c.set("workspace", workspace);
  await next();
});
