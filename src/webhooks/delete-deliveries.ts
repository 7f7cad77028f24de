import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { formatUuidTime } from "../core/id.ts";
import { DAY_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { inJson } from "../db/in-json.ts";
import { rawQuery } from "../db/raw-query.ts";
import { isLockedByMove } from "../tenant/transits.ts";
import { STEP_DELIVERIES } from "./lanes.ts";
import {
  deliveryAttempts,
  deliveryBacklogs,
  eventDeliveries,
  webhookEvents,
  webhookLanes,
} from "./webhooks.table.ts";

/** Retention of events and their deliveries, by `is_scan`. The documentation promises these times. */
const RETENTION_MS = { 0: 30 * DAY_MS, 1: 7 * DAY_MS };

/** Maximum number of attempts that are deleted in one step. */
const STEP_ATTEMPTS = 1_000;

/**
 * Deletes some deliveries of a deleted endpoint, and the endpoint's lane once no deliveries are left. Returns
 * true if more may be left.
 */
export async function purgeLane(db: Database, lane: number): Promise<boolean> {
  const { isAny, deletedIds } = await deleteDeliveries(
    db,
    sql`select delivery.lane, delivery.id, delivery.next_attempt_at from ${eventDeliveries} as delivery
         where delivery.lane = ${lane} order by delivery.id limit ${STEP_DELIVERIES}`,
  );
  const eventIds = new Set(deletedIds.map((id) => id.slice(0, 32)));
  const isLast = sql`not exists (select 1 from ${eventDeliveries} where ${eventDeliveries.lane} = ${lane})`;
  await db.batch([
    db
      .delete(webhookEvents)
      .where(and(inArray(webhookEvents.isScan, [0, 1]), inJson(webhookEvents.id, [...eventIds]), isOrphan)),
    db.delete(webhookLanes).where(and(eq(webhookLanes.id, lane), isLast)),
  ]);
  return isAny;
}

/**
 * Deletes some expired events, either of scans or of other types, and their deliveries. Returns true if more
 * may be left.
 */
export async function deleteExpired(db: Database, isScan: 0 | 1, nowMs: number): Promise<boolean> {
  // Ids begin with their time, so older events have smaller ids.
  const expired = sql`event.is_scan = ${isScan} and event.id < ${formatUuidTime(nowMs - RETENTION_MS[isScan])}
    and not ${isLockedByMove(sql`event.workspace_id`)}`;
  const { isAny } = await deleteDeliveries(
    db,
    sql`select delivery.lane, delivery.id, delivery.next_attempt_at from ${webhookEvents} as event
         cross join json_each(event.recipients) as recipient
         cross join ${eventDeliveries} as delivery
            on delivery.lane = recipient.value and delivery.id >= event.id and delivery.id < event.id || 'g'
         where ${expired} order by event.id limit ${STEP_DELIVERIES}`,
  );
  const selected = sql`(${webhookEvents.isScan}, ${webhookEvents.id}) in
    (select event.is_scan, event.id from ${webhookEvents} as event
      where ${expired} order by event.id limit ${STEP_DELIVERIES})`;
  const { meta } = await db.delete(webhookEvents).where(and(selected, isOrphan));
  return isAny || meta.changes > 0;
}

/** Condition for events that have no deliveries, and none that the fan-out still has to write. */
const isOrphan = sql`${webhookEvents.fannedOut} is null and not exists
  (select 1 from json_each(${webhookEvents.recipients}) as recipient
    cross join ${eventDeliveries} as delivery on delivery.lane = recipient.value
      and delivery.id >= ${webhookEvents.id} and delivery.id < ${webhookEvents.id} || 'g')`;

/**
 * Deletes up to {@link STEP_ATTEMPTS} attempts of the selected deliveries, then the selected deliveries that
 * have no attempts left. `selected` is a select of `lane`, `id` and `next_attempt_at` with at most
 * {@link STEP_DELIVERIES} rows. `isAny` is true if there was anything to delete.
 */
async function deleteDeliveries(
  db: Database,
  selected: SQL,
): Promise<{ isAny: boolean; deletedIds: string[] }> {
  const removable = sql`select delivery.* from (${selected}) as delivery
      where not exists (select 1 from ${deliveryAttempts} where ${deliveryAttempts.deliveryId} = delivery.id)`;
  const [attempts, , deleted] = await db.batch([
    db.delete(deliveryAttempts).where(
      sql`(${deliveryAttempts.deliveryId}, ${deliveryAttempts.number}) in
            (select attempt.delivery_id, attempt.number from (${selected}) as delivery
              cross join ${deliveryAttempts} as attempt on attempt.delivery_id = delivery.id limit ${STEP_ATTEMPTS})`,
    ),
    rawQuery(
      db,
      sql`update ${deliveryBacklogs} set waiting = waiting - gone.amount
            from (select lane.workspace_id, count(*) as amount from (${removable}) as delivery
                    join ${webhookLanes} as lane on lane.id = delivery.lane
                   where delivery.next_attempt_at is not null group by 1) as gone
           where ${deliveryBacklogs.workspaceId} = gone.workspace_id`,
    ),
    db
      .delete(eventDeliveries)
      .where(
        sql`(${eventDeliveries.lane}, ${eventDeliveries.id}) in (select delivery.lane, delivery.id from (${removable}) as delivery)`,
      )
      .returning({ id: eventDeliveries.id }),
  ]);
  const deletedIds = deleted.map(({ id }) => id);
  return { isAny: attempts.meta.changes > 0 || deletedIds.length > 0, deletedIds };
}
