import { openDatabase } from "../db/database.ts";
import { getShard } from "../db/shards.ts";
import type { Tenant } from "../tenant/tenant.ts";
import type { ApiContext } from "./context.ts";

/** Returns the tenant that an API request acts for. */
export function tenantFor(c: ApiContext): Tenant {
  const {
    workspace,
    settings,
    nowMs,
    caller,
    operation,
    requestId,
    origin = { requestId, isRetry: false },
  } = c.var;
  return {
    db: openDatabase(getShard(c.env, workspace.shard)),
    directory: openDatabase(c.env.DIRECTORY),
    workspace,
    settings,
    nowMs,
    origin,
    actor: caller.actor,
    operation,
    requestId,
    deliveryQueue: c.env.DELIVERY_QUEUE,
    waitUntil: (promise) => c.executionCtx.waitUntil(promise),
  };
}
