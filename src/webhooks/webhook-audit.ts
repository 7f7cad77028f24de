import { defineResource, shownAs } from "../audit/describe-changes.ts";
import { webhooks } from "./webhooks.table.ts";

/** Endpoints as the log of changes has them. */
export const auditedWebhook = defineResource("webhook", webhooks, {
  url: "url",
  description: "description",
  events: "events",
  enabled: "enabled",
  secret: shownAs("secret", "secret"),
});
