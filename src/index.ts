import { ingestScans } from "./analytics/ingest.ts";
import type { Scan } from "./analytics/scan.ts";
import { handle } from "./app.ts";
import type { Window } from "./counting/window.ts";
import { sweep } from "./cron.ts";

export { WorkspaceLimiter } from "./limits/limiter.ts";

export default {
  fetch: handle,
  async queue(batch, env) {
    await ingestScans(batch as MessageBatch<Window<Scan>>, env.DB, Date.now());
  },
  async scheduled(_controller, env) {
    await sweep(env, Date.now());
  },
} satisfies ExportedHandler<Env>;
