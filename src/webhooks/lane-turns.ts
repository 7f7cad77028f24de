import { and, eq, isNotNull, sql } from "drizzle-orm";
import { SECOND_MS } from "../core/time.ts";
import type { Database, ShardDatabase } from "../db/database.ts";
import type { WakeUp } from "./delivery-state.ts";
import { sendWakeUps } from "./wake-ups.ts";
import {
  deliveryBacklogs,
  eventDeliveries,
  webhookEvents,
  webhookLanes,
  webhooks,
} from "./webhooks.table.ts";

/**
 * Maximum delay of a queue message
 * (https://developers.cloudflare.com/queues/configuration/batching-retries/).
 */
const DELAY_MAX_SECONDS = 12 * 3_600;

/** Returns true if a workspace has a running turn, which makes the attempts of a lane. */
export async function hasTurns(db: Database, workspaceId: string, nowMs: number): Promise<boolean> {
  const isRunning = sql`exists (select 1 from json_each(${deliveryBacklogs.turns}) where value ->> 1 > ${nowMs})`;
  const count = await db.$count(
    deliveryBacklogs,
    and(eq(deliveryBacklogs.workspaceId, workspaceId), isRunning),
  );
  return count > 0;
}

/**
 * Wakes each lane of a workspace when its next delivery is due, and the fan-out of its events. Call this when
 * turns can start again on this shard, because messages that arrived earlier had no effect. Failing to send
 * is not an error, because the sweep wakes lanes too.
 */
export async function wakeWorkspace(
  { db, shard }: ShardDatabase,
  queue: Queue,
  workspaceId: string,
  nowMs: number,
): Promise<void> {
  const lanes = await db.all<{ lane: number; dueAt: number }>(
    sql`select lane.id as lane, min(delivery.next_attempt_at) as "dueAt"
          from ${webhooks}
         cross join ${webhookLanes} as lane on lane.webhook_id = ${webhooks.id}
         cross join ${eventDeliveries} as delivery on delivery.lane = lane.id and delivery.epoch = lane.epoch
                and delivery.next_attempt_at is not null
         where ${webhooks.workspaceId} = ${workspaceId} and ${webhooks.enabled} group by lane.id`,
  );
  const [pending] = await db
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(and(eq(webhookEvents.workspaceId, workspaceId), isNotNull(webhookEvents.fannedOut)))
    .limit(1);
  if (pending !== undefined) await sendWakeUps(queue, shard, [{ workspaceId, lane: null }]);
  const byDelay = Map.groupBy(lanes, ({ dueAt }) =>
    Math.min(DELAY_MAX_SECONDS, Math.max(0, Math.ceil((dueAt - nowMs) / SECOND_MS))),
  );
  for (const [delaySeconds, due] of byDelay) {
    const wakeUps = due.map(({ lane }): WakeUp => ({ workspaceId, lane }));
    await sendWakeUps(queue, shard, wakeUps, delaySeconds);
  }
}
