import { openDatabase } from "../db/database.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { queueDeliveries } from "../webhooks/outbox.ts";
import type { ApiContext } from "./context.ts";

/** For whom an API request acts. */
export function tenantFor(c: ApiContext): Tenant {
  const { workspace, settings, nowMs, requestId } = c.var;
  return {
    db: openDatabase(c.env.DB),
    workspace,
    settings,
    nowMs,
    origin: c.var.origin ?? { requestId, isRetry: false },
    queueDeliveries: (messages) => c.executionCtx.waitUntil(queueDeliveries(c.env.DELIVERY_QUEUE, messages)),
  };
}
