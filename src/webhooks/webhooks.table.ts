import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { workspaces } from "../tenant/tenant.table.ts";
import type { DeliveryStatus, EventFilter, EventType } from "./events.ts";

/** Endpoints that want to hear of events. */
export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    url: text().notNull(),
    /** Host of the URL, compared with those that workspaces added. */
    hostname: text().notNull(),
    description: text().notNull(),
    events: text({ mode: "json" }).$type<EventFilter[]>().notNull(),
    enabled: integer({ mode: "boolean" }).notNull(),
    /** When the service disabled it; null while enabled, and when its owner disabled it. */
    disabledAt: integer("disabled_at"),
    /** Signing secret, sealed for this endpoint. */
    secret: text().notNull(),
    /** Those it replaced, the latest first; each signs too until its time. */
    previousSecrets: text("previous_secrets", { mode: "json" })
      .$type<{ secret: string; until: number }[]>()
      .notNull()
      .default([]),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [index("webhooks_newest").on(table.workspaceId, table.id)],
);

/** One event for one endpoint. Written in the batch of the change that caused it: what is here is never lost. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    /** UUIDv7; what the receiver knows the delivery by. */
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    // No reference: the deliveries of a deleted endpoint are swept by age.
    webhookId: text("webhook_id").notNull(),
    eventType: text("event_type").$type<EventType>().notNull(),
    /** The body, byte for byte as it is signed and sent. */
    payload: text().notNull(),
    status: text().$type<DeliveryStatus>().notNull(),
    /** Attempts made. */
    attempts: integer().notNull(),
    /** Attempts made before the retry schedule last began: 0, or as many as there were when it was resent. */
    attemptsBefore: integer("attempts_before").notNull(),
    /** Of the last attempt; null for no answer. */
    responseStatus: integer("response_status"),
    createdAt: integer("created_at").notNull(),
    deliveredAt: integer("delivered_at"),
    failedAt: integer("failed_at"),
    /**
     * When the next attempt is due; null when there is none to come. Whoever makes an attempt moves it on first, to
     * when the attempt would have to be made again if nothing more were heard of it.
     */
    nextAttemptAt: integer("next_attempt_at"),
  },
  (table) => [
    index("webhook_deliveries_newest").on(table.webhookId, table.id),
    index("webhook_deliveries_due").on(table.nextAttemptAt).where(sql`${table.nextAttemptAt} is not null`),
  ],
);

/** Every attempt at a delivery. */
export const webhookAttempts = sqliteTable(
  "webhook_attempts",
  {
    deliveryId: text("delivery_id").notNull(),
    /** Counted from 1. */
    number: integer().notNull(),
    attemptedAt: integer("attempted_at").notNull(),
    latencyMs: integer("latency_ms").notNull(),
    /** Null for no answer: then `error` says why. */
    responseStatus: integer("response_status"),
    error: text(),
    /** Beginning of the answer's body. */
    responseBody: text("response_body"),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.number] })],
);
