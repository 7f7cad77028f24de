import { type SQL, sql } from "drizzle-orm";
import { formatUuidTime } from "../core/id.ts";
import type { Database } from "../db/database.ts";
import { selectColumns } from "../db/select-columns.ts";
import { selectRoom, selectWaitingCap, takeWaiting, type WaitingCaps } from "./backlog.ts";
import type { WakeUp } from "./delivery-state.ts";
import type { EventType } from "./events.ts";
import { eventDeliveries, webhookEvents, webhookLanes, webhooks } from "./webhooks.table.ts";

/**
 * Maximum number of deliveries that one statement writes. The fan-out writes the rest, in steps of this size.
 */
export const FAN_OUT_STEP_ROWS = 1_000;

/** Events to write. All have the same type. */
export interface EventWrite {
  type: EventType;
  /**
   * Select with one row per event: `workspace_id`, `data` (JSON), `timestamp` (ISO 8601) and `ordinal` (order
   * of the deliveries).
   */
  rows: SQL;
  /** Condition over the table `webhooks` for the endpoints that receive the events of their workspace. */
  recipients: SQL;
  /** Prefix of the events' ids, from {@link generateIdPrefix}. */
  idPrefix: string;
  /** Maximum number of waiting deliveries, for each receiving workspace. */
  caps: WaitingCaps;
  /** True if events that exceed the cap are skipped. Otherwise the batch fails. */
  isSkipping: boolean;
}

/**
 * Returns the id prefix of events that are written together: the first 28 characters of a UUIDv7. The numbers
 * of the event and of the recipient follow. 42 random bits make the prefixes of batches in the same
 * millisecond different.
 */
export function generateIdPrefix(nowMs: number): string {
  const random = crypto.randomUUID();
  return `${formatUuidTime(nowMs)}-7${random.slice(15, 28)}`;
}

/** Returns the id of the delivery to the first recipient of the first event. */
export function formatFirstDeliveryId(idPrefix: string): string {
  return `${idPrefix}00000000`;
}

/**
 * Returns the condition for events in the table `event` that have the prefix and belong to the receiving
 * workspaces.
 */
function eventsOf({ type, idPrefix, caps }: EventWrite): SQL {
  return sql`event.is_scan = ${isScan(type)} and event.id >= ${idPrefix} and event.id < ${`${idPrefix}g`}
             and event.workspace_id in (select value from json_each(${JSON.stringify([...caps.keys()])}))`;
}

function isScan(type: EventType): number {
  return type === "link.scanned" ? 1 : 0;
}

/**
 * Returns the select of the events with the lanes (of endpoints) that receive them. Events without recipients
 * are left out. With `isSkipping` it also has `rank`, the number of the event within its workspace, and
 * `fitting`, the number of events that fit below the cap.
 */
function selectReceived({ rows, recipients, caps, isSkipping }: EventWrite): SQL {
  const room = selectRoom(caps, sql`${webhooks.workspaceId}`);
  const fitting = isSkipping ? sql`, ${room} / count(*) as fitting` : sql``;
  const rank = isSkipping
    ? sql`, row_number() over (partition by event.workspace_id order by event.ordinal) as rank`
    : sql``;
  return sql`select event.*, receiving.*${rank} from (${rows}) as event
               join (select ${webhooks.workspaceId} as receiver, count(*) as amount,
                            json_group_array(lane.id) as lanes${fitting}
                       from ${webhooks} join ${webhookLanes} as lane on lane.webhook_id = ${webhooks.id}
                      where ${webhooks.enabled} and ${recipients} group by ${webhooks.workspaceId}) as receiving
                 on receiving.receiver = event.workspace_id`;
}

/**
 * Returns the statement that writes the events. It must run when `rows` has the intended values: before or
 * after the change.
 */
export function insertEvents(db: Database, nowMs: number, write: EventWrite): SQL {
  const { type, idPrefix, isSkipping } = write;
  const deliveries = sql`sum(event.amount) over (order by event.ordinal rows unbounded preceding)`;
  const statement = db.insert(webhookEvents).select(
    selectColumns(
      webhookEvents,
      {
        isScan: isScan(type),
        id: sql`${idPrefix} || printf('%04x', row_number() over (order by event.ordinal) - 1)`,
        workspaceId: sql`event.workspace_id`,
        type,
        recipients: sql`event.lanes`,
        createdAt: nowMs,
        fannedOut: sql`iif(${deliveries} <= ${FAN_OUT_STEP_ROWS}, null, 0)`,
        payload: sql`json_object('event', ${type}, 'timestamp', event.timestamp, 'data', json(event.data))`,
      },
      sql`from (${selectReceived(write)}) as event
         where ${isSkipping ? sql`event.rank <= event.fitting` : sql`true`} order by event.ordinal`,
    ),
  );
  return statement.getSQL();
}

/**
 * Returns the statement that adds the skipped events to the count of each receiving endpoint. It must run
 * before the statements of {@link writeDeliveries}.
 */
export function countSkipped(nowMs: number, write: EventWrite): SQL {
  return sql`update ${webhooks} set skipped_count = skipped_count + skipped.amount, skipped_at = ${nowMs}
               from (select event.workspace_id, count(*) as amount from (${selectReceived(write)}) as event
                      where event.rank > event.fitting group by event.workspace_id) as skipped
              where ${webhooks.workspaceId} = skipped.workspace_id and ${webhooks.enabled} and ${write.recipients}`;
}

/**
 * Returns the statements that write up to {@link FAN_OUT_STEP_ROWS} deliveries of the events, and count all
 * deliveries as waiting. The last statement selects the lanes to wake (see {@link readWakeUps}).
 */
export function writeDeliveries(db: Database, nowMs: number, write: EventWrite): [SQL, SQL, SQL] {
  const written = sql`${webhookEvents} as event where ${eventsOf(write)}`;
  const cap = selectWaitingCap(write.caps, sql`event.workspace_id`);
  return [
    insertDeliveries(
      db,
      nowMs,
      sql`select event.id || printf('%04x', recipient.key) as id, event.type, recipient.value as lane
            from ${webhookEvents} as event cross join json_each(event.recipients) as recipient
           where ${eventsOf(write)} and event.fanned_out is null`,
    ),
    takeWaiting(
      db,
      sql`select event.workspace_id, sum(json_array_length(event.recipients)), ${cap} from ${written}
           group by event.workspace_id`,
    ).getSQL(),
    sql`select distinct event.workspace_id, recipient.value as lane
          from ${webhookEvents} as event cross join json_each(event.recipients) as recipient
         where ${eventsOf(write)} and event.fanned_out is null
         union all
        select distinct event.workspace_id, null from ${written} and event.fanned_out is not null`,
  ];
}

/** Returns the statement that writes deliveries. `source` is a select of their `id`, `type` and `lane`. */
export function insertDeliveries(db: Database, nowMs: number, source: SQL): SQL {
  return db
    .insert(eventDeliveries)
    .select(
      selectColumns(
        eventDeliveries,
        {
          lane: sql`lane.id`,
          id: sql`delivery.id`,
          eventType: sql`delivery.type`,
          status: "pending",
          attempts: 0,
          attemptsBefore: 0,
          responseStatus: null,
          createdAt: nowMs,
          deliveredAt: null,
          failedAt: null,
          epoch: sql`lane.epoch`,
          nextAttemptAt: nowMs,
        },
        // Inserting in key order keeps the table's pages full.
        sql`from (${source}) as delivery cross join ${webhookLanes} as lane on lane.id = delivery.lane
           order by lane.id, delivery.id`,
      ),
    )
    .getSQL();
}

/** Returns the wake-ups that the last statement of {@link writeDeliveries} selected. */
export function readWakeUps(rows: readonly unknown[]): WakeUp[] {
  return (rows as { workspace_id: string; lane: number | null }[]).map(({ workspace_id, lane }) => ({
    workspaceId: workspace_id,
    lane,
  }));
}
