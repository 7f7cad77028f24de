import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { formatUuidTime } from "../core/id.ts";
import { logError } from "../core/log.ts";
import { toIso } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { selectColumns } from "../db/select-columns.ts";
import type { Tenant } from "../tenant/tenant.ts";
import type { DeliveryMessage } from "./delivery-state.ts";
import { ALL_EVENTS, EVENTS, type EventData, type EventType } from "./events.ts";
import { webhookDeliveries, webhooks } from "./webhooks.table.ts";

/** Maximum number of messages in one `sendBatch`. */
const SEND_MAX = 100;

/** An event to write to the outbox, once or several times. */
export interface OutboxEvent {
  type: EventType;
  /** Select with one row per event: `data` (JSON), `timestamp` (ISO 8601) and `ordinal` (order of the deliveries). */
  rows: SQL;
  /** True if `rows` must be read before the change, since the change removes what they are read from. */
  isReadBefore?: boolean;
}

/** Returns one event with the given data. */
export function newEvent<Type extends EventType>(
  type: Type,
  nowMs: number,
  data: EventData[Type],
): OutboxEvent {
  const rows = sql`select ${JSON.stringify(data)} as data, ${toIso(nowMs)} as timestamp, 0 as ordinal`;
  return { type, rows };
}

/**
 * Returns an event that is written only if a row of the table meets the condition before the change: a change without
 * effect is no event. At most one row may meet the condition.
 */
export function newEventWhere<Type extends EventType>(
  type: Type,
  nowMs: number,
  data: EventData[Type],
  table: SQLiteTable,
  condition: SQL | undefined,
): OutboxEvent {
  const { rows } = newEvent(type, nowMs, data);
  return { type, rows: sql`${rows} from ${table} where ${condition}`, isReadBefore: true };
}

/** SQL expression for every field of an event's data. */
export type EventColumns<Type extends EventType> = Record<keyof EventData[Type], SQLWrapper>;

/** Rows that events are read from, and their order. */
interface EventSource {
  /** The part of a select after `from`. */
  from: SQL;
  /** 0 if there is one row at most. */
  ordinal?: SQL;
  isReadBefore?: boolean;
}

/** Returns one event for each row of the source. SQL expressions over the row give its data. */
export function selectEvents<Type extends EventType>(
  type: Type,
  nowMs: number,
  columns: EventColumns<Type>,
  { from, ordinal = sql`0`, isReadBefore = false }: EventSource,
): OutboxEvent {
  const rows = sql`select ${eventJson(type, columns)} as data, ${toIso(nowMs)} as timestamp, ${ordinal} as ordinal
                     from ${from}`;
  return { type, rows, isReadBefore };
}

/** Builds the JSON of an event's data from its definition. SQLite has no booleans, so they are converted. */
function eventJson<Type extends EventType>(type: Type, columns: EventColumns<Type>): SQL {
  const shape: Record<string, z.core.$ZodType> = EVENTS[type].shape;
  const members = Object.entries(shape).map(([name, schema]) => {
    const value = columns[name as keyof EventColumns<Type>];
    const json = schema instanceof z.ZodBoolean ? sql`json(iif(${value}, 'true', 'false'))` : sql`${value}`;
    return sql`${sql.raw(`'${name}'`)}, ${json}`;
  });
  return sql`json_object(${sql.join(members, sql`, `)})`;
}

/**
 * Returns the statement that writes a delivery for every row of the event and every enabled endpoint that meets
 * `recipients`, a condition over the table `webhooks` and the event's row `event`. The statement returns the messages
 * for the queue. Ids are UUIDv7 with the ordinal as their counter, unless `id` gives the id of a single delivery.
 */
export function insertDeliveries(
  db: Database,
  nowMs: number,
  { type, rows }: OutboxEvent,
  recipients: SQL,
  id: SQL = newDeliveryId(nowMs),
) {
  const payload = sql`json_object('event', ${type}, 'timestamp', event.timestamp, 'data', json(event.data))`;
  return db
    .insert(webhookDeliveries)
    .select(
      selectColumns(
        webhookDeliveries,
        {
          id,
          workspaceId: webhooks.workspaceId,
          webhookId: webhooks.id,
          eventType: type,
          payload,
          status: "pending",
          attempts: 0,
          attemptsBefore: 0,
          responseStatus: null,
          createdAt: nowMs,
          deliveredAt: null,
          failedAt: null,
          nextAttemptAt: nowMs,
        },
        sql`from (${rows}) as event join ${webhooks} on ${recipients} where ${webhooks.enabled} order by event.ordinal`,
      ),
    )
    .returning({ deliveryId: webhookDeliveries.id, webhookId: webhookDeliveries.webhookId });
}

function newDeliveryId(nowMs: number): SQL {
  return sql`lower(${`${formatUuidTime(nowMs)}-7`} || printf('%03x', event.ordinal & 4095) || '-'
    || substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`;
}

/** Returns the condition for endpoints that subscribe to an event type. */
export function subscribedTo(type: EventType): SQL {
  return sql`exists (select 1 from json_each(${webhooks.events}) as filter
                      where filter.value in (${type}, ${ALL_EVENTS}))`;
}

/** The part of a tenant that writes and sends deliveries. */
export type Outbox = Pick<Tenant, "db" | "nowMs" | "deliveryQueue" | "waitUntil">;

/**
 * Runs a change and writes the deliveries of its event in one transaction, then sends them to the queue. Returns the
 * results of the change's statements.
 */
export function commit<First extends BatchItem<"sqlite">, Rest extends BatchItem<"sqlite">[]>(
  tenant: Tenant,
  statements: readonly [First, ...Rest],
  event: OutboxEvent,
): Promise<BatchResponse<[First, ...Rest]>> {
  const subscribers = sql`${webhooks.workspaceId} = ${tenant.workspace.id} and ${subscribedTo(event.type)}`;
  return commitTo(tenant, statements, event, subscribers);
}

/** Does the same as {@link commit} for other recipients than the workspace's subscribers. */
export async function commitTo<First extends BatchItem<"sqlite">, Rest extends BatchItem<"sqlite">[]>(
  outbox: Outbox,
  statements: readonly [First, ...Rest],
  event: OutboxEvent,
  recipients: SQL,
): Promise<BatchResponse<[First, ...Rest]>> {
  const deliveries = insertDeliveries(outbox.db, outbox.nowMs, event, recipients);
  const batch = event.isReadBefore ? [deliveries, ...statements] : [...statements, deliveries];
  const results: unknown[] = await outbox.db.batch(batch as unknown as [First, ...Rest]);
  const messages = event.isReadBefore ? results.shift() : results.pop();
  sendDeliveries(outbox, messages as DeliveryMessage[]);
  return results as BatchResponse<[First, ...Rest]>;
}

/** Sends deliveries to the queue after the response. */
export function sendDeliveries(
  { deliveryQueue, waitUntil }: Pick<Outbox, "deliveryQueue" | "waitUntil">,
  messages: readonly DeliveryMessage[],
): void {
  waitUntil(queueDeliveries(deliveryQueue, messages));
}

/**
 * Sends deliveries to the queue. Never throws: the sweep finds deliveries whose message was lost. Local and deployed
 * queues alike wait `delaySeconds`, a whole number, before they deliver the messages.
 */
export async function queueDeliveries(
  queue: Queue,
  messages: readonly DeliveryMessage[],
  delaySeconds = 0,
): Promise<void> {
  try {
    for (let start = 0; start < messages.length; start += SEND_MAX) {
      const step = messages.slice(start, start + SEND_MAX);
      await queue.sendBatch(
        step.map((body) => ({ body })),
        { delaySeconds },
      );
    }
  } catch (error) {
    logError(`sending ${messages.length} deliveries to the queue failed; the sweep will find them`, error);
  }
}
