import { DurableObject } from "cloudflare:workers";
import { formatBillingCycle } from "../core/time.ts";
import { isFull, type TokenBucket, takeToken } from "./token-bucket.ts";

/** Call of the API that is checked against the limits. */
export interface CallRequest {
  /** Id of the API request. A call that is repeated after its response was lost has the same id and counts once. */
  callId: string;
  /** Prefix of the API key. Each key has its own bucket. */
  keyPrefix: string;
  burstPerSecond: number;
  callsPerMonth: number;
}

/** Decision on a call, and the limits after it. */
export interface CallVerdict {
  verdict: "allowed" | "burst_exhausted" | "quota_exhausted";
  /** Number of whole tokens left in the bucket of the key. */
  burstRemaining: number;
  /** Number of calls in this billing cycle, including this call if it was allowed. */
  callsThisMonth: number;
  /** Billing cycle of that number, as `YYYY-MM`. */
  cycle: string;
}

const QUOTA_KEY = "quota";
const BUCKETS_MAX = 1_000;
/**
 * Number of calls after which a call is no longer recognized as repeated. A repetition follows within about 100 ms, in
 * which the bursts of all keys of a workspace stay well below this number.
 */
const RECENT_MAX = 64;
/** Number of characters that identify a recent call: the random end of its UUID. */
const RECENT_LENGTH = 12;

interface MonthlyCount {
  cycle: string;
  calls: number;
  /**
   * Ends of the ids of the last calls, latest first, stored with the count so that they outlive a reset. A mark stands
   * before a call that was given back.
   */
  recent?: string[];
}

const GIVEN_BACK_MARK = "-";

/**
 * Limits of one workspace: a token bucket for each of its keys and people, and the monthly quota. Both are exact, because a
 * Durable Object runs `take` without interleaving other calls. Buckets are kept in memory only: an idle object is
 * evicted after a longer time than a bucket needs to refill. The monthly count is written on every call, and the
 * output gate of the object holds back the response until the write is durable
 * (https://blog.cloudflare.com/durable-objects-easy-fast-correct-choose-three/).
 */
export class WorkspaceLimiter extends DurableObject {
  readonly #buckets = new Map<string, TokenBucket>();

  /**
   * Counts a call against the bucket of its key, then against the quota. A rejected call counts in neither, and a
   * repeated one not again.
   */
  take(call: CallRequest): CallVerdict {
    const nowMs = Date.now();
    const count = this.#readMonthlyCount(nowMs);
    const recent = count.recent ?? [];
    const before = this.#buckets.get(call.keyPrefix);
    const callEnd = call.callId.slice(-RECENT_LENGTH);
    if (recent.includes(callEnd) || recent.includes(GIVEN_BACK_MARK + callEnd)) {
      return this.#buildVerdict("allowed", before ?? { tokens: call.burstPerSecond, atMs: nowMs }, count);
    }
    const { isTaken, bucket } = takeToken(before, call.burstPerSecond, nowMs);
    if (!isTaken) return this.#buildVerdict("burst_exhausted", bucket, count);
    if (count.calls >= call.callsPerMonth) {
      return this.#buildVerdict(
        "quota_exhausted",
        before ?? { tokens: call.burstPerSecond, atMs: nowMs },
        count,
      );
    }
    this.#storeBucket(call, bucket, nowMs);
    count.calls += 1;
    count.recent = [callEnd, ...recent].slice(0, RECENT_MAX);
    this.ctx.storage.kv.put(QUOTA_KEY, count);
    return this.#buildVerdict("allowed", bucket, count);
  }

  /**
   * Takes a token of a person's bucket. Calls of people use no quota, so nothing is written; the bucket is full again after
   * a second, so a call that is repeated after its response was lost may take two.
   */
  takeToken(bucket: string, perSecond: number): CallVerdict {
    const nowMs = Date.now();
    const { isTaken, bucket: taken } = takeToken(this.#buckets.get(bucket), perSecond, nowMs);
    if (isTaken) this.#storeBucket({ keyPrefix: bucket, burstPerSecond: perSecond }, taken, nowMs);
    return this.#buildVerdict(isTaken ? "allowed" : "burst_exhausted", taken, this.#readMonthlyCount(nowMs));
  }

  /**
   * Undoes {@link take} for a call, once even if it is repeated. `cycle` is that of the verdict on the call, or null if
   * its response was lost: then the call is undone if it is one of the last.
   */
  giveBack(call: CallRequest, cycle: string | null): void {
    const nowMs = Date.now();
    const count = this.#readMonthlyCount(nowMs);
    const recent = count.recent ?? [];
    const callEnd = call.callId.slice(-RECENT_LENGTH);
    if (recent.includes(GIVEN_BACK_MARK + callEnd)) return;
    if (cycle === null ? recent.includes(callEnd) : cycle === count.cycle) {
      count.calls = Math.max(0, count.calls - 1);
      this.#returnToken(call, nowMs);
    }
    const others = recent.filter((end) => end !== callEnd);
    count.recent = [GIVEN_BACK_MARK + callEnd, ...others].slice(0, RECENT_MAX);
    this.ctx.storage.kv.put(QUOTA_KEY, count);
  }

  /** Deletes the state of a deleted workspace. */
  async erase(): Promise<void> {
    this.#buckets.clear();
    await this.ctx.storage.deleteAll();
  }

  #readMonthlyCount(nowMs: number): MonthlyCount {
    const cycle = formatBillingCycle(nowMs);
    const stored = this.ctx.storage.kv.get<MonthlyCount>(QUOTA_KEY);
    return stored?.cycle === cycle ? stored : { cycle, calls: 0 };
  }

  /** Returns a token to the bucket of a key. A bucket that is full again is dropped: another plan may fill it further. */
  #returnToken({ keyPrefix, burstPerSecond }: CallRequest, nowMs: number): void {
    const bucket = this.#buckets.get(keyPrefix);
    if (bucket === undefined) return;
    const returned = { ...bucket, tokens: bucket.tokens + 1 };
    if (isFull(returned, burstPerSecond, nowMs)) this.#buckets.delete(keyPrefix);
    else this.#buckets.set(keyPrefix, returned);
  }

  /** Stores a bucket. With too many buckets, first drops the full ones. */
  #storeBucket(
    call: Pick<CallRequest, "keyPrefix" | "burstPerSecond">,
    bucket: TokenBucket,
    nowMs: number,
  ): void {
    if (this.#buckets.size >= BUCKETS_MAX) {
      for (const [prefix, other] of this.#buckets) {
        if (isFull(other, call.burstPerSecond, nowMs)) this.#buckets.delete(prefix);
      }
    }
    this.#buckets.set(call.keyPrefix, bucket);
  }

  #buildVerdict(verdict: CallVerdict["verdict"], bucket: TokenBucket, count: MonthlyCount): CallVerdict {
    return {
      verdict,
      burstRemaining: Math.floor(bucket.tokens),
      callsThisMonth: count.calls,
      cycle: count.cycle,
    };
  }
}
