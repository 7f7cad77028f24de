import { and, asc, eq, gt, inArray, lte, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { formatUuidTime } from "../core/id.ts";
import { DAY_MS, SECOND_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { inJson } from "../db/in-json.ts";
import { domains } from "../tenant/tenant.table.ts";
import type { AttemptOutcome } from "./attempt.ts";
import type { Delivery } from "./deliveries.ts";
import type { Webhook } from "./endpoints.ts";
import type { DeliveryMessage } from "./events.ts";
import { webhookAttempts, webhookDeliveries, webhooks } from "./webhooks.table.ts";

/**
 * How long an attempt that was begun keeps others from being made: longer than any takes. Afterwards it is taken to
 * have died with its process.
 */
const CLAIMED_MS = 15 * SECOND_MS;

/** A delivery due within this time is waited for by the message that came early, for clocks differ. */
const NEARLY_DUE_MS = 2 * SECOND_MS;

/** How long a due delivery may lack an attempt before its message is taken for lost. */
const OVERDUE_MS = 5 * SECOND_MS;
/** Most deliveries that one sweep queues again, and most that it deletes. */
const SWEPT_MAX = 5_000;
const KEPT_MS = 90 * DAY_MS;

/** A delivery whose next attempt is this process's to make, and the endpoint it goes to. */
export interface Claim {
  delivery: Delivery;
  webhook: Webhook;
  /** Whether a workspace of this deployment has the endpoint's host. */
  isOwnDomain: boolean;
}

/** What became of the messages of a batch: `early` are the ids of deliveries that are due within a moment. */
export interface Claims {
  claims: Claim[];
  early: Set<string>;
}

/**
 * Takes the due ones of the named deliveries, so that nobody else makes the same attempt: only one of those who ask finds
 * a delivery due. Deliveries to disabled endpoints are never due.
 */
export async function claimDeliveries(
  db: Database,
  messages: readonly DeliveryMessage[],
  nowMs: number,
): Promise<Claims> {
  const isNamed = inJson(
    webhookDeliveries.id,
    messages.map(({ deliveryId }) => deliveryId),
  );
  const [claimed, endpoints, early] = await db.batch([
    db
      .update(webhookDeliveries)
      .set({ nextAttemptAt: nowMs + CLAIMED_MS })
      .where(
        and(
          isNamed,
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
          isNamed,
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
 * Records an attempt: its log, and the state it leaves. `retryAtMs` is when a failed one is to be tried again, null for
 * never. An answer of 2xx always counts; a failure says nothing of a delivery that another took up, was resent or was
 * given up meanwhile. Answers with whether a retry is due at `retryAtMs`.
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
  const isOurs = succeeded ? sql`true` : sql`${webhookDeliveries.nextAttemptAt} is ${claimedUntil}`;
  const unlessLost = (column: SQLiteColumn, value: string | number | null) =>
    sql`iif(${isOurs}, ${value}, ${column})`;
  const [[recorded]] = await db.batch([
    db
      .update(webhookDeliveries)
      .set({
        attempts: sql`${webhookDeliveries.attempts} + 1`,
        responseStatus,
        status: unlessLost(webhookDeliveries.status, after.status),
        deliveredAt: unlessLost(webhookDeliveries.deliveredAt, after.deliveredAt),
        failedAt: unlessLost(webhookDeliveries.failedAt, after.failedAt),
        nextAttemptAt: unlessLost(webhookDeliveries.nextAttemptAt, after.nextAttemptAt),
      })
      .where(eq(webhookDeliveries.id, id))
      .returning({ nextAttemptAt: webhookDeliveries.nextAttemptAt }),
    db.insert(webhookAttempts).select(
      sql`select ${webhookDeliveries.id}, ${webhookDeliveries.attempts}, ${attemptedAtMs}, ${latencyMs},
                 ${responseStatus}, ${error}, ${responseBody}
            from ${webhookDeliveries} where ${webhookDeliveries.id} = ${id}`,
    ),
  ]);
  return retryAtMs !== null && recorded?.nextAttemptAt === retryAtMs;
}

/**
 * Deliveries that are due but were not attempted: their messages went missing; for the cron. The oldest of each endpoint
 * come first, so that the backlog of one keeps no other waiting.
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

/** Deletes deliveries past their time, and their attempts; for the cron. */
export async function sweepDeliveries(db: Database, nowMs: number): Promise<void> {
  // A UUIDv7 begins with its time, so the ids of what is older are smaller.
  const oldest = sql`(select ${webhookDeliveries.id} from ${webhookDeliveries}
                       where ${webhookDeliveries.id} < ${formatUuidTime(nowMs - KEPT_MS)}
                       order by ${webhookDeliveries.id} limit ${SWEPT_MAX})`;
  await db.batch([
    db.delete(webhookAttempts).where(inArray(webhookAttempts.deliveryId, oldest)),
    db.delete(webhookDeliveries).where(inArray(webhookDeliveries.id, oldest)),
  ]);
}
