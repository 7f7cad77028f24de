import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { acted } from "../audit/describe-changes.ts";
import { logChange } from "../audit/shard-log.ts";
import { ApiError, createNotFoundError } from "../core/error.ts";
import { toIso, toIsoOrNull } from "../core/time.ts";
import { type ListPage, olderThan } from "../db/list-page.ts";
import { getWaitingCap } from "../tenant/plans.ts";
import { deriveId } from "../tenant/request-origin.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { explainBacklog, takeWaiting } from "./backlog.ts";
import { webhookById } from "./endpoints.ts";
import { selectEpoch, selectLane } from "./lanes.ts";
import { buildEvent, commitTo } from "./outbox.ts";
import { LOGGED_ATTEMPTS_MAX } from "./turn.ts";
import { sendWakeUps } from "./wake-ups.ts";
import { auditedWebhook } from "./webhook-audit.ts";
import type { DeliveryDetailResponse, DeliveryFilter, DeliveryResponse } from "./webhooks.schema.ts";
import { deliveryAttempts, eventDeliveries, webhookEvents, webhooks } from "./webhooks.table.ts";
import { formatFirstDeliveryId } from "./write-events.ts";

/** Maximum number of deliveries that a filtered list reads. */
const EXAMINED_MAX = 2_000;

/** Delivery as stored in the log, without internal columns. */
export type Delivery = Omit<typeof eventDeliveries.$inferSelect, "lane" | "epoch" | "nextAttemptAt">;

/** Delivery with its payload and its latest attempts. */
export interface DeliveryDetail {
  delivery: Delivery;
  payload: string;
  attempts: (typeof deliveryAttempts.$inferSelect)[];
}

/** Page of an endpoint's deliveries, newest first. */
export interface DeliveryPage {
  deliveries: Delivery[];
  /** Value of `before` for the next page, or null at the end. */
  nextBefore: string | null;
  /**
   * If a filtered list ended early because {@link EXAMINED_MAX} deliveries had been read: value of `before`
   * with which to continue. Otherwise null.
   */
  unexaminedBefore: string | null;
}

/**
 * Returns a page of an endpoint's deliveries. With a filter, reads at most {@link EXAMINED_MAX} deliveries,
 * so that the cost doesn't grow with the log. Throws `RESOURCE_NOT_FOUND`.
 */
export async function listDeliveries(
  { db, workspace }: Tenant,
  webhookId: string,
  { status, event_type }: DeliveryFilter,
  { limit, offset, before }: ListPage,
): Promise<DeliveryPage> {
  const isFiltered = status !== undefined || event_type !== undefined;
  const older = and(deliveriesTo(workspace.id, webhookId), olderThan(eventDeliveries.id, before));
  const newestFirst = desc(eventDeliveries.id);
  const examined = db.select().from(eventDeliveries).where(older).orderBy(newestFirst).limit(EXAMINED_MAX);
  const candidates = examined.as("candidates");
  const matching = and(
    status && eq(candidates.status, status),
    event_type && eq(candidates.eventType, event_type),
  );
  const all = db.select().from(eventDeliveries).where(older).orderBy(newestFirst);
  const filtered = db.select().from(candidates).where(matching).orderBy(desc(candidates.id));
  const [[webhook], page, [last]] = await db.batch([
    db.select({ id: webhooks.id }).from(webhooks).where(webhookById(workspace.id, webhookId)),
    (isFiltered ? filtered : all).limit(limit).offset(offset),
    db
      .select({ id: eventDeliveries.id })
      .from(eventDeliveries)
      .where(isFiltered ? older : sql`false`)
      .orderBy(newestFirst)
      .limit(1)
      .offset(EXAMINED_MAX - 1),
  ]);
  if (webhook === undefined) throw createNotFoundError("webhook");
  const isFull = page.length === limit;
  const unexaminedBefore = isFull ? null : (last?.id ?? null);
  const nextBefore = isFull ? (page.at(-1)?.id ?? null) : unexaminedBefore;
  return { deliveries: page, nextBefore, unexaminedBefore };
}

/** Returns a delivery with its payload and its latest attempts, oldest first. Throws `RESOURCE_NOT_FOUND`. */
export async function getDelivery(
  { db, workspace }: Tenant,
  webhookId: string,
  deliveryId: string,
): Promise<DeliveryDetail> {
  const byId = and(deliveriesTo(workspace.id, webhookId), eq(eventDeliveries.id, deliveryId));
  const [[webhook], [found], attempts] = await db.batch([
    db.select({ id: webhooks.id }).from(webhooks).where(webhookById(workspace.id, webhookId)),
    db
      .select({ delivery: eventDeliveries, payload: webhookEvents.payload })
      .from(eventDeliveries)
      .innerJoin(webhookEvents, eventOfDelivery)
      .where(byId),
    db
      .select()
      .from(deliveryAttempts)
      .where(
        and(
          eq(deliveryAttempts.deliveryId, deliveryId),
          sql`exists (select 1 from ${eventDeliveries} where ${byId})`,
        ),
      )
      .orderBy(desc(deliveryAttempts.number))
      .limit(LOGGED_ATTEMPTS_MAX),
  ]);
  if (webhook === undefined) throw createNotFoundError("webhook");
  if (found === undefined) throw createNotFoundError("delivery");
  return { ...found, attempts: attempts.reverse() };
}

/** Condition that joins a delivery to its event. */
const eventOfDelivery = sql`${webhookEvents.isScan} = (${eventDeliveries.eventType} = 'link.scanned')
  and ${webhookEvents.id} = substr(${eventDeliveries.id}, 1, 32)`;

/**
 * Sends `webhook.test` to one endpoint, even if it doesn't subscribe to that event. Throws
 * `RESOURCE_NOT_FOUND`, `WEBHOOK_DISABLED`, `DELIVERY_BACKLOG`.
 */
export async function sendTest(tenant: Tenant, webhookId: string): Promise<Delivery> {
  const { db, workspace, nowMs, origin } = tenant;
  const byId = webhookById(workspace.id, webhookId);
  const idPrefix = deriveId(tenant).slice(0, 28);
  const isSent = and(
    deliveriesTo(workspace.id, webhookId),
    eq(eventDeliveries.id, formatFirstDeliveryId(idPrefix)),
  );
  const selectSent = db.select().from(eventDeliveries).where(isSent);
  const [earlier] = origin.isRetry ? await selectSent : [];
  if (earlier !== undefined) return earlier;
  const [, [webhook]] = await commitTo(
    { ...tenant, shard: workspace.shard },
    [
      logChange(tenant, acted(auditedWebhook, and(byId, webhooks.enabled))),
      db.select().from(webhooks).where(byId),
    ],
    buildEvent("webhook.test", nowMs, { webhook_id: webhookId }),
    {
      workspaceId: workspace.id,
      condition: sql`${byId}`,
      cap: getWaitingCap(workspace.plan),
      isSkipping: false,
      idPrefix,
    },
  );
  if (webhook === undefined) throw createNotFoundError("webhook");
  if (!webhook.enabled) throw createDisabledError();
  return {
    id: formatFirstDeliveryId(idPrefix),
    eventType: "webhook.test",
    status: "pending",
    attempts: 0,
    attemptsBefore: 0,
    responseStatus: null,
    createdAt: nowMs,
    deliveredAt: null,
    failedAt: null,
  };
}

/**
 * Sends a delivery again immediately, with the same id, and restarts its retry schedule. Throws
 * `RESOURCE_NOT_FOUND`, `WEBHOOK_DISABLED`, `DELIVERY_BACKLOG`.
 */
export async function resendDelivery(
  tenant: Tenant,
  webhookId: string,
  deliveryId: string,
): Promise<Delivery> {
  const { db, workspace, nowMs, deliveryQueue, waitUntil } = tenant;
  const endpoint = { id: webhookId, workspaceId: workspace.id };
  const resendable = sql`${and(deliveriesTo(workspace.id, webhookId), eq(eventDeliveries.id, deliveryId))}
      and exists (select 1 from ${webhooks} where ${webhookById(workspace.id, webhookId)} and ${webhooks.enabled})`;
  const isDelivery = sql`exists (select 1 from ${eventDeliveries} where ${resendable})`;
  const [, , [delivery]] = await db
    .batch([
      logChange(tenant, acted(auditedWebhook, and(webhookById(workspace.id, webhookId), isDelivery))),
      takeWaiting(
        db,
        sql`select ${workspace.id}, 1, ${getWaitingCap(workspace.plan)} from ${eventDeliveries}
             where ${resendable} and ${eventDeliveries.nextAttemptAt} is null`,
      ),
      db
        .update(eventDeliveries)
        .set({
          status: sql`iif(${eventDeliveries.attempts} = 0, 'pending', 'retrying')`,
          attemptsBefore: sql`${eventDeliveries.attempts}`,
          deliveredAt: null,
          failedAt: null,
          epoch: selectEpoch(endpoint),
          nextAttemptAt: nowMs,
        })
        .where(resendable)
        .returning(),
    ])
    .catch((error) => {
      throw explainBacklog(error);
    });
  if (delivery === undefined) {
    await getDelivery(tenant, webhookId, deliveryId);
    throw createDisabledError();
  }
  waitUntil(
    sendWakeUps(deliveryQueue, workspace.shard, [{ workspaceId: workspace.id, lane: delivery.lane }]),
  );
  return delivery;
}

function createDisabledError(): ApiError {
  return new ApiError("WEBHOOK_DISABLED", "The webhook endpoint is disabled. Enable it first.");
}

/** Formats a delivery for a response. */
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

/** Formats a delivery with its payload and its latest attempts for a response. */
export function presentDeliveryDetail({ delivery, payload, attempts }: DeliveryDetail) {
  return {
    ...presentDelivery(delivery),
    payload: JSON.parse(payload),
    attempts_log: attempts.map((attempt) => ({
      attempted_at: toIso(attempt.attemptedAt),
      response_status: attempt.responseStatus,
      latency_ms: attempt.latencyMs,
      error: attempt.error,
      response_body: attempt.responseBody,
    })),
  } satisfies DeliveryDetailResponse;
}

/** Returns the condition for the deliveries to a workspace's endpoint. */
function deliveriesTo(workspaceId: string, webhookId: string): SQL | undefined {
  return eq(eventDeliveries.lane, selectLane({ id: webhookId, workspaceId }));
}
