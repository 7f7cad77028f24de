import { inject } from "vitest";
import * as z from "zod";
import {
  deliveryDetailResponse,
  deliveryResponse,
  webhookWithSecretResponse,
} from "../../src/webhooks/webhooks.schema.ts";
import { checkDelivery } from "./contract.ts";
import { expectData, type TestWorkspace } from "./harness.ts";
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
