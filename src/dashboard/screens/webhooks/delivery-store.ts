import { api, callApi, type Schemas } from "../../data/calls.ts";
import { changeItem, type PagedList } from "../../data/paged-list.ts";
import { resources } from "../../data/resources.ts";
import { type DeliveryQuery, findNextCursor } from "./delivery-filters.ts";
import { type DeliveryStatus, MARKS_MAX } from "./delivery-health.ts";

/** Deliveries of a webhook endpoint: reads and resends them. */

export type Delivery = Schemas["Delivery"];
export type DeliveryDetail = Schemas["DeliveryDetail"];
export type DeliveryPage = PagedList<Delivery>;

const PAGE_SIZE = 50;

/** Returns the prefix of the cache keys of an endpoint's lists. */
export function formatListsKey(webhookId: string): string {
  return `deliveries/${webhookId}?`;
}

/** Returns the cache key of a list. */
export function formatListKey(webhookId: string, query: DeliveryQuery): string {
  return formatListsKey(webhookId) + JSON.stringify(query);
}

/** Reads one page of a list, from the start or after a cursor. */
export async function readDeliveries(
  webhookId: string,
  { fromMs, ...query }: DeliveryQuery,
  before: string | null = null,
): Promise<DeliveryPage> {
  const call = api.GET("/v1/webhooks/{webhook_id}/deliveries", {
    params: {
      path: { webhook_id: webhookId },
      query: { ...query, limit: PAGE_SIZE, ...(before !== null && { before }) },
    },
  });
  const { data } = await callApi(call);
  const { response } = await call;
  const items = data.filter(({ created_at }) => fromMs === null || Date.parse(created_at) >= fromMs);
  return { items, nextBefore: findNextCursor(data, response.headers.get("Link"), fromMs) };
}

/** Reads the newest deliveries again, and keeps older ones that were already loaded. */
export async function refreshDeliveries(
  webhookId: string,
  query: DeliveryQuery,
  known: DeliveryPage,
): Promise<DeliveryPage> {
  const newest = await readDeliveries(webhookId, query);
  const last = newest.items.at(-1);
  if (newest.nextBefore === null || last === undefined) return newest;
  const older = known.items.filter(({ id }) => id < last.id);
  return older.length === 0 ? newest : { items: [...newest.items, ...older], nextBefore: known.nextBefore };
}

/** Reads the statuses of an endpoint's last deliveries, newest first. */
export async function readStatuses(webhookId: string): Promise<DeliveryStatus[]> {
  const params = { path: { webhook_id: webhookId }, query: { limit: MARKS_MAX } };
  const { data } = await callApi(api.GET("/v1/webhooks/{webhook_id}/deliveries", { params }));
  return data.map(({ status }) => status);
}

/** Reads a delivery with its payload and its attempts. */
export async function readDelivery(webhookId: string, deliveryId: string): Promise<DeliveryDetail> {
  const path = { webhook_id: webhookId, delivery_id: deliveryId };
  const call = api.GET("/v1/webhooks/{webhook_id}/deliveries/{delivery_id}", { params: { path } });
  return (await callApi(call)).data;
}

/** Resends a delivery with the same id. */
export async function resendDelivery(webhookId: string, deliveryId: string): Promise<Delivery> {
  const path = { webhook_id: webhookId, delivery_id: deliveryId };
  const header = { "Idempotency-Key": crypto.randomUUID() };
  const call = api.POST("/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/resend", {
    params: { path, header },
  });
  const { data } = await callApi(call);
  showDelivery(webhookId, data);
  return data;
}

/** Sends a test event to an endpoint. */
export async function sendTest(webhookId: string): Promise<Delivery> {
  const params = { path: { webhook_id: webhookId }, header: { "Idempotency-Key": crypto.randomUUID() } };
  return (await callApi(api.POST("/v1/webhooks/{webhook_id}/test", { params }))).data;
}

/** Updates a delivery in all cached lists of the endpoint. */
export function showDelivery(webhookId: string, delivery: Delivery): void {
  resources.change<DeliveryPage>(formatListsKey(webhookId), (page) =>
    changeItem(page, delivery.id, delivery),
  );
}
