import { DurableObject } from "cloudflare:workers";

/**
 * Number of consecutive failed attempts, across all deliveries of an endpoint, after which the endpoint is
 * disabled.
 */
export const FAILURES_MAX = 100;

const FAILURES_KEY = "failures";
/**
 * Number of recent turns (rounds of attempts) that are kept to recognise repeated calls. An endpoint has only
 * one turn at a time.
 */
const RECENT_TURNS_MAX = 8;

interface Failures {
  /** Number of failures since the last success. */
  count: number;
  /** Latest turns, newest first: the id of each turn and the result that was returned for it. */
  recent: [turnId: string, most: number][];
}

/**
 * Durable Object that counts the consecutive failed attempts of one endpoint. It handles one call at a time,
 * so the count is exact.
 */
export class EndpointHealth extends DurableObject {
  /**
   * Counts the outcomes of a turn's attempts, in order; true is a success. Returns the largest number of
   * consecutive failures that was reached. A call that is repeated because its response was lost uses the
   * same `turnId` and counts once.
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
    // Without failures nothing is stored, so a healthy endpoint costs no write.
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

  /** Resets the count after an endpoint was enabled again or deleted. */
  reset(): void {
    this.ctx.storage.kv.delete(FAILURES_KEY);
  }
}
