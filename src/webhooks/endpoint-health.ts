import { DurableObject } from "cloudflare:workers";

/** Consecutive failed attempts, across all deliveries of an endpoint, at which it is disabled (contract section 6). */
export const FAILURES_MAX = 100;

const FAILURES_KEY = "failures";

/** Counts the consecutive failed attempts of one endpoint; an object handles one call at a time. */
export class EndpointHealth extends DurableObject {
  /** Counts the outcome of an attempt. Answers with the number of failures since the last success. */
  record(succeeded: boolean): number {
    const before = this.ctx.storage.kv.get<number>(FAILURES_KEY) ?? 0;
    if (succeeded) {
      if (before > 0) this.reset();
      return 0;
    }
    this.ctx.storage.kv.put(FAILURES_KEY, before + 1);
    return before + 1;
  }

  /** Begins anew, for an endpoint that is enabled again or gone. */
  reset(): void {
    this.ctx.storage.kv.delete(FAILURES_KEY);
  }
}
