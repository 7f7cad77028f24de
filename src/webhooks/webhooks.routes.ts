import * as z from "zod";
import type { ApiContext } from "../http/context.ts";
import { deletedResponse } from "../http/fields.ts";
import { type Route, route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";

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
  presentWebhook,
  rotateSecret,
  updateWebhook,
} from "./endpoints.ts";
import {
  createWebhookBody,
  deliveryDetailResponse,
  deliveryResponse,
  listDeliveriesQuery,
  listWebhooksQuery,
  rotateSecretBody,
  updateWebhookBody,
  webhookResponse,
  webhookWithSecretResponse,
} from "./webhooks.schema.ts";

const inWebhooks = { tag: "Webhooks", rateLimit: "A" } as const;

const create = route(
  {
    ...inWebhooks,
    id: "createWebhook",
    summary: "Register a webhook endpoint",
    description: "The answer holds the signing secret, which is shown this once.",
    method: "post",
    path: "/v1/webhooks",
    scope: "webhooks:write",
    body: createWebhookBody,
    status: 201,
    data: webhookWithSecretResponse,
    errors: ["PLAN_LIMIT_EXCEEDED"],
  },
  async (c, { body }) => {
    const key = await deriveSecretKey(c.env.WEBHOOK_KEY);
    const { webhook, secret } = await createWebhook(tenantFor(c), key, body);
    return { data: { ...presentWebhook(webhook), secret } };
  },
);

const list = route(
  {
    ...inWebhooks,
    id: "listWebhooks",
    summary: "List webhook endpoints, newest first",
    method: "get",
    path: "/v1/webhooks",
    scope: "webhooks:read",
    query: listWebhooksQuery,
    data: z.array(webhookResponse),
    paged: true,
  },
  async (c, { query: { limit, offset } }) => {
    const { webhooks, total } = await listWebhooks(tenantFor(c), limit, offset);
    return { data: webhooks.map(presentWebhook), page: { total, limit, offset } };
  },
);

const get = route(
  {
    ...inWebhooks,
    id: "getWebhook",
    summary: "Get a webhook endpoint",
    method: "get",
    path: "/v1/webhooks/:webhook_id",
    scope: "webhooks:read",
    data: webhookResponse,
  },
  async (c) => ({ data: presentWebhook(await getWebhook(tenantFor(c), webhookIdOf(c))) }),
);

const update = route(
  {
    ...inWebhooks,
    id: "updateWebhook",
    summary: "Change a webhook endpoint",
    description:
      "Changes only the fields named. `enabled: true` enables an endpoint again that the service disabled, and its " +
      "failures are counted from 0. On `enabled: false` its waiting deliveries become failed.",
    method: "patch",
    path: "/v1/webhooks/:webhook_id",
    scope: "webhooks:write",
    body: updateWebhookBody,
    data: webhookResponse,
  },
  async (c, { body }) => {
    const reset = async (webhookId: string) => c.env.ENDPOINT_HEALTH.getByName(webhookId).reset();
    return { data: presentWebhook(await updateWebhook(tenantFor(c), webhookIdOf(c), body, reset)) };
  },
);

const remove = route(
  {
    ...inWebhooks,
    id: "deleteWebhook",
    summary: "Delete a webhook endpoint",
    method: "delete",
    path: "/v1/webhooks/:webhook_id",
    scope: "webhooks:write",
    data: deletedResponse,
  },
  async (c) => {
    const id = webhookIdOf(c);
    await deleteWebhook(tenantFor(c), id);
    c.executionCtx.waitUntil(forgetFailures(c.env, id));
    return { data: { id, deleted: true as const } };
  },
);

const rotate = route(
  {
    ...inWebhooks,
    id: "rotateWebhookSecret",
    summary: "Replace the signing secret",
    description:
      "The answer holds the new secret, which is shown this once. The old one signs too (in `webhook-signature`) for " +
      "24 hours, or not with `immediate`.",
    method: "post",
    path: "/v1/webhooks/:webhook_id/rotate-secret",
    scope: "webhooks:write",
    body: rotateSecretBody,
    isBodyOptional: true,
    data: webhookWithSecretResponse,
  },
  async (c, { body }) => {
    const key = await deriveSecretKey(c.env.WEBHOOK_KEY);
    const { webhook, secret } = await rotateSecret(tenantFor(c), key, webhookIdOf(c), body.immediate);
    return { data: { ...presentWebhook(webhook), secret } };
  },
);

const test = route(
  {
    ...inWebhooks,
    id: "testWebhook",
    summary: "Send a test event",
    description: "Sends `webhook.test`, whatever events the endpoint asked for.",
    method: "post",
    path: "/v1/webhooks/:webhook_id/test",
    scope: "webhooks:write",
    status: 201,
    data: deliveryResponse,
    errors: ["WEBHOOK_DISABLED"],
  },
  async (c) => ({ data: presentDelivery(await sendTest(tenantFor(c), webhookIdOf(c))) }),
);

const deliveries = route(
  {
    ...inWebhooks,
    id: "listDeliveries",
    summary: "List an endpoint's deliveries, newest first",
    method: "get",
    path: "/v1/webhooks/:webhook_id/deliveries",
    scope: "webhooks:read",
    query: listDeliveriesQuery,
    data: z.array(deliveryResponse),
  },
  async (c, { query }) => ({
    data: (await listDeliveries(tenantFor(c), webhookIdOf(c), query)).map(presentDelivery),
  }),
);

const delivery = route(
  {
    ...inWebhooks,
    id: "getDelivery",
    summary: "Get a delivery with its payload and every attempt",
    method: "get",
    path: "/v1/webhooks/:webhook_id/deliveries/:delivery_id",
    scope: "webhooks:read",
    data: deliveryDetailResponse,
  },
  async (c) => {
    const found = await getDelivery(tenantFor(c), webhookIdOf(c), deliveryIdOf(c));
    return { data: presentDeliveryDetail(found.delivery, found.attempts) };
  },
);

const resend = route(
  {
    ...inWebhooks,
    id: "resendDelivery",
    summary: "Send a delivery again",
    description: "At once, with the same delivery id and payload, and with all retries before it.",
    method: "post",
    path: "/v1/webhooks/:webhook_id/deliveries/:delivery_id/resend",
    scope: "webhooks:write",
    data: deliveryResponse,
    errors: ["WEBHOOK_DISABLED"],
  },
  async (c) => ({
    data: presentDelivery(await resendDelivery(tenantFor(c), webhookIdOf(c), deliveryIdOf(c))),
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

/** Of an endpoint that is gone. A count that stays behind is small, and nobody asks for it again. */
async function forgetFailures({ ENDPOINT_HEALTH }: Env, webhookId: string): Promise<void> {
  try {
    await ENDPOINT_HEALTH.getByName(webhookId).reset();
  } catch (error) {
    console.error(`the failures of the deleted webhook ${webhookId} stay counted`, error);
  }
}

function webhookIdOf(c: ApiContext): string {
  return c.req.param("webhook_id") ?? "";
}

function deliveryIdOf(c: ApiContext): string {
  return c.req.param("delivery_id") ?? "";
}
