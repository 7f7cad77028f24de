/** Entry point of the package `@signpost/client`. */

export { createSignpostClient, type Schemas, type SignpostClient, type SignpostOptions } from "./client.ts";
export { ListError, type ListItem, type ListPath, type ListSelection, listAll } from "./list-all.ts";
export type { RetryOptions } from "./retrying-fetch.ts";
export { upsert } from "./upsert.ts";
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from "./verify-webhook.ts";
