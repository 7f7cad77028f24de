import { DurableObject } from "cloudflare:workers";
import { formatBillingCycle, SECOND_MS } from "../core/time.ts";
import { isFull, isRefilled, type TokenBucket, takeToken } from "./token-bucket.ts";

/** API call to check against the limits. */
export interface CallRequest {
  /** Unique id of the call. A call that is retried after a lost response has the same id and counts once. */
  callId: string;
  /** Name of the token bucket: the prefix of the API key. */
  bucket: string;
  burstPerSecond: number;
  callsPerMonth: number;
}

/** Verdict on a call, and the limits after it. */
export interface CallVerdict {
  verdict: "allowed" | "burst_exhausted" | "quota_exhausted";
  /** Number of whole tokens left in the bucket. */
  burstRemaining: number;
  /** Number of calls in this billing cycle, including this call if it was allowed. */
  callsThisMonth: number;
  /** Billing cycle of `callsThisMonth`, as `YYYY-MM`. */
  cycle: string;
}

const QUOTA_KEY = "quota";
const EXPORT_KEY = "export";
const BUCKETS_MAX = 1_000;
/**
 * Number of calls after which a retry is no longer recognized. Retries follow within about 100 ms, in which
 * all keys of a workspace together make far fewer calls.
 */
const RECENT_MAX = 64;
/** Number of characters that identify a recent call: the random end of its UUID. */
const RECENT_LENGTH = 12;

interface MonthlyCount {
  cycle: string;
  calls: number;
  /**
   * Ends of the ids of the last calls, latest first. Stored with the count, so that they survive a reset of
   * the object. {@link GIVEN_BACK_MARK} prefixes calls that were given back.
   */
  recent?: string[];
}

const GIVEN_BACK_MARK = "-";

interface RunningExport {
  /** Id of the request. */
  id: string;
  untilMs: number;
}

/**
 * Enforces the limits of one workspace: a token bucket for each key and person, and the monthly quota. Both
 * are exact, because a Durable Object doesn't interleave calls of `take`. Buckets are only in memory, because
 * an idle object is evicted later than a bucket takes to refill. The monthly count is written on every call,
 * and the object's output gate holds back the response until the write is durable
 * (https://blog.cloudflare.com/durable-objects-easy-fast-correct-choose-three/).
 */
export class WorkspaceLimiter extends DurableObject {
  readonly #buckets = new Map<string, TokenBucket>();

  /**
   * Counts a call against its key's bucket, then against the quota. Rejected calls count against neither.
   * Retries aren't counted again.
   */
  take(call: CallRequest): CallVerdict {
    const nowMs = Date.now();
    const count = this.#readMonthlyCount(nowMs);
    const recent = count.recent ?? [];
    const before = this.#buckets.get(call.bucket);
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
    this.#storeBucket(call.bucket, bucket, nowMs);
    count.calls += 1;
    count.recent = [callEnd, ...recent].slice(0, RECENT_MAX);
    this.ctx.storage.kv.put(QUOTA_KEY, count);
    return this.#buildVerdict("allowed", bucket, count);
  }

  /**
   * Takes a token from the bucket of a person or a SCIM token. Writes nothing, because neither has a quota. A
   * retry after a lost response may take two tokens, but the bucket is full again after a second.
   */
  takeToken(bucket: string, perSecond: number): CallVerdict {
    const nowMs = Date.now();
    const { isTaken, bucket: taken } = takeToken(this.#buckets.get(bucket), perSecond, nowMs);
    if (isTaken) this.#storeBucket(bucket, taken, nowMs);
    return this.#buildVerdict(isTaken ? "allowed" : "burst_exhausted", taken, this.#readMonthlyCount(nowMs));
  }

  /**
   * Reverts {@link take} for a call. Idempotent. `cycle` is the billing cycle of the call's verdict, or null
   * if the response was lost. In that case, the call is reverted only if it is among the recent calls.
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

  /**
   * Starts an export, or extends the running export with this id. Only one export of a workspace runs at a time.
   * Returns the seconds after which another export may start, or 0 if this one may run. An export that neither
   * ends nor is extended, because its client is gone, counts as ended after `leaseMs`.
   */
  takeExport(id: string, leaseMs: number): number {
    const nowMs = Date.now();
    const running = this.ctx.storage.kv.get<RunningExport>(EXPORT_KEY);
    if (running !== undefined && running.id !== id && nowMs < running.untilMs) {
      return Math.ceil((running.untilMs - nowMs) / SECOND_MS);
    }
    this.ctx.storage.kv.put(EXPORT_KEY, { id, untilMs: nowMs + leaseMs } satisfies RunningExport);
    return 0;
  }

  /** Ends an export. Does nothing if another export has started since. */
  endExport(id: string): void {
    if (this.ctx.storage.kv.get<RunningExport>(EXPORT_KEY)?.id === id) this.ctx.storage.kv.delete(EXPORT_KEY);
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

  /**
   * Returns a token to a key's bucket. Drops the bucket if it is full, because the key's next plan may allow
   * more tokens.
   */
  #returnToken({ bucket: name, burstPerSecond }: CallRequest, nowMs: number): void {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) return;
    const returned = { ...bucket, tokens: bucket.tokens + 1 };
    if (isFull(returned, burstPerSecond, nowMs)) this.#buckets.delete(name);
    else this.#buckets.set(name, returned);
  }

  /** Stores a bucket. If there are too many buckets, first drops the full ones. */
  #storeBucket(name: string, bucket: TokenBucket, nowMs: number): void {
    if (this.#buckets.size >= BUCKETS_MAX) {
      for (const [otherName, other] of this.#buckets) {
        if (isRefilled(other, nowMs)) this.#buckets.delete(otherName);
      }
    }
    this.#buckets.set(name, bucket);
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
