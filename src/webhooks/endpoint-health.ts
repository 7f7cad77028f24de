import { DurableObject } from "cloudflare:workers";

/** Number of consecutive failed attempts, across all deliveries of an endpoint, at which the endpoint is disabled. */
export const FAILURES_MAX = 100;

const FAILURES_KEY = "failures";

/** Counts the consecutive failed attempts of one endpoint. A Durable Object handles one call at a time, so the count is exact. */
export class EndpointHealth extends DurableObject {
  /**
   * Counts the outcomes of attempts, in their order; true is a success. Returns the largest number of failures in a row
   * that was reached.
   */
  record(outcomes: readonly boolean[]): number {
    const before = this.ctx.storage.kv.get<number>(FAILURES_KEY) ?? 0;
    let failures = before;
    let most = 0;
    for (const succeeded of outcomes) {
      failures = succeeded ? 0 : failures + 1;
      most = Math.max(most, failures);
    }
    if (failures === 0 && before > 0) this.reset();
    if (failures > 0) this.ctx.storage.kv.put(FAILURES_KEY, failures);
    return most;
  }

  /** Resets the count, for an endpoint that was enabled again or deleted. */
  reset(): void {
    this.ctx.storage.kv.delete(FAILURES_KEY);
  }
}
