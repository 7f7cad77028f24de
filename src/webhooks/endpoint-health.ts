import { DurableObject } from "cloudflare:workers";

/** Number of consecutive failed attempts, across all deliveries of an endpoint, at which the endpoint is disabled. */
export const FAILURES_MAX = 100;

const FAILURES_KEY = "failures";
/** Number of turns after which a turn is no longer recognized as repeated. An endpoint has one turn at a time. */
const RECENT_TURNS_MAX = 8;

interface Failures {
  /** Number of failures since the last success. */
  count: number;
  /** Last turns, latest first: their ids and what was returned for them. */
  recent: [turnId: string, most: number][];
}

/** Counts the consecutive failed attempts of one endpoint. A Durable Object handles one call at a time, so the count is exact. */
export class EndpointHealth extends DurableObject {
  /**
   * Counts the outcomes of a turn's attempts, in their order; true is a success. Returns the largest number of failures
   * in a row that was reached. A call that is repeated after its response was lost has the same `turnId` and counts once.
   */
  record(outcomes: readonly boolean[], turnId: string): number {
    const { count, recent } = this.ctx.storage.kv.get<Failures>(FAILURES_KEY) ?? { count: 0, recent: [] };
    const repeated = recent.find(([id]) => id === turnId);
    if (repeated !== undefined) return repeated[1];
    let failures = count;
    let most = 0;
    for (const succeeded of outcomes) {
      failures = succeeded ? 0 : failures + 1;
      most = Math.max(most, failures);
    }
    // Without a failure there is nothing to keep, so that a healthy endpoint costs no write.
    if (failures === 0 && count > 0) this.reset();
    if (failures > 0) {
      const turns: Failures["recent"] = [[turnId, most], ...recent];
      this.ctx.storage.kv.put<Failures>(FAILURES_KEY, {
        count: failures,
        recent: turns.slice(0, RECENT_TURNS_MAX),
      });
    }
    return most;
  }

  /** Resets the count, for an endpoint that was enabled again or deleted. */
  reset(): void {
    this.ctx.storage.kv.delete(FAILURES_KEY);
  }
}
