import { SECOND_MS } from "../core/time.ts";

/** The state of a token bucket: how full it was, and when. */
export interface TokenBucket {
  tokens: number;
  atMs: number;
}

/** What a take came to: the bucket after it, and whether there was a token. */
export interface Take {
  taken: boolean;
  bucket: TokenBucket;
}

/**
 * Takes one token from a bucket that holds `perSecond` tokens when full and refills continuously at that rate. A
 * bucket not seen before is full. A refused take costs nothing. A clock that went back refills nothing.
 */
export function takeToken(bucket: TokenBucket | undefined, perSecond: number, nowMs: number): Take {
  const tokens = bucket === undefined ? perSecond : refilled(bucket, perSecond, nowMs);
  const taken = tokens >= 1;
  return { taken, bucket: { tokens: taken ? tokens - 1 : tokens, atMs: nowMs } };
}

/** Whether the bucket has refilled to the brim, so that forgetting it changes nothing. */
export function isFull(bucket: TokenBucket, perSecond: number, nowMs: number): boolean {
  return refilled(bucket, perSecond, nowMs) >= perSecond;
}

function refilled(bucket: TokenBucket, perSecond: number, nowMs: number): number {
  const elapsedMs = Math.max(0, nowMs - bucket.atMs);
  return Math.min(perSecond, bucket.tokens + (elapsedMs * perSecond) / SECOND_MS);
}
