import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { ApiError, notFound } from "../core/error.ts";
import { toIso, toIsoOrNull } from "../core/time.ts";
import { deriveId } from "../tenant/request-origin.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { webhookById } from "./endpoints.ts";
import { insertDeliveries, newEvent } from "./outbox.ts";
import type { DeliveryDetailResponse, DeliveryFilter, DeliveryResponse } from "./webhooks.schema.ts";
import { webhookAttempts, webhookDeliveries, webhooks } from "./webhooks.table.ts";

/** A delivery as it is stored. */
export type Delivery = typeof webhookDeliveries.$inferSelect;

type LoggedAttempt = typeof webhookAttempts.$inferSelect;

/** A page of an endpoint's deliveries, newest first. Throws `RESOURCE_NOT_FOUND`. */
export async function listDeliveries(
  tenant: Tenant,
  webhookId: string,
  { limit, offset, status, event_type }: DeliveryFilter,
): Promise<Delivery[]> {
  const { db, workspace } = tenant;
  const isListed = and(
    deliveriesTo(workspace.id, webhookId),
    status && eq(webhookDeliveries.status, status),
    event_type && eq(webhookDeliveries.eventType, event_type),
  );
  const [[webhook], page] = await db.batch([
    db.select({ id: webhooks.id }).from(webhooks).where(webhookById(workspace.id, webhookId)),
    db
      .select()
      .from(webhookDeliveries)
      .where(isListed)
      .orderBy(desc(webhookDeliveries.id))
      .limit(limit)
      .offset(offset),
  ]);
  if (webhook === undefined) throw notFound();
  return page;
}

/** A delivery and its attempts, oldest first. Throws `RESOURCE_NOT_FOUND`. */
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
  if (webhook === undefined || delivery === undefined) throw notFound();
  return { delivery, attempts };
}

/** Sends `webhook.test` to one endpoint, whatever it asked for. Errors: `RESOURCE_NOT_FOUND`, `WEBHOOK_DISABLED`. */
export async function sendTest(tenant: Tenant, webhookId: string): Promise<Delivery> {
  const { db, workspace, nowMs } = tenant;
  const isNamed = webhookById(workspace.id, webhookId);
  const test = newEvent("webhook.test", nowMs, { webhook_id: webhookId });
  const id = deriveId(tenant);
  const [[webhook], sent, [delivery]] = await db.batch([
    db.select({ id: webhooks.id }).from(webhooks).where(isNamed),
    insertDeliveries(db, nowMs, test, sql`${isNamed}`, sql`${id}`).onConflictDoNothing(),
    db
      .select()
      .from(webhookDeliveries)
      .where(and(deliveriesTo(workspace.id, webhookId), eq(webhookDeliveries.id, id))),
  ]);
  if (webhook === undefined) throw notFound();
  if (delivery === undefined) throw webhookDisabled();
  tenant.queueDeliveries(sent);
  return delivery;
}

/**
 * Sends a delivery again, at once and under its own id, with the whole retry schedule before it. Errors:
 * `RESOURCE_NOT_FOUND`, `WEBHOOK_DISABLED`.
 */
export async function resendDelivery(
  tenant: Tenant,
  webhookId: string,
  deliveryId: string,
): Promise<Delivery> {
  const { db, workspace, nowMs } = tenant;
  const isOfEnabled = sql`exists (select 1 from ${webhooks}
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
    .where(and(deliveriesTo(workspace.id, webhookId), eq(webhookDeliveries.id, deliveryId), isOfEnabled))
    .returning();
  if (delivery === undefined) {
    await getDelivery(tenant, webhookId, deliveryId);
    throw webhookDisabled();
  }
  tenant.queueDeliveries([{ deliveryId, webhookId }]);
  return delivery;
}

function webhookDisabled(): ApiError {
  return new ApiError("WEBHOOK_DISABLED", "The webhook is disabled; enable it to send to it.");
}

/** The delivery as it is answered (contract section 2.9). */
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

/** The delivery with what was sent and every attempt. */
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

function deliveriesTo(workspaceId: string, webhookId: string): SQL | undefined {
  return and(eq(webhookDeliveries.workspaceId, workspaceId), eq(webhookDeliveries.webhookId, webhookId));
}
