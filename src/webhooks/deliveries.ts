import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { ApiError, createNotFoundError } from "../core/error.ts";
import { toIso, toIsoOrNull } from "../core/time.ts";
import { deriveId } from "../tenant/request-origin.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { webhookById } from "./endpoints.ts";
import { insertDeliveries, newEvent, sendDeliveries } from "./outbox.ts";
import type { DeliveryDetailResponse, DeliveryFilter, DeliveryResponse } from "./webhooks.schema.ts";
import { webhookAttempts, webhookDeliveries, webhooks } from "./webhooks.table.ts";

/** Stored delivery. */
export type Delivery = typeof webhookDeliveries.$inferSelect;

type LoggedAttempt = typeof webhookAttempts.$inferSelect;

/** Returns a page of an endpoint's deliveries, newest first. Throws `RESOURCE_NOT_FOUND`. */
export async function listDeliveries(
  tenant: Tenant,
  webhookId: string,
  { limit, offset, status, event_type }: DeliveryFilter,
): Promise<Delivery[]> {
  const { db, workspace } = tenant;
  const matching = and(
    deliveriesTo(workspace.id, webhookId),
    status && eq(webhookDeliveries.status, status),
    event_type && eq(webhookDeliveries.eventType, event_type),
  );
  const [[webhook], page] = await db.batch([
    db.select({ id: webhooks.id }).from(webhooks).where(webhookById(workspace.id, webhookId)),
    db
      .select()
      .from(webhookDeliveries)
      .where(matching)
      .orderBy(desc(webhookDeliveries.id))
      .limit(limit)
      .offset(offset),
  ]);
  if (webhook === undefined) throw createNotFoundError("webhook");
  return page;
}

/** Returns a delivery and its attempts, oldest first. Throws `RESOURCE_NOT_FOUND`. */
export async function getDelivery(
  { db, workspace }: Tenant,
  webhookId: string,
  deliveryId: string,
): Promise<{ delivery: Delivery; attempts: LoggedAttempt[] }> {
  const [[webhook], [delivery], attempts] = await db.batch([
    db.select({ id: webhooks.id }).from(webhooks).where(webhookById(workspace.id, webhookId)),
    db
      .select()
      .from(webhookDeliveries)
      .where(and(deliveriesTo(workspace.id, webhookId), eq(webhookDeliveries.id, deliveryId))),
    db
      .select()
      .from(webhookAttempts)
      .where(eq(webhookAttempts.deliveryId, deliveryId))
      .orderBy(asc(webhookAttempts.number)),
  ]);
  if (webhook === undefined) throw createNotFoundError("webhook");
  if (delivery === undefined) throw createNotFoundError("delivery");
  return { delivery, attempts };
}

/** Sends `webhook.test` to one endpoint, whatever its subscriptions. Throws `RESOURCE_NOT_FOUND`, `WEBHOOK_DISABLED`. */
export async function sendTest(tenant: Tenant, webhookId: string): Promise<Delivery> {
  const { db, workspace, nowMs } = tenant;
  const byId = webhookById(workspace.id, webhookId);
  const test = newEvent("webhook.test", nowMs, { webhook_id: webhookId });
  const id = deriveId(tenant);
  const [[webhook], messages, [delivery]] = await db.batch([
    db.select({ id: webhooks.id }).from(webhooks).where(byId),
    insertDeliveries(db, nowMs, test, sql`${byId}`, sql`${id}`).onConflictDoNothing(),
    db
      .select()
      .from(webhookDeliveries)
      .where(and(deliveriesTo(workspace.id, webhookId), eq(webhookDeliveries.id, id))),
  ]);
  if (webhook === undefined) throw createNotFoundError("webhook");
  if (delivery === undefined) throw webhookDisabled();
  sendDeliveries(tenant, messages);
  return delivery;
}

/**
 * Sends a delivery again at once, under the same id, and starts its retry schedule again. Throws `RESOURCE_NOT_FOUND`,
 * `WEBHOOK_DISABLED`.
 */
export async function resendDelivery(
  tenant: Tenant,
  webhookId: string,
  deliveryId: string,
): Promise<Delivery> {
  const { db, workspace, nowMs } = tenant;
  const endpointEnabled = sql`exists (select 1 from ${webhooks}
                                   where ${webhookById(workspace.id, webhookId)} and ${webhooks.enabled})`;
  const [delivery] = await db
    .update(webhookDeliveries)
    .set({
      status: sql`iif(${webhookDeliveries.attempts} = 0, 'pending', 'retrying')`,
      attemptsBefore: sql`${webhookDeliveries.attempts}`,
      deliveredAt: null,
      failedAt: null,
      nextAttemptAt: nowMs,
    })
    .where(and(deliveriesTo(workspace.id, webhookId), eq(webhookDeliveries.id, deliveryId), endpointEnabled))
    .returning();
  if (delivery === undefined) {
    await getDelivery(tenant, webhookId, deliveryId);
    throw webhookDisabled();
  }
  sendDeliveries(tenant, [{ deliveryId, webhookId }]);
  return delivery;
}

function webhookDisabled(): ApiError {
  return new ApiError("WEBHOOK_DISABLED", "The webhook is disabled. Enable it before you send to it.");
}

/** Returns the delivery as a response shows it. */
export function presentDelivery(delivery: Delivery): DeliveryResponse {
  return {
    id: delivery.id,
    status: delivery.status,
    event_type: delivery.eventType,
    created_at: toIso(delivery.createdAt),
    delivered_at: toIsoOrNull(delivery.deliveredAt),
    failed_at: toIsoOrNull(delivery.failedAt),
    attempts: delivery.attempts,
    response_status: delivery.responseStatus,
  };
}

/** Returns the delivery as a response shows it, with its payload and every attempt. */
export function presentDeliveryDetail(delivery: Delivery, attempts: readonly LoggedAttempt[]) {
  return {
    ...presentDelivery(delivery),
    payload: JSON.parse(delivery.payload),
    attempts_log: attempts.map((attempt) => ({
      attempted_at: toIso(attempt.attemptedAt),
      response_status: attempt.responseStatus,
      latency_ms: attempt.latencyMs,
      error: attempt.error,
      response_body: attempt.responseBody,
    })),
  } satisfies DeliveryDetailResponse;
}

/** Returns the condition for the deliveries to an endpoint of a workspace. */
function deliveriesTo(workspaceId: string, webhookId: string): SQL | undefined {
  return and(eq(webhookDeliveries.workspaceId, workspaceId), eq(webhookDeliveries.webhookId, webhookId));
}
