import { handle } from "./app.ts";
import type { PageVisit } from "./bio/page-counts.ts";
import type { Window } from "./counting/window.ts";
import type { ScanFacts } from "./scans/scan-facts.ts";
import type { DeliveryMessage } from "./webhooks/delivery-state.ts";

export { WorkspaceLimiter } from "./limits/limiter.ts";
export { EndpointHealth } from "./webhooks/endpoint-health.ts";

export default {
  fetch: handle,
  async queue(batch, env, context) {
    switch (batch.queue) {
      case "signpost-scans": {
        const { ingestScans } = await import("./analytics/ingest.ts");
        const { queueDeliveries } = await import("./webhooks/outbox.ts");
        const messages = await ingestScans(batch as MessageBatch<Window<ScanFacts>>, env.DB, Date.now());
        return queueDeliveries(env.DELIVERY_QUEUE, messages);
      }
      case "signpost-page-hits": {
        const { countVisitBatch } = await import("./bio/page-counts.ts");
        return countVisitBatch(batch as MessageBatch<Window<PageVisit>>, env.DB);
      }
      case "signpost-deliveries": {
        const { createDeliveryContext, deliverBatch } = await import("./webhooks/deliver.ts");
        const delivery = await createDeliveryContext(env, (promise) => context.waitUntil(promise));
        return deliverBatch(batch as MessageBatch<DeliveryMessage>, delivery);
      }
      default:
        throw new Error(`the queue ${batch.queue} has no consumer`);
    }
  },
  async scheduled(_controller, env) {
    const { sweep } = await import("./cron.ts");
    await sweep(env, Date.now());
  },
} satisfies ExportedHandler<Env>;
