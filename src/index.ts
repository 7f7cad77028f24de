import { ingestScans } from "./analytics/ingest.ts";
import type { Scan } from "./analytics/scan.ts";
import { handle } from "./app.ts";
import { ingestHits, type PageHit } from "./bio/hits.ts";
import type { Window } from "./counting/window.ts";
import { sweep } from "./cron.ts";

export { WorkspaceLimiter } from "./limits/limiter.ts";

export default {
  fetch: handle,
  async queue(batch, env) {
    if (batch.queue === "signpost-page-hits") {
      await ingestHits(batch as MessageBatch<Window<PageHit>>, env.DB, Date.now());
    } else {
      await ingestScans(batch as MessageBatch<Window<Scan>>, env.DB, Date.now());
    }
  },
  async scheduled(_controller, env) {
    await sweep(env, Date.now());
  },
} satisfies ExportedHandler<Env>;
