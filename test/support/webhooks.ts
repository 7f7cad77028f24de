import { inject } from "vitest";
import * as z from "zod";
import {
  deliveryDetailResponse,
  deliveryResponse,
  webhookWithSecretResponse,
} from "../../src/webhooks/webhooks.schema.ts";
import { checkDelivery } from "./contract.ts";
import { expectData, onEachShard, type TestWorkspace } from "./harness.ts";
import type { Received } from "./receiver.ts";

/** Returns a new name under which the receiver records requests. */
export function newReceiverName(): string {
  return crypto.randomUUID();
}

/** Returns the receiver's URL for a name. The query sets the response (see receiver.ts). */
export function buildReceiverUrl(name: string, query = ""): string {
  return `${inject("receiverUrl")}/${name}${query && `?${query}`}`;
}

/** Returns the requests received under a name. Fails the test if one differs from the OpenAPI document. */
export async function listReceived(name: string): Promise<Received[]> {
  const received: Received[] = await (await fetch(`${inject("receiverUrl")}/_received/${name}`)).json();
  for (const { headers, body } of received) checkDelivery(headers, body);
  return received;
}

/** Lets a receiver with `gate` return 200 from now on. */
export async function openGate(name: string): Promise<void> {
  await fetch(`${inject("receiverUrl")}/_open/${name}`, { method: "POST" });
}

export async function createWebhook(workspace: TestWorkspace, url: string, events?: string[]) {
  const response = await workspace.call("POST", "/v1/webhooks", { body: { url, ...(events && { events }) } });
  return (await expectData(response, webhookWithSecretResponse, 201)).data;
}

export async function listDeliveries(workspace: TestWorkspace, webhookId: string, query = "") {
  const response = await workspace.call("GET", `/v1/webhooks/${webhookId}/deliveries${query}`);
  return (await expectData(response, z.array(deliveryResponse))).data;
}

export async function getDelivery(workspace: TestWorkspace, webhookId: string, deliveryId: string) {
  const response = await workspace.call("GET", `/v1/webhooks/${webhookId}/deliveries/${deliveryId}`);
  return (await expectData(response, deliveryDetailResponse)).data;
}

/** Returns the sum over all shards of a statement that selects one number. */
export async function readNumber(sql: string, ...params: unknown[]): Promise<number> {
  const rows = await onEachShard<Record<string, number>>(sql, ...params);
  return rows.reduce((sum, row) => sum + (Object.values(row)[0] ?? 0), 0);
}

/** Adds waiting deliveries of one event to an endpoint, due immediately. */
export async function addWaiting(workspace: TestWorkspace, webhookId: string, count: number): Promise<void> {
  const nowMs = Date.now();
  const time = nowMs.toString(16).padStart(12, "0");
  const eventId = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${crypto.randomUUID().slice(0, 8)}`;
  const lane = await readNumber("SELECT id FROM webhook_lanes WHERE webhook_id = ?", webhookId);
  await workspace.shard.batch([
    workspace.shard
      .prepare(
        `INSERT INTO webhook_events VALUES (0, ?, ?, 'link.created', ?, ?, NULL, '{"event":"link.created",
         "timestamp":"2026-11-21T00:00:00.000Z","data":{"link_id":"01a1ff98-fdd4-7428-9052-3c5b5a6b063c",
         "short_code":"waiting","destination":"https://example.com/"}}')`,
      )
      .bind(eventId, workspace.id, JSON.stringify([lane]), nowMs),
    workspace.shard
      .prepare(
        `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ? - 1)
       INSERT INTO event_deliveries
       SELECT ?, ? || printf('%04x', n), 'link.created', 'pending', 0, 0, NULL, ?, NULL, NULL, 0, ? FROM numbers`,
      )
      .bind(count, lane, eventId, nowMs, nowMs),
    workspace.shard
      .prepare(
        `INSERT INTO delivery_backlogs VALUES (?1, ?2, 1000000, '[]', 0, 0)
       ON CONFLICT DO UPDATE SET waiting = waiting + ?2, cap = 1000000`,
      )
      .bind(workspace.id, count),
  ]);
}
