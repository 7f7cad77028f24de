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
    /** Normalised host of the URL. Compared with the hosts that workspaces added. */
    hostname: text().notNull(),
    description: text().notNull(),
    events: text({ mode: "json" }).$type<EventFilter[]>().notNull(),
    enabled: integer({ mode: "boolean" }).notNull(),
    /**
     * Time at which Signpost disabled the endpoint. Null if the endpoint is enabled or a member disabled it.
     */
    disabledAt: integer("disabled_at"),
    /** Signing secret, sealed for this endpoint. */
    secret: text().notNull(),
    /** Replaced secrets, latest first. Each signs until its `until` time. */
    previousSecrets: text("previous_secrets", { mode: "json" })
      .$type<{ secret: string; until: number }[]>()
      .notNull()
      .default([]),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /**
     * Number of events that weren't delivered because too many deliveries were waiting, and the time of the
     * latest one.
     */
    skippedCount: integer("skipped_count").notNull().default(0),
    skippedAt: integer("skipped_at"),
  },
  (table) => [index("webhooks_newest").on(table.workspaceId, table.id)],
);

/**
 * Lane of an endpoint, which holds all its deliveries. Deliveries refer to the lane by a small number,
 * because the UUID of the endpoint would take up a third of each row. A lane is kept after its endpoint is
 * deleted, until its deliveries are deleted too.
 */
export const webhookLanes = sqliteTable(
  "webhook_lanes",
  {
    /**
     * The upper bits are the number of the workspace. The lower bits (`LANE_BITS`) increase with each lane of
     * the workspace.
     */
    id: integer().primaryKey(),
    webhookId: text("webhook_id").notNull().unique("webhook_lanes_webhook"),
    workspaceId: text("workspace_id").notNull(),
    /**
     * Incremented when the endpoint is disabled. Waiting deliveries of earlier epochs fail instead of being
     * attempted.
     */
    epoch: integer().notNull().default(0),
    /** Time at which the endpoint was deleted. */
    deletedAt: integer("deleted_at"),
  },
  (table) => [index("webhook_lanes_deleted").on(table.deletedAt).where(sql`${table.deletedAt} is not null`)],
);

// The tables below are WITHOUT ROWID, so that each row is written once, in key order. drizzle-kit can't
// express that, so the migration was edited by hand.

/** Events that at least one endpoint receives. Written in the transaction of the change that caused them. */
export const webhookEvents = sqliteTable(
  "webhook_events",
  {
    /**
     * 1 for `link.scanned`, 0 for other types. Their retention differs, so each is a separate range of the
     * key.
     */
    isScan: integer("is_scan").notNull(),
    /**
     * First 32 characters of the ids of the event's deliveries. A delivery's last four characters are the
     * index of its recipient.
     */
    id: text().notNull(),
    workspaceId: text("workspace_id").notNull(),
    type: text().$type<EventType>().notNull(),
    /** Ids of the lanes that receive the event. */
    recipients: text({ mode: "json" }).$type<number[]>().notNull(),
    createdAt: integer("created_at").notNull(),
    /** Number of recipients whose deliveries have been written, or null if all have. */
    fannedOut: integer("fanned_out"),
    /**
     * Request body of the deliveries, exactly as it is signed and sent. It is the last column, so that it is
     * read only if needed.
     */
    payload: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.isScan, table.id] }),
    index("webhook_events_pending").on(table.workspaceId).where(sql`${table.fannedOut} is not null`),
  ],
);

/** Delivery of one event to one endpoint. */
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
    /**
     * Number of attempts before the current retry schedule began: 0, or the number of attempts before the
     * last resend.
     */
    attemptsBefore: integer("attempts_before").notNull(),
    /** HTTP status of the last attempt, or null if there was no response. */
    responseStatus: integer("response_status"),
    createdAt: integer("created_at").notNull(),
    deliveredAt: integer("delivered_at"),
    failedAt: integer("failed_at"),
    /** Epoch of the lane when the delivery was written or resent. */
    epoch: integer().notNull(),
    /** Time at which the next attempt is due, or null if there is none. */
    nextAttemptAt: integer("next_attempt_at"),
  },
  (table) => [
    primaryKey({ columns: [table.lane, table.id] }),
    index("event_deliveries_waiting")
      .on(table.lane, table.epoch, table.nextAttemptAt)
      .where(sql`${table.nextAttemptAt} is not null`),
  ],
);

/** Latest attempts of deliveries. */
export const deliveryAttempts = sqliteTable(
  "delivery_attempts",
  {
    deliveryId: text("delivery_id").notNull(),
    /** Number of the attempt, starting at 1. */
    number: integer().notNull(),
    attemptedAt: integer("attempted_at").notNull(),
    latencyMs: integer("latency_ms").notNull(),
    /** HTTP status, or null if there was no response. `error` then has the reason. */
    responseStatus: integer("response_status"),
    error: text(),
    /** Beginning of the response body. */
    responseBody: text("response_body"),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.number] })],
);

/** Running turn of a lane, and the time when its lease expires. */
export type Turn = [lane: number, untilMs: number];

/**
 * Number of waiting deliveries of each workspace, and its running turns. Each change of deliveries also
 * updates the number, together with the plan's current cap, in the same batch. The constraint
 * `delivery_backlog` then rejects changes that exceed the cap, which an earlier check couldn't do reliably.
 */
export const deliveryBacklogs = sqliteTable(
  "delivery_backlogs",
  {
    workspaceId: text("workspace_id").primaryKey(),
    waiting: integer().notNull(),
    cap: integer().notNull(),
    turns: text({ mode: "json" }).$type<Turn[]>().notNull(),
    /** Day (UTC, days since 1970) of the latest logged attempt, and bytes of response bodies logged on it. */
    loggedOn: integer("logged_on").notNull().default(0),
    loggedBytes: integer("logged_bytes").notNull().default(0),
  },
  (table) => [check("delivery_backlog", sql`${table.waiting} <= ${table.cap}`)],
);
