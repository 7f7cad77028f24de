import { createMiddleware } from "hono/factory";
import { parseAuthorization } from "../auth/key.ts";
import { createInvalidKeyError, verifyKey } from "../auth/verify-key.ts";
import type { ApiEnv } from "./context.ts";

/** Verifies the API key of a request and sets `key` and `workspace` for the handlers. */
export const authenticate = createMiddleware<ApiEnv>(async (c, next) => {
  const parts = parseAuthorization(c.req.header("Authorization"));
  if (parts === null) throw createInvalidKeyError();
  const { key, workspace } = await verifyKey(c.env.DB, parts, c.var.nowMs);
  c.set("key", key);
  c.set("workspace", workspace);
  await next();
});
