import { type SQL, sql } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { formatUuidTime } from "../core/id.ts";
import { toIso } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { ALL_EVENTS, type DeliveryMessage, type EventData, type EventType } from "./events.ts";
import { webhookDeliveries, webhooks } from "./webhooks.table.ts";

/** Most messages that one `sendBatch` takes. */
const SEND_MAX = 100;

/** Something that happened, once or several times. */
export interface OutboxEvent {
  type: EventType;
  /**
   * A select of the columns `data` (JSON), `timestamp` (ISO 8601) and `ordinal` (their order), one row for each time it
   * happened.
   */
  rows: SQL;
  /** Whether `rows` must be read before the change, because nothing tells of it afterwards. */
  isReadBefore?: boolean;
}

/** An occurrence whose data is at hand. */
export function newEvent<Type extends EventType>(
  type: Type,
  nowMs: number,
  ...data: EventData[Type][]
): OutboxEvent {
  const rows = sql`select item.value as data, ${toIso(nowMs)} as timestamp, item.key as ordinal
                     from json_each(${JSON.stringify(data)}) as item`;
  return { type, rows };
}

/**
 * {@link newEvent}, if a row of the table meets the condition before the change: what changes nothing is no event. At
 * most one row may meet it.
 */
export function newEventWhere<Type extends EventType>(
  type: Type,
  nowMs: number,
  data: EventData[Type],
  table: SQLiteTable,
  condition: SQL | undefined,
): OutboxEvent {
  const rows = sql`select ${JSON.stringify(data)} as data, ${toIso(nowMs)} as timestamp, 0 as ordinal
                     from ${table} where ${condition}`;
  return { type, rows, isReadBefore: true };
}

/**
 * The statement that writes a delivery for every row of the occurrence and every enabled endpoint that asked for it,
 * among those that `isRecipient` tells (table `webhooks`; `event` holds the occurrence's row). It returns the messages
 * for the queue. Ids are UUIDv7 with the ordinal as the counter, unless `id` names that of the one delivery there is.
 */
export function insertDeliveries(
  db: Database,
  nowMs: number,
  occurrence: OutboxEvent,
  isRecipient: SQL,
  id: SQL = newDeliveryId(nowMs),
) {
  const { type, rows } = occurrence;
  const payload = sql`json_object('event', ${type}, 'timestamp', event.timestamp, 'data', json(event.data))`;
  return db
    .insert(webhookDeliveries)
    .select(
      sql`select ${id}, ${webhooks.workspaceId}, ${webhooks.id}, ${type}, ${payload}, 'pending', 0, 0, null,
                 ${nowMs}, null, null, ${nowMs}
            from (${rows}) as event join ${webhooks} on ${isRecipient}
           where ${webhooks.enabled}
           order by event.ordinal`,
    )
    .returning({ deliveryId: webhookDeliveries.id, webhookId: webhookDeliveries.webhookId });
}

function newDeliveryId(nowMs: number): SQL {
  return sql`lower(${`${formatUuidTime(nowMs)}-7`} || printf('%03x', event.ordinal & 4095) || '-'
    || substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`;
}

/** Whether an endpoint asked to hear of events of a type. */
export function subscribedTo(type: EventType): SQL {
  return sql`exists (select 1 from json_each(${webhooks.events}) as filter
                      where filter.value in (${type}, ${ALL_EVENTS}))`;
}

/** What {@link commit} needs of a tenant. */
type Committer = Pick<Tenant, "db" | "nowMs" | "queueDeliveries">;

/**
 * Runs a change and writes the deliveries that it causes in one transaction, then queues them. Answers with what the
 * statements of the change returned.
 */
export function commit<First extends BatchItem<"sqlite">, Rest extends BatchItem<"sqlite">[]>(
  tenant: Tenant,
  statements: readonly [First, ...Rest],
  occurrence: OutboxEvent,
): Promise<BatchResponse<[First, ...Rest]>> {
  const isRecipient = sql`${webhooks.workspaceId} = ${tenant.workspace.id} and ${subscribedTo(occurrence.type)}`;
  return commitTo(tenant, statements, occurrence, isRecipient);
}

/** {@link commit} for other recipients than the workspace's subscribers. */
export async function commitTo<First extends BatchItem<"sqlite">, Rest extends BatchItem<"sqlite">[]>(
  { db, nowMs, queueDeliveries }: Committer,
  statements: readonly [First, ...Rest],
  occurrence: OutboxEvent,
  isRecipient: SQL,
): Promise<BatchResponse<[First, ...Rest]>> {
  const outbox = insertDeliveries(db, nowMs, occurrence, isRecipient);
  const batch = occurrence.isReadBefore ? [outbox, ...statements] : [...statements, outbox];
  const results: unknown[] = await db.batch(batch as unknown as [First, ...Rest]);
  const messages = occurrence.isReadBefore ? results.shift() : results.pop();
  queueDeliveries(messages as DeliveryMessage[]);
  return results as BatchResponse<[First, ...Rest]>;
}

/**
 * Hands deliveries to the queue. Never fails what caused them: those whose message is lost are found by the sweep.
 * Local and deployed queues alike wait `delaySeconds`, a whole number, before the first of them arrives.
 */
export async function queueDeliveries(
  queue: Queue<DeliveryMessage>,
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
    console.error(`queueing of ${messages.length} deliveries failed; the sweep will find them`, error);
  }
}
