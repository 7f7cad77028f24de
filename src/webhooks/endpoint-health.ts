import { DurableObject } from "cloudflare:workers";

/** Number of consecutive failed attempts, across all deliveries of an endpoint, at which the endpoint is disabled. */
export const FAILURES_MAX = 100;

const FAILURES_KEY = "failures";
/** Number of failures after which an attempt is no longer recognized as repeated. */
const RECENT_MAX = 64;

interface Failures {
  count: number;
  /** Ids of the last attempts that failed, latest first. */
  recent: string[];
}

/** Counts the consecutive failed attempts of one endpoint. A Durable Object handles one call at a time, so the count is exact. */
export class EndpointHealth extends DurableObject {
  /**
   * Counts the outcome of an attempt. Returns the number of failures since the last success. A call that is repeated
   * after its response was lost has the same `attemptId` and counts once.
   */
  record(succeeded: boolean, attemptId: string): number {
    const { count, recent } = this.#readFailures();
    if (succeeded) {
      if (count > 0) this.reset();
      return 0;
    }
    if (recent.includes(attemptId)) return count;
    const after: Failures = { count: count + 1, recent: [attemptId, ...recent].slice(0, RECENT_MAX) };
    this.ctx.storage.kv.put(FAILURES_KEY, after);
    return after.count;
  }

  /** Reads the failures. Earlier versions stored only their number. */
  #readFailures(): Failures {
    const stored = this.ctx.storage.kv.get<Failures | number>(FAILURES_KEY) ?? 0;
    return typeof stored === "number" ? { count: stored, recent: [] } : stored;
  }

  /** Resets the count, for an endpoint that was enabled again or deleted. */
  reset(): void {
    this.ctx.storage.kv.delete(FAILURES_KEY);
  }
}
