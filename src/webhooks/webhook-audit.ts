import { defineResource, shownAs } from "../audit/describe-changes.ts";
import { webhooks } from "./webhooks.table.ts";

/** Fields of an endpoint in the audit log. */
export const auditedWebhook = defineResource("webhook", webhooks, {
  url: shownAs("large", "url"),
  description: shownAs("large", "description"),
  events: "events",
  enabled: "enabled",
  secret: shownAs("secret", "secret"),
});
