import * as z from "zod";
import { logError } from "../core/log.ts";
import { repeatOnce } from "../db/retry.ts";
import type { ApiContext } from "../http/context.ts";
import { formatPage } from "../http/envelope.ts";
import { deletedResponse, EXAMPLE_CREATED_AT } from "../http/fields.ts";
import { formatNextLink } from "../http/next-link.ts";
import { defineRoute, type Route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";
import { hasScope } from "../permissions/scopes.ts";
import {
  getDelivery,
  listDeliveries,
  presentDelivery,
  presentDeliveryDetail,
  resendDelivery,
  sendTest,
} from "./deliveries.ts";
import {
  createWebhook,
  deleteWebhook,
  deriveSecretKey,
  getWebhook,
  listWebhooks,
  presentListedWebhook,
  presentWebhook,
  rotateSecret,
  updateWebhook,
} from "./endpoints.ts";
import {
  createWebhookBody,
  deliveryDetailResponse,
  deliveryResponse,
  listDeliveriesQuery,
  listedWebhookResponse,
  listWebhooksQuery,
  rotateSecretBody,
  updateWebhookBody,
  webhookResponse,
  webhookWithSecretResponse,
} from "./webhooks.schema.ts";

const inWebhooks = { tag: "Webhooks", rateLimit: "A" } as const;

const create = defineRoute(
  {
    ...inWebhooks,
    id: "createWebhook",
    summary: "Register a webhook endpoint",
    description: "The signing secret is only returned in this response.",
    method: "post",
    path: "/v1/webhooks",
    scope: "webhooks:write",
    body: createWebhookBody,
    status: 201,
    data: webhookWithSecretResponse,
    errors: ["PLAN_LIMIT_EXCEEDED"],
    exampleData: { updated_at: EXAMPLE_CREATED_AT },
  },
  async (c, { body }) => {
    const key = await deriveSecretKey(c.env);
    const { webhook, secret } = await createWebhook(tenantFor(c), key, body);
    return { data: { ...presentWebhook(webhook), secret } };
  },
);

const list = defineRoute(
  {
    ...inWebhooks,
    id: "listWebhooks",
    summary: "List webhook endpoints, newest first",
    method: "get",
    path: "/v1/webhooks",
    scope: "webhooks:read",
    query: listWebhooksQuery,
    data: z.array(listedWebhookResponse),
    isPaged: true,
    hasCursor: true,
  },
  async (c, { query }) => {
    const { webhooks, total, nextBefore } = await listWebhooks(tenantFor(c), query);
    const isMasked = isUrlHidden(c);
    return {
      data: webhooks.map((webhook) => presentListedWebhook(webhook, isMasked)),
      page: formatPage(query, total, nextBefore),
    };
  },
);

const get = defineRoute(
  {
    ...inWebhooks,
    id: "getWebhook",
    summary: "Get a webhook endpoint",
    method: "get",
    path: "/v1/webhooks/:webhook_id",
    scope: "webhooks:read",
    data: webhookResponse,
  },
  async (c) => ({ data: presentWebhook(await getWebhook(tenantFor(c), getWebhookId(c)), isUrlHidden(c)) }),
);

const update = defineRoute(
  {
    ...inWebhooks,
    id: "updateWebhook",
    summary: "Change a webhook endpoint",
    description:
      "Changes only the fields in the body. `enabled: true` enables an endpoint that was disabled after failures and resets its failure count. With `enabled: false`, pending deliveries fail; if there are very many, this can take a few minutes.",
    method: "patch",
    path: "/v1/webhooks/:webhook_id",
    scope: "webhooks:write",
    body: updateWebhookBody,
    data: webhookResponse,
    exampleData: { events: ["*"] },
  },
  async (c, { body }) => {
    const reset = (webhookId: string) => repeatOnce(() => c.env.ENDPOINT_HEALTH.getByName(webhookId).reset());
    return { data: presentWebhook(await updateWebhook(tenantFor(c), getWebhookId(c), body, reset)) };
  },
);

const remove = defineRoute(
  {
    ...inWebhooks,
    id: "deleteWebhook",
    summary: "Delete a webhook endpoint",
    description: "Its delivery log is deleted too.",
    method: "delete",
    path: "/v1/webhooks/:webhook_id",
    scope: "webhooks:write",
    data: deletedResponse,
  },
  async (c) => {
    const id = getWebhookId(c);
    await deleteWebhook(tenantFor(c), id);
    c.executionCtx.waitUntil(resetFailures(c.env, id));
    return { data: { id, deleted: true as const } };
  },
);

const rotate = defineRoute(
  {
    ...inWebhooks,
    id: "rotateWebhookSecret",
    summary: "Rotate the signing secret",
    description:
      "The new secret is only returned in this response. For 24 hours, `webhook-signature` also contains a signature made with the old secret, unless `immediate` is true.",
    method: "post",
    path: "/v1/webhooks/:webhook_id/rotate-secret",
    scope: "webhooks:write",
    body: rotateSecretBody,
    isBodyOptional: true,
    data: webhookWithSecretResponse,
  },
  async (c, { body }) => {
    const key = await deriveSecretKey(c.env);
    const { webhook, secret } = await rotateSecret(tenantFor(c), key, getWebhookId(c), body.immediate);
    return { data: { ...presentWebhook(webhook), secret } };
  },
);

const test = defineRoute(
  {
    ...inWebhooks,
    id: "testWebhook",
    summary: "Send a test event",
    description: "Sends a `webhook.test` event, even if the endpoint does not subscribe to it.",
    method: "post",
    path: "/v1/webhooks/:webhook_id/test",
    scope: "webhooks:write",
    status: 201,
    data: deliveryResponse,
    errors: ["WEBHOOK_DISABLED", "DELIVERY_BACKLOG"],
    exampleData: {
      status: "pending",
      event_type: "webhook.test",
      delivered_at: null,
      attempts: 0,
      response_status: null,
    },
  },
  async (c) => ({ data: presentDelivery(await sendTest(tenantFor(c), getWebhookId(c))) }),
);

const deliveries = defineRoute(
  {
    ...inWebhooks,
    id: "listDeliveries",
    summary: "List an endpoint's deliveries, newest first",
    description:
      "A request with `status` or `event_type` examines at most 2,000 deliveries, so a page can contain fewer deliveries than `limit`. In that case, a warning in `meta.warnings` contains the value of `before` with which to continue. The header `Link` always contains the URL of the next page.",
    method: "get",
    path: "/v1/webhooks/:webhook_id/deliveries",
    scope: "webhooks:read",
    query: listDeliveriesQuery,
    data: z.array(deliveryResponse),
    hasWarnings: true,
    headers: {
      Link: 'URL of the next page, with `rel="next"` (RFC 8288). Omitted at the end of the list.',
    },
  },
  async (c, { query: { limit, offset, before, ...filter } }) => {
    const page = await listDeliveries(tenantFor(c), getWebhookId(c), filter, { limit, offset, before });
    const { deliveries, nextBefore, unexaminedBefore } = page;
    if (nextBefore !== null) c.header("Link", formatNextLink(c.req.url, nextBefore));
    const warning = `Only part of the list was searched. Continue with before=${unexaminedBefore}.`;
    return { data: deliveries.map(presentDelivery), warnings: unexaminedBefore === null ? [] : [warning] };
  },
);

const delivery = defineRoute(
  {
    ...inWebhooks,
    id: "getDelivery",
    summary: "Get a delivery with its payload and last attempts",
    method: "get",
    path: "/v1/webhooks/:webhook_id/deliveries/:delivery_id",
    scope: "webhooks:read",
    data: deliveryDetailResponse,
  },
  async (c) => ({
    data: presentDeliveryDetail(await getDelivery(tenantFor(c), getWebhookId(c), getDeliveryId(c))),
  }),
);

const resend = defineRoute(
  {
    ...inWebhooks,
    id: "resendDelivery",
    summary: "Resend a delivery",
    description:
      "Sends the delivery immediately, with the same ID and payload, and restarts its retry schedule.",
    method: "post",
    path: "/v1/webhooks/:webhook_id/deliveries/:delivery_id/resend",
    scope: "webhooks:write",
    data: deliveryResponse,
    errors: ["WEBHOOK_DISABLED", "DELIVERY_BACKLOG"],
    exampleData: { status: "retrying", delivered_at: null, attempts: 6, response_status: 503 },
  },
  async (c) => ({
    data: presentDelivery(await resendDelivery(tenantFor(c), getWebhookId(c), getDeliveryId(c))),
  }),
);

export const webhookRoutes: Route[] = [
  create,
  list,
  get,
  update,
  remove,
  rotate,
  test,
  deliveries,
  delivery,
  resend,
];

/**
 * Resets the failure count of a deleted endpoint. If that fails, the remaining count is small and never read
 * again.
 */
async function resetFailures({ ENDPOINT_HEALTH }: Env, webhookId: string): Promise<void> {
  try {
    await repeatOnce(() => ENDPOINT_HEALTH.getByName(webhookId).reset());
  } catch (error) {
    logError(`the failure count of the deleted webhook ${webhookId} was not reset`, error);
  }
}

/** Returns true for people who can't change endpoints: a URL's path or query is often a password. */
function isUrlHidden(c: ApiContext): boolean {
  return c.get("session") !== undefined && !hasScope(c.get("caller").scopes, "webhooks:write");
}

function getWebhookId(c: ApiContext): string {
  return c.req.param("webhook_id") ?? "";
}

function getDeliveryId(c: ApiContext): string {
  return c.req.param("delivery_id") ?? "";
}
