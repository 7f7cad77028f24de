import { DurableObject } from "cloudflare:workers";
import { billingCycle } from "../core/time.ts";
import { isFull, type TokenBucket, takeToken } from "./token-bucket.ts";

/** One call that asks to be let through. */
export interface CallRequest {
  /** The key's prefix: each key has its own bucket. */
  keyPrefix: string;
  burstPerSecond: number;
  callsPerMonth: number;
}

/** Whether the call may go on, and what is left after it. */
export interface CallVerdict {
  verdict: "allowed" | "burst_exhausted" | "quota_exhausted";
  /** Whole tokens left in the key's bucket. */
  burstRemaining: number;
  /** Calls counted in this billing cycle, this one included if it was allowed. */
  callsThisMonth: number;
}

const QUOTA_KEY = "quota";
const BUCKETS_MAX = 1_000;

interface MonthlyCount {
  cycle: string;
  calls: number;
}

/**
 * The limits of one workspace: the token bucket of each of its keys and its monthly quota. An object handles one
 * call at a time, which makes both exact. Buckets live in memory, since an object forgets only after idling for
 * longer than a bucket takes to fill; the monthly count is written with every call, and its answer is held back
 * until the write is durable.
 */
export class WorkspaceLimiter extends DurableObject {
  readonly #buckets = new Map<string, TokenBucket>();

  /** Counts one call against the key's bucket, then against the quota. A refused call counts in neither. */
  take(call: CallRequest): CallVerdict {
    const nowMs = Date.now();
    const count = this.#monthlyCount(nowMs);
    const before = this.#buckets.get(call.keyPrefix);
    const { taken, bucket } = takeToken(before, call.burstPerSecond, nowMs);
    if (!taken) return this.#answer("burst_exhausted", bucket, count);
    if (count.calls >= call.callsPerMonth) {
      return this.#answer("quota_exhausted", before ?? { tokens: call.burstPerSecond, atMs: nowMs }, count);
    }
    this.#remember(call, bucket, nowMs);
    count.calls += 1;
    this.ctx.storage.kv.put(QUOTA_KEY, count);
    return this.#answer("allowed", bucket, count);
  }

  #monthlyCount(nowMs: number): MonthlyCount {
    const cycle = billingCycle(nowMs);
    const stored = this.ctx.storage.kv.get<MonthlyCount>(QUOTA_KEY);
    return stored?.cycle === cycle ? stored : { cycle, calls: 0 };
  }

  #remember(call: CallRequest, bucket: TokenBucket, nowMs: number): void {
    if (this.#buckets.size >= BUCKETS_MAX) {
      for (const [prefix, other] of this.#buckets) {
        if (isFull(other, call.burstPerSecond, nowMs)) this.#buckets.delete(prefix);
      }
    }
    this.#buckets.set(call.keyPrefix, bucket);
  }

  #answer(verdict: CallVerdict["verdict"], bucket: TokenBucket, count: MonthlyCount): CallVerdict {
    return { verdict, burstRemaining: Math.floor(bucket.tokens), callsThisMonth: count.calls };
  }
}
