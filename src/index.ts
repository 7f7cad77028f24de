import { handle } from "./app.ts";
import type { PageVisit } from "./bio/page-counts.ts";
import type { Window } from "./counting/window.ts";
import type { ScanFacts } from "./scans/scan.ts";
import type { DeliveryMessage } from "./webhooks/events.ts";

export { WorkspaceLimiter } from "./limits/limiter.ts";
export { EndpointHealth } from "./webhooks/endpoint-health.ts";

export default {
  fetch: handle,
  async queue(batch, env, context) {
    switch (batch.queue) {
      case "signpost-scans": {
        const { ingestScans } = await import("./analytics/ingest.ts");
        const { queueDeliveries } = await import("./webhooks/outbox.ts");
        const written = await ingestScans(batch as MessageBatch<Window<ScanFacts>>, env.DB, Date.now());
        return queueDeliveries(env.DELIVERY_QUEUE, written);
      }
      case "signpost-page-hits": {
        const { countVisitBatch: ingestHits } = await import("./bio/page-counts.ts");
        return ingestHits(batch as MessageBatch<Window<PageVisit>>, env.DB, Date.now());
      }
      case "signpost-deliveries": {
        const { createDeliveryContext: courierOf, deliverBatch } = await import("./webhooks/deliver.ts");
        const courier = await courierOf(env, (promise) => context.waitUntil(promise));
        return deliverBatch(batch as MessageBatch<DeliveryMessage>, courier);
      }
      default:
        throw new Error(`no consumer for the queue ${batch.queue}`);
    }
  },
  async scheduled(_controller, env) {
    const { sweep } = await import("./cron.ts");
    await sweep(env, Date.now());
  },
} satisfies ExportedHandler<Env>;
