import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { toIso } from "../core/time.ts";
import type { ShardDatabase } from "../db/database.ts";
import { rawQuery } from "../db/raw-query.ts";
import { getWaitingCap } from "../tenant/plans.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { explainBacklog } from "./backlog.ts";
import { ALL_EVENTS, EVENTS, type EventData, type EventType } from "./events.ts";
import { sendWakeUps } from "./wake-ups.ts";
import { webhooks } from "./webhooks.table.ts";
import {
  countSkipped,
  type EventWrite,
  generateIdPrefix,
  insertEvents,
  readWakeUps,
  writeDeliveries,
} from "./write-events.ts";

/** Event to write to the outbox (the table `webhook_events`). The event is written once per row of `rows`. */
export interface OutboxEvent {
  type: EventType;
  /**
   * Select with one row per event: `data` (JSON), `timestamp` (ISO 8601) and `ordinal` (order of deliveries).
   */
  rows: SQL;
  /** True if `rows` must be read before the change, because the change removes the rows that it reads. */
  isReadBefore?: boolean;
}

/** Returns one event with the given data. */
export function buildEvent<Type extends EventType>(
  type: Type,
  nowMs: number,
  data: EventData[Type],
): OutboxEvent {
  const rows = sql`select ${JSON.stringify(data)} as data, ${toIso(nowMs)} as timestamp, 0 as ordinal`;
  return { type, rows };
}

/**
 * Returns an event that is written only if a row of the table meets the condition before the change. A change
 * without effect then sends no event. At most one row may meet the condition.
 */
export function buildEventWhere<Type extends EventType>(
  type: Type,
  nowMs: number,
  data: EventData[Type],
  table: SQLiteTable,
  condition: SQL | undefined,
): OutboxEvent {
  const { rows } = buildEvent(type, nowMs, data);
  return { type, rows: sql`${rows} from ${table} where ${condition}`, isReadBefore: true };
}

/** SQL expression for each field of an event's data. */
export type EventColumns<Type extends EventType> = Record<keyof EventData[Type], SQLWrapper>;

/** Rows from which events are built, and their order. */
interface EventSource {
  /** SQL after `from`. */
  from: SQL;
  /** Order of the rows. The default 0 is for sources with at most one row. */
  ordinal?: SQL;
  isReadBefore?: boolean;
}

/** Returns one event per row of the source. `columns` are SQL expressions over the row. */
export function selectEvents<Type extends EventType>(
  type: Type,
  nowMs: number,
  columns: EventColumns<Type>,
  { from, ordinal = sql`0`, isReadBefore = false }: EventSource,
): OutboxEvent {
  const rows = sql`select ${buildEventJson(type, columns)} as data, ${toIso(nowMs)} as timestamp, ${ordinal} as ordinal
                     from ${from}`;
  return { type, rows, isReadBefore };
}

/**
 * Builds the JSON of an event's data as its schema defines it. SQLite has no booleans, so they are converted.
 */
function buildEventJson<Type extends EventType>(type: Type, columns: EventColumns<Type>): SQL {
  const shape: Record<string, z.core.$ZodType> = EVENTS[type].shape;
  const members = Object.entries(shape).map(([name, schema]) => {
    const value = columns[name as keyof EventColumns<Type>];
    const json = schema instanceof z.ZodBoolean ? sql`json(iif(${value}, 'true', 'false'))` : sql`${value}`;
    return sql`${sql.raw(`'${name}'`)}, ${json}`;
  });
  return sql`json_object(${sql.join(members, sql`, `)})`;
}

/** Returns the condition for endpoints that subscribe to an event type. */
export function subscribedTo(type: EventType): SQL {
  return sql`exists (select 1 from json_each(${webhooks.events}) as filter
                      where filter.value in (${type}, ${ALL_EVENTS}))`;
}

/** Shard that events are written to, and the resources that send wake-ups. */
export type Outbox = ShardDatabase & Pick<Tenant, "nowMs" | "deliveryQueue" | "waitUntil">;

/** Endpoints that receive an event. */
export interface Recipients {
  workspaceId: string;
  /** Condition over the table `webhooks`, in addition to the workspace. */
  condition: SQL;
  /** Maximum number of waiting deliveries of the workspace. */
  cap: number;
  /** True if the event is skipped when it would exceed the cap. Otherwise the change fails. */
  isSkipping: boolean;
  /** Prefix of the event's id, from `generateIdPrefix`. */
  idPrefix?: string;
}

/**
 * Runs a change and writes its event in one transaction, then wakes the lanes of the receiving endpoints.
 * Returns the results of the change's statements. Throws `DELIVERY_BACKLOG`, and changes nothing, if too many
 * deliveries of the workspace would be waiting.
 */
export function commit<First extends BatchItem<"sqlite">, Rest extends BatchItem<"sqlite">[]>(
  tenant: Tenant,
  statements: readonly [First, ...Rest],
  event: OutboxEvent,
): Promise<BatchResponse<[First, ...Rest]>> {
  const { id, plan, shard } = tenant.workspace;
  const cap = getWaitingCap(plan);
  // Endpoints from an earlier plan must not block changes on a plan without webhooks.
  const isSkipping = cap === 0;
  const recipients = { workspaceId: id, condition: subscribedTo(event.type), cap, isSkipping };
  return commitTo({ ...tenant, shard }, statements, event, recipients);
}

/** Like {@link commit}, but for other recipients than the workspace's subscribers. */
export async function commitTo<First extends BatchItem<"sqlite">, Rest extends BatchItem<"sqlite">[]>(
  { db, shard, nowMs, deliveryQueue, waitUntil }: Outbox,
  statements: readonly [First, ...Rest],
  { type, rows, isReadBefore }: OutboxEvent,
  { workspaceId, condition, cap, isSkipping, idPrefix = generateIdPrefix(nowMs) }: Recipients,
): Promise<BatchResponse<[First, ...Rest]>> {
  const write: EventWrite = {
    type,
    rows: sql`select event.*, ${workspaceId} as workspace_id from (${rows}) as event`,
    recipients: sql`${eq(webhooks.workspaceId, workspaceId)} and ${condition}`,
    idPrefix,
    caps: new Map([[workspaceId, cap]]),
    isSkipping,
  };
  const skips = isSkipping ? [rawQuery(db, countSkipped(nowMs, write))] : [];
  const events = [...skips, rawQuery(db, insertEvents(db, nowMs, write))];
  const [deliveries, waiting, woken] = writeDeliveries(db, nowMs, write);
  const batch = [
    ...(isReadBefore ? [...events, ...statements] : [...statements, ...events]),
    rawQuery(db, deliveries),
    rawQuery(db, waiting),
    rawQuery(db, woken),
  ];
  let results: unknown[];
  try {
    results = await db.batch(batch as unknown as [First, ...Rest]);
  } catch (error) {
    throw explainBacklog(error);
  }
  waitUntil(sendWakeUps(deliveryQueue, shard, readWakeUps(results.at(-1) as unknown[])));
  const from = isReadBefore ? events.length : 0;
  return results.slice(from, from + statements.length) as BatchResponse<[First, ...Rest]>;
}
