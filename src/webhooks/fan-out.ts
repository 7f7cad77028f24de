import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Database, ShardDatabase } from "../db/database.ts";
import { rawQuery } from "../db/raw-query.ts";
import type { WakeUp } from "./delivery-state.ts";
import { sendWakeUps } from "./wake-ups.ts";
import { deliveryBacklogs, webhookEvents, webhookLanes, webhooks } from "./webhooks.table.ts";
import { FAN_OUT_STEP_ROWS, insertDeliveries } from "./write-events.ts";

/** Maximum number of steps per queue message, so that the queue can deliver other messages in between. */
const STEPS_MAX = 5;

/**
 * Writes the deliveries that were too many to be written together with their events, and wakes their lanes.
 * The deliveries are already counted as waiting. If deliveries are left after {@link STEPS_MAX} steps, sends
 * the queue another message for them. Each step is one transaction that reads the remaining deliveries
 * itself, so steps can safely be repeated or run concurrently.
 */
export async function fanOut(
  { db, shard }: ShardDatabase,
  queue: Queue,
  workspaceId: string,
  nowMs: number,
): Promise<void> {
  const woken = new Set<number>();
  let isPending = true;
  for (let step = 0; step < STEPS_MAX && isPending; step++) {
    const { lanes, isLeft } = await fanOutStep(db, workspaceId, nowMs);
    for (const lane of lanes) woken.add(lane);
    isPending = isLeft;
  }
  const wakeUps = [...woken].map((lane): WakeUp => ({ workspaceId, lane }));
  if (isPending) wakeUps.push({ workspaceId, lane: null });
  await sendWakeUps(queue, shard, wakeUps);
}

async function fanOutStep(
  db: Database,
  workspaceId: string,
  nowMs: number,
): Promise<{ lanes: number[]; isLeft: boolean }> {
  const isEnabled = sql`exists (select 1 from ${webhookLanes} as lane
                          join ${webhooks} on ${webhooks.id} = lane.webhook_id
                         where lane.id = next.lane and ${webhooks.enabled})`;
  const next = selectNext(workspaceId);
  const refused = sql`(select count(*) from (${next}) as next where not ${isEnabled})`;
  const [lanes, , , , left] = await db.batch([
    rawQuery<{ lane: number }>(db, sql`select distinct next.lane from (${next}) as next`),
    rawQuery(db, insertDeliveries(db, nowMs, sql`select next.* from (${next}) as next where ${isEnabled}`)),
    db
      .update(deliveryBacklogs)
      .set({ waiting: sql`${deliveryBacklogs.waiting} - ${refused}` })
      .where(and(eq(deliveryBacklogs.workspaceId, workspaceId), gt(refused, 0))),
    rawQuery(
      db,
      sql`update ${webhookEvents} as event
             set fanned_out = iif(done.amount = json_array_length(event.recipients), null, done.amount)
            from (select next.is_scan, next.event_id, max(next.number) + 1 as amount from (${next}) as next
                   group by 1, 2) as done
           where event.is_scan = done.is_scan and event.id = done.event_id`,
    ),
    rawQuery(db, sql`${selectPending(workspaceId)} limit 1`),
  ]);
  return { lanes: lanes.map(({ lane }) => lane), isLeft: left.length > 0 };
}

/**
 * Returns the select of the next deliveries to write. The select may contain only some recipients of an
 * event.
 */
function selectNext(workspaceId: string): SQL {
  return sql`select event.id || printf('%04x', recipient.key) as id, event.type, recipient.value as lane,
                    event.is_scan, event.id as event_id, recipient.key as number
               from (${selectPending(workspaceId)} order by event.is_scan, event.id) as event
              cross join json_each(event.recipients) as recipient
              where recipient.key >= event.fanned_out limit ${FAN_OUT_STEP_ROWS}`;
}

function selectPending(workspaceId: string): SQL {
  return sql`select event.is_scan, event.id, event.type, event.recipients, event.fanned_out
               from ${webhookEvents} as event
              where event.workspace_id = ${workspaceId} and event.fanned_out is not null`;
}
