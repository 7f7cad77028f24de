// Pure: no I/O, clock or randomness.
import { SECOND_MS } from "../core/time.ts";

/** State of a token bucket at a point in time. */
export interface TokenBucket {
  tokens: number;
  /** Time of the state in Unix milliseconds. */
  atMs: number;
}

/** Result of {@link takeToken}. */
export interface TakeResult {
  /** True if the bucket had a token. */
  isTaken: boolean;
  /** State of the bucket afterwards. */
  bucket: TokenBucket;
}

/**
 * Takes one token from a bucket. Buckets refill continuously by `perSecond` tokens, up to `capacity`. An
 * undefined bucket counts as full. With less than one token, takes nothing. If the clock goes back, nothing
 * is refilled.
 */
export function takeToken(
  bucket: TokenBucket | undefined,
  perSecond: number,
  nowMs: number,
  capacity = perSecond,
): TakeResult {
  const tokens = bucket === undefined ? capacity : countTokens(bucket, perSecond, nowMs, capacity);
  const isTaken = tokens >= 1;
  return { isTaken, bucket: { tokens: isTaken ? tokens - 1 : tokens, atMs: nowMs } };
}

/**
 * Returns true if the bucket is full. Full buckets can be dropped, because an undefined bucket counts as
 * full.
 */
export function isFull(bucket: TokenBucket, perSecond: number, nowMs: number): boolean {
  return countTokens(bucket, perSecond, nowMs) >= perSecond;
}

/** Returns true if a bucket without extra capacity has had time to refill, which takes a second at any rate. */
export function isRefilled(bucket: TokenBucket, nowMs: number): boolean {
  return nowMs - bucket.atMs >= SECOND_MS;
}

/** Returns the number of tokens, including refill since the last state. */
function countTokens(bucket: TokenBucket, perSecond: number, nowMs: number, capacity = perSecond): number {
  const elapsedMs = Math.max(0, nowMs - bucket.atMs);
  return Math.min(capacity, bucket.tokens + (elapsedMs * perSecond) / SECOND_MS);
}
