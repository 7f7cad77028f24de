import { and, eq, inArray, isNotNull } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { purgeLane } from "./delete-deliveries.ts";
import type { EndpointHealth } from "./endpoint-health.ts";
import { deleteLane } from "./lanes.ts";
import { deliveryBacklogs, webhookEvents, webhookLanes, webhooks } from "./webhooks.table.ts";

/**
 * Deletes one endpoint of a deleted workspace, or some of the endpoint's deliveries while it has any. After
 * the last endpoint, deletes the events without deliveries. Returns 0 if nothing is left.
 */
export async function eraseEndpoints(
  db: Database,
  health: DurableObjectNamespace<EndpointHealth>,
  workspaceId: string,
  nowMs: number,
): Promise<number> {
  const [endpoint] = await db
    .select({ id: webhooks.id, lane: webhookLanes.id })
    .from(webhooks)
    .leftJoin(webhookLanes, eq(webhookLanes.webhookId, webhooks.id))
    .where(eq(webhooks.workspaceId, workspaceId))
    .limit(1);
  if (endpoint === undefined) return eraseEvents(db, workspaceId);
  await deleteLane(db, { id: endpoint.id, workspaceId }, nowMs);
  if (endpoint.lane !== null && (await purgeLane(db, endpoint.lane))) return 1;
  await health.getByName(endpoint.id).reset();
  await db.delete(webhooks).where(inArray(webhooks.id, [endpoint.id]));
  return 1;
}

/** Deletes events whose deliveries were never written, and the row that counts the waiting deliveries. */
async function eraseEvents(db: Database, workspaceId: string): Promise<number> {
  await db.delete(deliveryBacklogs).where(eq(deliveryBacklogs.workspaceId, workspaceId));
  return deleteSome(
    db,
    webhookEvents,
    [webhookEvents.isScan, webhookEvents.id],
    and(eq(webhookEvents.workspaceId, workspaceId), isNotNull(webhookEvents.fannedOut)),
  );
}
