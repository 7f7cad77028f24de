import { and, eq, not, type SQL, sql } from "drizzle-orm";
import { DAY_MS, SECOND_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { rawQuery } from "../db/raw-query.ts";
import { ownHosts } from "../tenant/tenant.table.ts";
import { isPaused } from "../tenant/transits.ts";
import type { AttemptOutcome } from "./attempt.ts";
import type { WakeUp } from "./delivery-state.ts";
import type { Webhook } from "./endpoints.ts";
import type { EventType } from "./events.ts";
import {
  deliveryBacklogs,
  eventDeliveries,
  webhookEvents,
  webhookLanes,
  webhooks,
} from "./webhooks.table.ts";

/**
 * A turn makes the attempts of some due deliveries of one lane, which holds the deliveries of one endpoint. A
 * lease in `delivery_backlogs` ensures that a lane has only one turn at a time, so a turn doesn't need to
 * lock its deliveries. If a turn is interrupted, its deliveries stay due and its lease expires.
 */

/** Maximum number of deliveries in a turn, so that other lanes get their turns too. */
const TURN_DELIVERIES_MAX = 10;
/** Maximum number of concurrent turns of a workspace. Each makes at most five attempts at a time. */
const WORKSPACE_TURNS_MAX = 10;
/** Duration of the lease. It must be longer than a turn can take. */
const LEASE_MS = 30 * SECOND_MS;
/**
 * Maximum number of bytes of response bodies that a workspace logs per day (UTC), so that failing endpoints
 * can't fill the database. Attempts beyond it are logged without a body. Concurrent turns may exceed it by what
 * they log together.
 */
export const LOGGED_BYTES_MAX = 10_000_000;
/** A wake-up that arrives too early by at most this time, because clocks differ, is delivered again later. */
const NEARLY_DUE_MS = 2 * SECOND_MS;

/** Delivery that a turn attempts. */
export interface DueDelivery {
  id: string;
  eventType: EventType;
  payload: string;
  attempts: number;
  attemptsBefore: number;
  nextAttemptAt: number;
}

/** Running turn. */
export interface LaneTurn {
  workspaceId: string;
  lane: number;
  /** End of the lease. */
  untilMs: number;
  webhook: Webhook;
  /** True if a workspace of this deployment added the endpoint's host. */
  isOwnDomain: boolean;
  deliveries: DueDelivery[];
  /** Bytes of response bodies that the workspace has logged on the day of the turn's start. */
  loggedBytes: number;
}

/**
 * Starts a turn of a lane. Returns `early` if a delivery will be due within {@link NEARLY_DUE_MS}. Returns
 * null if no delivery is due, the lane already has a turn, the workspace has its maximum number of turns, or
 * the workspace is moving to another shard.
 */
export async function startTurn(
  db: Database,
  { workspaceId, lane }: WakeUp & { lane: number },
  nowMs: number,
): Promise<LaneTurn | "early" | null> {
  const untilMs = nowMs + LEASE_MS;
  const dueBy = (timeMs: number) =>
    sql`delivery.lane = lane.id and delivery.epoch = lane.epoch and delivery.next_attempt_at <= ${timeMs}`;
  const hasDueBy = (timeMs: number) => sql`exists (select 1 from ${webhookLanes} as lane
      cross join ${webhooks} on ${webhooks.id} = lane.webhook_id
      cross join ${eventDeliveries} as delivery on ${dueBy(timeMs)}
      where lane.id = ${lane} and lane.workspace_id = ${workspaceId} and ${webhooks.enabled})`;
  const living = sql`from json_each(${deliveryBacklogs.turns}) where value ->> 1 > ${nowMs}`;
  const [leased, [endpoint], deliveries, [soon]] = await db.batch([
    db
      .update(deliveryBacklogs)
      .set({
        turns: sql`(select json_group_array(json(turn)) from
                     (select value as turn ${living} union all select json_array(${lane}, ${untilMs})))`,
      })
      .where(
        and(
          eq(deliveryBacklogs.workspaceId, workspaceId),
          hasDueBy(nowMs),
          sql`(select count(*) ${living}) < ${WORKSPACE_TURNS_MAX}`,
          sql`not exists (select 1 ${living} and value ->> 0 = ${lane})`,
          not(isPaused(deliveryBacklogs.workspaceId)),
        ),
      )
      .returning({ loggedBytes: selectLoggedBytes(nowMs) }),
    db
      .select({
        webhook: webhooks,
        // Drizzle would leave out the table names of column references here, and both columns have the same
        // name.
        isOwnDomain: sql<number>`exists (select 1 from ${ownHosts} as own where own.hostname = webhooks.hostname)`,
      })
      .from(webhooks)
      .where(
        and(
          eq(webhooks.workspaceId, workspaceId),
          sql`${webhooks.id} = (select webhook_id from ${webhookLanes} where id = ${lane})`,
        ),
      ),
    rawQuery<DueDelivery>(
      db,
      sql`select delivery.id, delivery.event_type as "eventType", event.payload, delivery.attempts,
                 delivery.attempts_before as "attemptsBefore", delivery.next_attempt_at as "nextAttemptAt"
            from ${webhookLanes} as lane
           cross join ${eventDeliveries} as delivery on ${dueBy(nowMs)}
           cross join ${webhookEvents} as event on event.is_scan = (delivery.event_type = 'link.scanned')
             and event.id = substr(delivery.id, 1, 32)
           where lane.id = ${lane} and lane.workspace_id = ${workspaceId}
           order by delivery.next_attempt_at limit ${TURN_DELIVERIES_MAX}`,
    ),
    rawQuery<{ early: number }>(
      db,
      sql`select ${hasDueBy(nowMs + NEARLY_DUE_MS)} and not ${hasDueBy(nowMs)} as early`,
    ),
  ]);
  const [lease] = leased;
  if (lease === undefined || endpoint === undefined) return soon?.early === 1 ? "early" : null;
  const { webhook, isOwnDomain } = endpoint;
  const { loggedBytes } = lease;
  return { workspaceId, lane, untilMs, webhook, isOwnDomain: isOwnDomain === 1, deliveries, loggedBytes };
}

/** Returns the SQL expression for the bytes of response bodies that a workspace has logged on a day. */
function selectLoggedBytes(nowMs: number): SQL<number> {
  return sql`iif(${deliveryBacklogs.loggedOn} = ${getDay(nowMs)}, ${deliveryBacklogs.loggedBytes}, 0)`;
}

function getDay(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}

/** Attempt made by a turn. */
export interface TurnAttempt {
  delivery: DueDelivery;
  outcome: AttemptOutcome;
  /** Time of the retry after a failure. Null after a success, or if there is no further retry. */
  retryAtMs: number | null;
}

/**
 * Ends a turn: logs its attempts, updates the statuses of their deliveries, and ends the lease. A success
 * always updates the status. A failure updates the status only if the delivery's due time is unchanged,
 * because a delivery that was resent or failed during the attempt must keep its status. Returns the lanes to
 * wake, which have due deliveries and no turn: this lane, and lanes that may have been refused a turn.
 */
export async function endTurn(
  db: Database,
  turn: LaneTurn,
  attempts: readonly TurnAttempt[],
  nowMs: number,
): Promise<WakeUp[]> {
  const { workspaceId, lane } = turn;
  const packed = packAttempts(attempts, LOGGED_BYTES_MAX - turn.loggedBytes);
  const json = JSON.stringify(packed.attempts);
  const made = sql`(select value ->> 'id' as id, value ->> 'due' as due, value ->> 'ok' as ok,
       value ->> 'retryAt' as retry_at, value ->> 'at' as at, value ->> 'latency' as latency,
       value ->> 'status' as status, value ->> 'error' as error, value ->> 'body' as body
  from json_each(${json})) as made`;
  const decides = sql`(made.ok or delivery.next_attempt_at is made.due)`;
  const ownLane = sql`(select id from ${webhookLanes} where id = ${lane} and workspace_id = ${workspaceId})`;
  const ofAttempt = sql`delivery.lane = ${ownLane} and delivery.id = made.id`;
  const ended = sql`(select count(*) from ${made} cross join ${eventDeliveries} as delivery on ${ofAttempt}
                      where delivery.next_attempt_at is not null and made.retry_at is null and ${decides})`;
  const ifDecides = (column: string, value: SQL) =>
    sql`${sql.raw(column)} = iif(${decides}, ${value}, delivery.${sql.raw(column)})`;
  const results = await db.batch([
    db
      .update(deliveryBacklogs)
      .set({
        waiting: sql`${deliveryBacklogs.waiting} - ${ended}`,
        turns: sql`(select json_group_array(json(value)) from json_each(${deliveryBacklogs.turns})
                     where value <> json_array(${lane}, ${turn.untilMs}) and value ->> 1 > ${nowMs})`,
        loggedOn: getDay(nowMs),
        loggedBytes: sql`${selectLoggedBytes(nowMs)} + ${packed.bodyBytes}`,
      })
      .where(eq(deliveryBacklogs.workspaceId, workspaceId)),
    rawQuery(
      db,
      sql`update ${eventDeliveries} as delivery
             set attempts = delivery.attempts + 1, response_status = made.status,
                 ${ifDecides("status", sql`iif(made.ok, 'delivered', iif(made.retry_at is null, 'failed', 'retrying'))`)},
                 ${ifDecides("delivered_at", sql`iif(made.ok, made.at + made.latency, null)`)},
                 ${ifDecides("failed_at", sql`iif(made.ok or made.retry_at is not null, null, made.at + made.latency)`)},
                 ${ifDecides("next_attempt_at", sql`made.retry_at`)}
            from ${made} where ${ofAttempt}
             and delivery.id in (select value ->> 'id' from json_each(${json}))`,
    ),
    rawQuery(
      db,
      sql`insert into delivery_attempts (delivery_id, number, attempted_at, latency_ms, response_status, error, response_body)
          select delivery.id, delivery.attempts, made.at, made.latency, made.status, made.error, made.body
            from ${made} cross join ${eventDeliveries} as delivery on ${ofAttempt} where true
          on conflict do nothing`,
    ),
    rawQuery(
      db,
      sql`delete from delivery_attempts where (delivery_id, number) in
            (select attempt.delivery_id, attempt.number
               from ${made} cross join ${eventDeliveries} as delivery on ${ofAttempt}
              cross join delivery_attempts as attempt
                 on attempt.delivery_id = delivery.id and attempt.number <= delivery.attempts - ${LOGGED_ATTEMPTS_MAX})`,
    ),
    rawQuery<{ lane: number }>(db, selectNextLanes(turn, nowMs)),
  ]);
  return results[4].map((next) => ({ workspaceId, lane: next.lane }));
}

/** Maximum number of attempts that are kept per delivery. */
export const LOGGED_ATTEMPTS_MAX = 50;

/**
 * A turn looks for lanes to wake among this many endpoints after its own, and this many from the first one.
 */
const NEIGHBOURS_MAX = 200;

/**
 * Returns the query for the lanes to wake after a turn, starting with lanes of later endpoints. In a
 * workspace with more endpoints than concurrent turns, some lanes may have been refused a turn, so each turn
 * wakes as many lanes as may run.
 */
function selectNextLanes({ workspaceId, lane, webhook }: LaneTurn, nowMs: number): SQL {
  const turns = sql`(select value as turn from ${deliveryBacklogs}, json_each(${deliveryBacklogs.turns})
                      where ${deliveryBacklogs.workspaceId} = ${workspaceId} and value ->> 1 > ${nowMs})`;
  const endpoints = (condition: SQL) =>
    sql`select id from (select ${webhooks.id} as id from ${webhooks}
         where ${webhooks.workspaceId} = ${workspaceId} and ${condition} order by ${webhooks.id} limit ${NEIGHBOURS_MAX})`;
  const isCrowded = sql`(select count(*) from (${endpoints(sql`true`)})) > ${WORKSPACE_TURNS_MAX}`;
  return sql`select lane.id as lane
       from (select ${webhook.id} as id union ${endpoints(sql`${webhooks.id} > ${webhook.id} and ${isCrowded}`)}
              union ${endpoints(isCrowded)}) as candidate
      cross join ${webhooks} on ${webhooks.id} = candidate.id
      cross join ${webhookLanes} as lane on lane.webhook_id = candidate.id
      where ${webhooks.enabled}
        and exists (select 1 from ${eventDeliveries} as delivery
                     where delivery.lane = lane.id and delivery.epoch = lane.epoch
                       and delivery.next_attempt_at <= ${nowMs})
        and lane.id not in (select turn ->> 0 from ${turns})
      order by lane.id <= ${lane}, lane.id
      limit max(1, ${WORKSPACE_TURNS_MAX} - (select count(*) from ${turns}))`;
}

/** Returns the rows of attempts for SQL, without response bodies once these exceed `maxBytes`. */
function packAttempts(made: readonly TurnAttempt[], maxBytes: number) {
  let bodyBytes = 0;
  const attempts = made.map((attempt) => {
    const { responseBody } = attempt.outcome;
    const size = responseBody === null ? 0 : new TextEncoder().encode(responseBody).length;
    if (bodyBytes + size > maxBytes) return packAttempt(attempt, null);
    bodyBytes += size;
    return packAttempt(attempt, responseBody);
  });
  return { attempts, bodyBytes };
}

function packAttempt({ delivery, outcome, retryAtMs }: TurnAttempt, body: string | null): object {
  return {
    id: delivery.id,
    due: delivery.nextAttemptAt,
    ok: outcome.succeeded,
    retryAt: retryAtMs,
    at: outcome.attemptedAtMs,
    latency: outcome.latencyMs,
    status: outcome.responseStatus,
    error: outcome.error,
    body,
  };
}
