import { and, isNotNull, not, type SQL, sql } from "drizzle-orm";
import { SECOND_MS } from "../core/time.ts";
import type { Database, ShardDatabase } from "../db/database.ts";
import { isLockedByMove } from "../tenant/transits.ts";
import { deleteExpired, purgeLane } from "./delete-deliveries.ts";
import type { WakeUp } from "./delivery-state.ts";
import { failStale } from "./lanes.ts";
import { sendWakeUps } from "./wake-ups.ts";
import { eventDeliveries, webhookEvents, webhookLanes, webhooks } from "./webhooks.table.ts";

/** Time after which a delivery that is due but not attempted is overdue: its wake-up was probably lost. */
const OVERDUE_MS = 60 * SECOND_MS;
/** Time after which a sweep starts no further step. The sweep of the next minute continues. */
const SWEEP_MS = 20 * SECOND_MS;
/** Maximum number of lanes or workspaces that a step reads. */
const STEP_LANES = 250;

/**
 * Repairs and cleans up deliveries, in steps until time runs out. Wakes lanes whose wake-up was lost, fails
 * deliveries that wait in closed lanes, and deletes expired deliveries and deliveries of deleted endpoints.
 */
export async function sweepDeliveries(on: ShardDatabase, queue: Queue, nowMs: number): Promise<void> {
  const { db } = on;
  const endMs = Date.now() + SWEEP_MS;
  const hasTime = () => Date.now() < endMs;
  const sweeps = await Promise.allSettled([
    sweepWaiting(on, queue, nowMs, hasTime),
    wakeFanOuts(on, queue),
    purgeLanes(db, hasTime),
    repeat(() => deleteExpired(db, 0, nowMs), hasTime),
    repeat(() => deleteExpired(db, 1, nowMs), hasTime),
  ]);
  const errors = sweeps.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  if (errors.length > 0) throw new AggregateError(errors, "a sweep of deliveries failed");
}

/** Repeats a step until it returns false or time runs out. */
async function repeat(step: () => Promise<boolean>, hasTime: () => boolean): Promise<void> {
  while (hasTime() && (await step()));
}

/** Lane with waiting deliveries. */
interface WaitingLane {
  lane: number;
  workspaceId: string;
  webhookId: string;
  /** 1 if the lane was closed while deliveries were waiting. They must fail. */
  isStale: number;
  /** 1 if a delivery is overdue. */
  isOverdue: number;
}

/** Wakes overdue lanes and fails stale deliveries, in all lanes with waiting deliveries. */
async function sweepWaiting(
  { db, shard }: ShardDatabase,
  queue: Queue,
  nowMs: number,
  hasTime: () => boolean,
): Promise<void> {
  let after = 0;
  while (hasTime()) {
    const lanes = await listWaitingLanes(db, after, nowMs);
    const last = lanes.at(-1);
    if (last === undefined) return;
    after = last.lane;
    const overdue = lanes.filter(({ isOverdue }) => isOverdue === 1);
    await sendWakeUps(
      queue,
      shard,
      overdue.map(({ workspaceId, lane }): WakeUp => ({ workspaceId, lane })),
    );
    for (const { webhookId, workspaceId } of lanes.filter(({ isStale }) => isStale === 1)) {
      await repeat(async () => {
        const [, failed] = await db.batch(failStale(db, { id: webhookId, workspaceId }, nowMs));
        return failed.meta.changes > 0;
      }, hasTime);
    }
  }
}

/** Returns the next lanes with waiting deliveries. Only reads the first index entries of each lane. */
async function listWaitingLanes(db: Database, after: number, nowMs: number): Promise<WaitingLane[]> {
  const nextLane = (than: SQL) =>
    sql`(select delivery.lane from ${eventDeliveries} as delivery
          where delivery.next_attempt_at is not null and delivery.lane > ${than} order by delivery.lane limit 1)`;
  const waitingIn = sql`${eventDeliveries} as delivery where delivery.lane = lane.id`;
  return db.all<WaitingLane>(
    sql`with recursive waiting (lane) as (
          select ${nextLane(sql`${after}`)}
           union all
          select ${nextLane(sql`waiting.lane`)} from waiting where waiting.lane is not null limit ${STEP_LANES})
        select lane.id as lane, lane.workspace_id as "workspaceId", lane.webhook_id as "webhookId",
               not ${isLockedByMove(sql`lane.workspace_id`)} and lane.deleted_at is null and exists (select 1 from ${waitingIn} and delivery.epoch < lane.epoch
                  and delivery.next_attempt_at is not null) as "isStale",
               not ${isLockedByMove(sql`lane.workspace_id`)} and ${webhooks.enabled} is true and exists (select 1 from ${waitingIn} and delivery.epoch = lane.epoch
                  and delivery.next_attempt_at <= ${nowMs - OVERDUE_MS}) as "isOverdue"
          from waiting cross join ${webhookLanes} as lane on lane.id = waiting.lane
          left join ${webhooks} on ${webhooks.id} = lane.webhook_id
         order by lane.id`,
  );
}

/**
 * Wakes fan-outs whose message was lost. A fan-out that is already running then runs twice at the same time,
 * which is safe.
 */
async function wakeFanOuts({ db, shard }: ShardDatabase, queue: Queue): Promise<void> {
  const nextWorkspace = (than: SQL) =>
    sql`(select event.workspace_id from ${webhookEvents} as event
          where event.fanned_out is not null and event.workspace_id > ${than} order by event.workspace_id limit 1)`;
  const found = await db.all<{ workspaceId: string | null }>(
    sql`with recursive pending (id) as (
          select ${nextWorkspace(sql`''`)}
           union all
          select ${nextWorkspace(sql`pending.id`)} from pending where pending.id is not null limit ${STEP_LANES})
        select id as "workspaceId" from pending where id is not null and not ${isLockedByMove(sql`pending.id`)}`,
  );
  await sendWakeUps(
    queue,
    shard,
    found.map(({ workspaceId }) => ({ workspaceId, lane: null }) as WakeUp),
  );
}

async function purgeLanes(db: Database, hasTime: () => boolean): Promise<void> {
  const deleted = await db
    .select({ id: webhookLanes.id })
    .from(webhookLanes)
    .where(and(isNotNull(webhookLanes.deletedAt), not(isLockedByMove(webhookLanes.workspaceId))))
    .limit(STEP_LANES);
  for (const { id } of deleted) await repeat(() => purgeLane(db, id), hasTime);
}
