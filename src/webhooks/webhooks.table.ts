import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { tenants } from "../tenant/tenant.table.ts";
import type { DeliveryStatus } from "./delivery-state.ts";
import type { EventFilter, EventType } from "./events.ts";

/** Endpoints that receive events. */
export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => tenants.id),
    url: text().notNull(),
    /** Normalized host of the URL, compared with the hosts that workspaces added. */
    hostname: text().notNull(),
    description: text().notNull(),
    events: text({ mode: "json" }).$type<EventFilter[]>().notNull(),
    enabled: integer({ mode: "boolean" }).notNull(),
    /** Time at which the service disabled the endpoint. Null while it is enabled, or if its owner disabled it. */
    disabledAt: integer("disabled_at"),
    /** Signing secret, sealed for this endpoint. */
    secret: text().notNull(),
    /** Replaced secrets, latest first. Each keeps signing until its time. */
    previousSecrets: text("previous_secrets", { mode: "json" })
      .$type<{ secret: string; until: number }[]>()
      .notNull()
      .default([]),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** Number of events that were not delivered because too many deliveries waited, and the time of the last one. */
    skippedCount: integer("skipped_count").notNull().default(0),
    skippedAt: integer("skipped_at"),
  },
  (table) => [index("webhooks_newest").on(table.workspaceId, table.id)],
);

/**
 * Lane of an endpoint: its deliveries, waiting and past. Deliveries refer to the small number of the lane, since the
 * UUID of the endpoint would take a third of each row. A lane outlives its endpoint until its deliveries are deleted.
 */
export const webhookLanes = sqliteTable(
  "webhook_lanes",
  {
    /** Number of the workspace in the upper bits, then a number that increases with each lane of it (`LANE_BITS`). */
    id: integer().primaryKey(),
    webhookId: text("webhook_id").notNull().unique("webhook_lanes_webhook"),
    workspaceId: text("workspace_id").notNull(),
    /** Grows when the endpoint is disabled. Waiting deliveries of an earlier epoch fail instead of being attempted. */
    epoch: integer().notNull().default(0),
    /** Time at which the endpoint was deleted. */
    deletedAt: integer("deleted_at"),
  },
  (table) => [index("webhook_lanes_deleted").on(table.deletedAt).where(sql`${table.deletedAt} is not null`)],
);

// The tables below are WITHOUT ROWID, so that a row is written once, in the order of its key. drizzle-kit cannot express
// that, so the migration was edited by hand.

/** Events that at least one endpoint receives, written in the transaction of the change that caused them. */
export const webhookEvents = sqliteTable(
  "webhook_events",
  {
    /** 1 for `link.scanned`, 0 for others. The two are kept for different times, so each is a range of the key. */
    isScan: integer("is_scan").notNull(),
    /** First 32 characters of the ids of the event's deliveries. Their last four are the number of the recipient. */
    id: text().notNull(),
    workspaceId: text("workspace_id").notNull(),
    type: text().$type<EventType>().notNull(),
    /** Lanes that receive the event. */
    recipients: text({ mode: "json" }).$type<number[]>().notNull(),
    createdAt: integer("created_at").notNull(),
    /** Number of recipients whose deliveries are written. Null if all are. */
    fannedOut: integer("fanned_out"),
    /** Request body of the deliveries, exactly as it is signed and sent. Last, so that it is read only if it is needed. */
    payload: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.isScan, table.id] }),
    index("webhook_events_pending").on(table.workspaceId).where(sql`${table.fannedOut} is not null`),
  ],
);

/** One event for one endpoint. */
export const eventDeliveries = sqliteTable(
  "event_deliveries",
  {
    lane: integer().notNull(),
    /** UUIDv7, sent to the receiver as `X-SVC-Delivery`. */
    id: text().notNull(),
    eventType: text("event_type").$type<EventType>().notNull(),
    status: text().$type<DeliveryStatus>().notNull(),
    /** Number of attempts made. */
    attempts: integer().notNull(),
    /** Number of attempts before the current retry schedule began: 0, or the attempts before the last resend. */
    attemptsBefore: integer("attempts_before").notNull(),
    /** HTTP status of the last attempt; null if there was no response. */
    responseStatus: integer("response_status"),
    createdAt: integer("created_at").notNull(),
    deliveredAt: integer("delivered_at"),
    failedAt: integer("failed_at"),
    /** Epoch of the lane when the delivery was written or sent again. */
    epoch: integer().notNull(),
    /** Time at which the next attempt is due; null if there is none. */
    nextAttemptAt: integer("next_attempt_at"),
  },
  (table) => [
    primaryKey({ columns: [table.lane, table.id] }),
    index("event_deliveries_waiting")
      .on(table.lane, table.epoch, table.nextAttemptAt)
      .where(sql`${table.nextAttemptAt} is not null`),
  ],
);

/** The latest attempts of deliveries. */
export const deliveryAttempts = sqliteTable(
  "delivery_attempts",
  {
    deliveryId: text("delivery_id").notNull(),
    /** Number of the attempt, from 1. */
    number: integer().notNull(),
    attemptedAt: integer("attempted_at").notNull(),
    latencyMs: integer("latency_ms").notNull(),
    /** Null if there was no response; `error` then holds the reason. */
    responseStatus: integer("response_status"),
    error: text(),
    /** Beginning of the response body. */
    responseBody: text("response_body"),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.number] })],
);

/** Turn of a lane that is under way: the lane, and the time at which the turn has died if it has not ended. */
export type Turn = [lane: number, untilMs: number];

/**
 * Waiting deliveries of each workspace, and its turns under way. Every change adds to the number in its own batch, with
 * the plan's current cap, so that the constraint `delivery_backlog`, and not an earlier check, rejects what exceeds it.
 */
export const deliveryBacklogs = sqliteTable(
  "delivery_backlogs",
  {
    workspaceId: text("workspace_id").primaryKey(),
    waiting: integer().notNull(),
    cap: integer().notNull(),
    turns: text({ mode: "json" }).$type<Turn[]>().notNull(),
  },
  (table) => [check("delivery_backlog", sql`${table.waiting} <= ${table.cap}`)],
);
