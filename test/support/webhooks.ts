import { inject } from "vitest";
import * as z from "zod";
import { linkResponse } from "../../src/links/links.schema.ts";
import {
  deliveryDetailResponse,
  deliveryResponse,
  webhookWithSecretResponse,
} from "../../src/webhooks/webhooks.schema.ts";
import { checkDelivery } from "./contract.ts";
import { expectData, type TestWorkspace } from "./harness.ts";
import type { Received } from "./receiver.ts";

/** A name for a test to receive under. */
export function freshName(): string {
  return crypto.randomUUID();
}

/** Address of the receiver under a name; the query says how it answers (see receiver.ts). */
export function receiverUrl(name: string, query = ""): string {
  return `${inject("receiverUrl")}/${name}${query && `?${query}`}`;
}

/** What came in under a name. Each delivery has to be as the document says. */
export async function receivedBy(name: string): Promise<Received[]> {
  const received: Received[] = await (await fetch(`${inject("receiverUrl")}/_received/${name}`)).json();
  for (const { headers, body } of received) checkDelivery(headers, body);
  return received;
}

/** Lets a receiver with `gate` answer 200 from now on. */
export async function openGate(name: string): Promise<void> {
  await fetch(`${inject("receiverUrl")}/_open/${name}`, { method: "POST" });
}

export async function newWebhook(workspace: TestWorkspace, url: string, events?: string[]) {
  const answer = await workspace.call("POST", "/v1/webhooks", { body: { url, ...(events && { events }) } });
  return (await expectData(answer, webhookWithSecretResponse, 201)).data;
}

export async function newLink(workspace: TestWorkspace, env?: Env, body: object = {}) {
  const answer = await workspace.call("POST", "/v1/links", {
    body: { url: "https://example.com/", ...body },
    ...(env && { env }),
  });
  return (await expectData(answer, linkResponse, 201)).data;
}

export async function listDeliveries(workspace: TestWorkspace, webhookId: string, query = "") {
  const answer = await workspace.call("GET", `/v1/webhooks/${webhookId}/deliveries${query}`);
  return (await expectData(answer, z.array(deliveryResponse))).data;
}

export async function getDelivery(workspace: TestWorkspace, webhookId: string, deliveryId: string) {
  const answer = await workspace.call("GET", `/v1/webhooks/${webhookId}/deliveries/${deliveryId}`);
  return (await expectData(answer, deliveryDetailResponse)).data;
}
