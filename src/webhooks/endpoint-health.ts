import { DurableObject } from "cloudflare:workers";

/** Number of consecutive failed attempts, across all deliveries of an endpoint, at which the endpoint is disabled. */
export const FAILURES_MAX = 100;

const FAILURES_KEY = "failures";

/** Counts the consecutive failed attempts of one endpoint. A Durable Object handles one call at a time, so the count is exact. */
export class EndpointHealth extends DurableObject {
  /** Counts the outcome of an attempt. Returns the number of failures since the last success. */
  record(succeeded: boolean): number {
    const before = this.ctx.storage.kv.get<number>(FAILURES_KEY) ?? 0;
    if (succeeded) {
      if (before > 0) this.reset();
      return 0;
    }
    this.ctx.storage.kv.put(FAILURES_KEY, before + 1);
    return before + 1;
  }

  /** Resets the count, for an endpoint that was enabled again or deleted. */
  reset(): void {
    this.ctx.storage.kv.delete(FAILURES_KEY);
  }
}
