import { handle } from "./app.ts";
import { restrictObjects } from "./core/jurisdiction.ts";
import { logError } from "./core/log.ts";
import { isTransient } from "./db/retry.ts";
import { repeatStorage } from "./db/retrying-database.ts";

export { ChangeCollector } from "./change-feed/change-collector.ts";
export { ScanGate } from "./guards/scan-gate.ts";
export { WorkspaceLimiter } from "./limits/limiter.ts";
export { PasswordTries } from "./limits/password-tries.ts";
export { VisitorSalt } from "./scans/visitor-salt.ts";
export { EndpointHealth } from "./webhooks/endpoint-health.ts";

/** Retry delay of a batch whose consumer threw. */
const FAILED_BATCH_DELAY_SECONDS = 30;

/**
 * Entry points of the Worker: HTTP requests, queue batches and the cron. They catch all errors, because the
 * platform would otherwise log error messages, which may contain values bound to SQL statements.
 */
export default {
  async fetch(request, env, context) {
    try {
      return await handle(request, prepare(env), context);
    } catch (error) {
      const status = isTransient(error) ? 503 : 500;
      logError("a request failed", error, { status });
      if (status === 500) return new Response("Internal Server Error", { status });
      return new Response("Service Unavailable", { status, headers: { "Retry-After": "2" } });
    }
  },
  async queue(batch, env, context) {
    try {
      const { consume } = await import("./queues.ts");
      await consume(batch, prepare(env), context);
    } catch (error) {
      logError(`a batch of ${batch.queue} failed; the queue will deliver it again`, error);
      batch.retryAll({ delaySeconds: FAILED_BATCH_DELAY_SECONDS });
    }
  },
  async scheduled(_controller, env) {
    const { sweep } = await import("./cron.ts");
    await sweep(prepare(env), Date.now());
  },
} satisfies ExportedHandler<Env>;

/** Returns bindings whose databases repeat failed reads, and whose objects are in the deployment's jurisdiction. */
function prepare(env: Env): Env {
  return repeatStorage(restrictObjects(env));
}
