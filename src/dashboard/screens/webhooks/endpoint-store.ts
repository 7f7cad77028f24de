import { showToast } from "../../components/toast-list.ts";
import { api, asFault, callApi, type Schemas } from "../../data/calls.ts";
import { type CountedList, changeItem, putItem, removeItems, toPage } from "../../data/paged-list.ts";
import type { Rollback } from "../../data/resource-cache.ts";
import { resources } from "../../data/resources.ts";
import { MARKS_MAX } from "./delivery-health.ts";
import type { EndpointBody } from "./endpoint-draft.ts";

/** Webhook endpoints of the workspace. Updates are shown before the API confirms them. */

export type Endpoint = Schemas["Webhook"];
export type EndpointWithSecret = Schemas["WebhookWithSecret"];

/** Cache key of the list. */
export const ENDPOINTS_KEY = "webhooks";
const PAGE_SIZE = 50;

/** Endpoints, newest first, with the statuses of their last deliveries. */
export type EndpointList = CountedList<Schemas["ListedWebhook"]>;

/** Returns the cache key of one endpoint. */
export function formatEndpointKey(id: string): string {
  return `webhook/${id}`;
}

/** Reads one page of the list, from the start or after a cursor. */
export async function readEndpoints(before: string | null = null): Promise<EndpointList> {
  const query = { limit: PAGE_SIZE, recent: MARKS_MAX, ...(before !== null && { before }) };
  return toPage(await callApi(api.GET("/v1/webhooks", { params: { query } })));
}

export async function readEndpoint(id: string): Promise<Endpoint> {
  const path = { webhook_id: id };
  return (await callApi(api.GET("/v1/webhooks/{webhook_id}", { params: { path } }))).data;
}

/** Creates an endpoint. Repeating the call with the same key is safe: it returns the first response. */
export async function createEndpoint(
  body: EndpointBody & { url: string },
  idempotencyKey: string,
): Promise<EndpointWithSecret> {
  const header = { "Idempotency-Key": idempotencyKey };
  const { data } = await callApi(api.POST("/v1/webhooks", { params: { header }, body }));
  const { secret: _, ...endpoint } = data;
  resources.change<EndpointList>(ENDPOINTS_KEY, (list) =>
    putItem(list, { ...endpoint, recent_statuses: [] }),
  );
  return data;
}

/** Updates an endpoint. The dashboard shows the change immediately, and goes back if the call fails. */
export async function updateEndpoint(
  id: string,
  body: EndpointBody & { enabled?: boolean },
): Promise<Endpoint> {
  const undo = showEndpoint(id, body);
  try {
    const path = { webhook_id: id };
    const { data } = await callApi(api.PATCH("/v1/webhooks/{webhook_id}", { params: { path }, body }));
    showEndpoint(id, data);
    return data;
  } catch (fault) {
    undo();
    throw fault;
  }
}

/** Enables or disables an endpoint, with a button to undo it. */
export async function setEndpointEnabled(id: string, enabled: boolean): Promise<void> {
  try {
    await updateEndpoint(id, { enabled });
    const text = enabled
      ? "Endpoint enabled. It will receive new events."
      : "Endpoint disabled. Pending deliveries were marked as failed.";
    showToast(text, { label: "Undo", run: () => void setEndpointEnabled(id, !enabled) });
  } catch (fault) {
    showToast(asFault(fault).message);
  }
}

/**
 * Rotates the secret of an endpoint and returns the new one. The old secret also signs for 24 more hours,
 * unless `immediate` is true.
 */
export async function rotateSecret(id: string, immediate: boolean, idempotencyKey: string): Promise<string> {
  const params = { path: { webhook_id: id }, header: { "Idempotency-Key": idempotencyKey } };
  const call = api.POST("/v1/webhooks/{webhook_id}/rotate-secret", { params, body: { immediate } });
  return (await callApi(call)).data.secret;
}

/** Deletes an endpoint and its deliveries. */
export async function deleteEndpoint(id: string): Promise<void> {
  const path = { webhook_id: id };
  await callApi(api.DELETE("/v1/webhooks/{webhook_id}", { params: { path } }));
  resources.change<EndpointList>(ENDPOINTS_KEY, (list) => removeItems(list, new Set([id])));
}

function showEndpoint(id: string, change: Partial<Endpoint>): Rollback {
  const undoList = resources.change<EndpointList>(ENDPOINTS_KEY, (list) => changeItem(list, id, change));
  const undoOne = resources.change<Endpoint>(formatEndpointKey(id), (endpoint) => ({
    ...endpoint,
    ...change,
  }));
  return () => {
    undoList();
    undoOne();
  };
}
