import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { workspaces } from "../tenant/tenant.table.ts";
import type { DeliveryStatus } from "./delivery-state.ts";
import type { EventFilter, EventType } from "./events.ts";

/** Endpoints that receive events. */
export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
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
  },
  (table) => [index("webhooks_newest").on(table.workspaceId, table.id)],
);

/** One event for one endpoint, written in the transaction of the change that caused it, so that no event is lost. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    /** UUIDv7, sent to the receiver as `X-SVC-Delivery`. */
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    // Not a foreign key: the deliveries of a deleted endpoint are swept by age.
    webhookId: text("webhook_id").notNull(),
    eventType: text("event_type").$type<EventType>().notNull(),
    /** Request body, exactly as it is signed and sent. */
    payload: text().notNull(),
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
    /**
     * Time at which the next attempt is due; null if there is none. Claiming an attempt moves it to the time at which
     * the claim expires, so that an attempt that died with its process is made again.
     */
    nextAttemptAt: integer("next_attempt_at"),
  },
  (table) => [
    index("webhook_deliveries_newest").on(table.webhookId, table.id),
    index("webhook_deliveries_due").on(table.nextAttemptAt).where(sql`${table.nextAttemptAt} is not null`),
  ],
);

/** Attempts of deliveries. */
export const webhookAttempts = sqliteTable(
  "webhook_attempts",
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
