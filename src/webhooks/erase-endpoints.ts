import { eq, inArray } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { inJson } from "../db/in-json.ts";
import type { EndpointHealth } from "./endpoint-health.ts";
import { webhookAttempts, webhookDeliveries, webhooks } from "./webhooks.table.ts";

/** Deliveries that one step deletes. Each has a few dozen attempts at most. */
const DELIVERIES_PER_STEP = 50;

/**
 * Deletes an endpoint of a deleted workspace, or some of its deliveries as long as it has any. Returns the number of
 * deleted endpoints and deliveries: 0 if none are left.
 */
export async function eraseEndpoints(
  db: Database,
  health: DurableObjectNamespace<EndpointHealth>,
  workspaceId: string,
): Promise<number> {
  const [endpoint] = await db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(eq(webhooks.workspaceId, workspaceId))
    .limit(1);
  if (endpoint === undefined) return 0;
  const deliveries = await db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.webhookId, endpoint.id))
    .limit(DELIVERIES_PER_STEP);
  if (deliveries.length > 0) {
    const ids = deliveries.map(({ id }) => id);
    await db.batch([
      db.delete(webhookAttempts).where(inJson(webhookAttempts.deliveryId, ids)),
      db.delete(webhookDeliveries).where(inJson(webhookDeliveries.id, ids)),
    ]);
    return deliveries.length;
  }
  await health.getByName(endpoint.id).reset();
  await db.delete(webhooks).where(inArray(webhooks.id, [endpoint.id]));
  return 1;
}
