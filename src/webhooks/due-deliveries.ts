import { and, asc, eq, gt, inArray, lte, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { formatUuidTime } from "../core/id.ts";
import { DAY_MS, SECOND_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { inJson } from "../db/in-json.ts";
import { selectColumns } from "../db/select-columns.ts";
import { domains } from "../tenant/tenant.table.ts";
import type { AttemptOutcome } from "./attempt.ts";
import type { Delivery } from "./deliveries.ts";
import type { DeliveryMessage } from "./delivery-state.ts";
import type { Webhook } from "./endpoints.ts";
import { webhookAttempts, webhookDeliveries, webhooks } from "./webhooks.table.ts";

/**
 * Time that a claim keeps other processes from the same attempt. It is longer than an attempt takes, so an attempt that
 * outlives its claim has died with its process.
 */
const CLAIM_MS = 15 * SECOND_MS;

/** Tolerance for clocks that differ: a message that arrives this much too early waits for its delivery to be due. */
const NEARLY_DUE_MS = 2 * SECOND_MS;

/** Time after which a due delivery without an attempt counts as one whose message was lost. */
const OVERDUE_MS = 5 * SECOND_MS;
/** Maximum number of deliveries that one sweep sends again, and that it deletes. */
const SWEPT_MAX = 5_000;
/** Retention of deliveries and their attempts. */
const RETENTION_MS = 90 * DAY_MS;

/** Delivery whose next attempt this process makes, and the endpoint that receives it. */
export interface Claim {
  delivery: Delivery;
  webhook: Webhook;
  /** True if a workspace of this deployment added the endpoint's host. */
  isOwnDomain: boolean;
}

/** Outcome for the messages of a batch. `early` holds the ids of deliveries that are due within {@link NEARLY_DUE_MS}. */
export interface Claims {
  claims: Claim[];
  early: Set<string>;
}

/**
 * Claims those of the deliveries that are due. Of several processes that try, one claims a delivery, since the claim
 * moves its due time. Deliveries to disabled endpoints are never due.
 */
export async function claimDeliveries(
  db: Database,
  messages: readonly DeliveryMessage[],
  nowMs: number,
): Promise<Claims> {
  const requested = inJson(
    webhookDeliveries.id,
    messages.map(({ deliveryId }) => deliveryId),
  );
  const [claimed, endpoints, early] = await db.batch([
    db
      .update(webhookDeliveries)
      .set({ nextAttemptAt: nowMs + CLAIM_MS })
      .where(
        and(
          requested,
          lte(webhookDeliveries.nextAttemptAt, nowMs),
          sql`exists (select 1 from ${webhooks} as endpoint
                       where endpoint.id = ${webhookDeliveries.webhookId} and endpoint.enabled)`,
        ),
      )
      .returning(),
    db
      .select({
        webhook: webhooks,
        isOwnDomain: sql<number>`exists (select 1 from ${domains} where ${domains.hostname} = ${webhooks.hostname})`,
      })
      .from(webhooks)
      .where(
        inJson(
          webhooks.id,
          messages.map(({ webhookId }) => webhookId),
        ),
      ),
    db
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(
        and(
          requested,
          gt(webhookDeliveries.nextAttemptAt, nowMs),
          lte(webhookDeliveries.nextAttemptAt, nowMs + NEARLY_DUE_MS),
        ),
      ),
  ]);
  const byId = new Map(endpoints.map((endpoint) => [endpoint.webhook.id, endpoint]));
  return {
    claims: claimed.flatMap((delivery): Claim[] => {
      const endpoint = byId.get(delivery.webhookId);
      if (endpoint === undefined) return [];
      return [{ delivery, webhook: endpoint.webhook, isOwnDomain: endpoint.isOwnDomain === 1 }];
    }),
    early: new Set(early.map(({ id }) => id)),
  };
}

/**
 * Logs an attempt and updates the state of its delivery. `retryAtMs` is the time of the retry after a failure, or null
 * if the failure is final. A success always updates the state. A failure does so only while the claim holds: a delivery
 * that another process claimed, that was resent or that was given up meanwhile keeps its state. Returns true if a retry
 * is due at `retryAtMs`.
 */
export async function recordAttempt(
  db: Database,
  { id, nextAttemptAt: claimedUntil }: Delivery,
  attempt: AttemptOutcome,
  retryAtMs: number | null,
): Promise<boolean> {
  const { attemptedAtMs, latencyMs, responseStatus, error, responseBody, succeeded } = attempt;
  const endedAtMs = attemptedAtMs + latencyMs;
  const after = succeeded
    ? { status: "delivered", deliveredAt: endedAtMs, failedAt: null, nextAttemptAt: null }
    : {
        status: retryAtMs === null ? "failed" : "retrying",
        deliveredAt: null,
        failedAt: retryAtMs === null ? endedAtMs : null,
        nextAttemptAt: retryAtMs,
      };
  const stillClaimed = succeeded ? sql`true` : sql`${webhookDeliveries.nextAttemptAt} is ${claimedUntil}`;
  const ifClaimed = (column: SQLiteColumn, value: string | number | null) =>
    sql`iif(${stillClaimed}, ${value}, ${column})`;
  const [[recorded]] = await db.batch([
    db
      .update(webhookDeliveries)
      .set({
        attempts: sql`${webhookDeliveries.attempts} + 1`,
        responseStatus,
        status: ifClaimed(webhookDeliveries.status, after.status),
        deliveredAt: ifClaimed(webhookDeliveries.deliveredAt, after.deliveredAt),
        failedAt: ifClaimed(webhookDeliveries.failedAt, after.failedAt),
        nextAttemptAt: ifClaimed(webhookDeliveries.nextAttemptAt, after.nextAttemptAt),
      })
      .where(eq(webhookDeliveries.id, id))
      .returning({ nextAttemptAt: webhookDeliveries.nextAttemptAt }),
    db.insert(webhookAttempts).select(
      selectColumns(
        webhookAttempts,
        {
          deliveryId: webhookDeliveries.id,
          number: webhookDeliveries.attempts,
          attemptedAt: attemptedAtMs,
          latencyMs,
          responseStatus,
          error,
          responseBody,
        },
        sql`from ${webhookDeliveries} where ${webhookDeliveries.id} = ${id}`,
      ),
    ),
  ]);
  return retryAtMs !== null && recorded?.nextAttemptAt === retryAtMs;
}

/**
 * Returns deliveries that are overdue because their messages were lost; for the cron. The oldest delivery of each
 * endpoint comes first, so that the backlog of one endpoint delays no other.
 */
export async function findOverdue(db: Database, nowMs: number): Promise<DeliveryMessage[]> {
  const { id, webhookId, nextAttemptAt } = webhookDeliveries;
  return db
    .select({ deliveryId: id, webhookId })
    .from(webhookDeliveries)
    .where(lte(nextAttemptAt, nowMs - OVERDUE_MS))
    .orderBy(sql`row_number() over (partition by ${webhookId} order by ${nextAttemptAt})`, asc(nextAttemptAt))
    .limit(SWEPT_MAX);
}

/** Deletes deliveries older than {@link RETENTION_MS} with their attempts; for the cron. */
export async function sweepDeliveries(db: Database, nowMs: number): Promise<void> {
  // A UUIDv7 begins with its time, so older deliveries have smaller ids.
  const oldest = sql`(select ${webhookDeliveries.id} from ${webhookDeliveries}
                       where ${webhookDeliveries.id} < ${formatUuidTime(nowMs - RETENTION_MS)}
                       order by ${webhookDeliveries.id} limit ${SWEPT_MAX})`;
  await db.batch([
    db.delete(webhookAttempts).where(inArray(webhookAttempts.deliveryId, oldest)),
    db.delete(webhookDeliveries).where(inArray(webhookDeliveries.id, oldest)),
  ]);
}
