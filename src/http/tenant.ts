import { openDatabase } from "../db/client.ts";
import { queueDeliveries } from "../webhooks/outbox.ts";
import type { Tenant } from "../workspace/tenant.ts";
import type { ApiContext } from "./context.ts";

/** For whom an API request acts. */
export function tenantOf(c: ApiContext): Tenant {
  const { workspace, settings, nowMs, requestId } = c.var;
  return {
    db: openDatabase(c.env.DB),
    workspace,
    settings,
    nowMs,
    origin: c.var.origin ?? { requestId, isRepeated: false },
    queueDeliveries: (messages) => c.executionCtx.waitUntil(queueDeliveries(c.env.DELIVERY_QUEUE, messages)),
  };
}
