/** Repeats calls that failed for a reason that passes. Without a dependency; the clock and chance are arguments. */

/** Limits of the repetitions. */
export interface RetryOptions {
  /** Repetitions of one call at most. 0 switches them off. Default 3. */
  retries?: number;
  /** Longest wait before one repetition, in milliseconds. A response that asks for more is returned. Default 30,000. */
  waitMaxMs?: number;
  /** Time after which one attempt without a response counts as failed, in milliseconds. Default 60,000. */
  timeoutMs?: number;
}

/** Parts of the platform, which tests replace. */
export interface RetryPlatform {
  fetch: (request: Request) => Promise<Response>;
  /** Waits. Rejects with the reason of the signal when it is aborted. */
  sleep: (durationMs: number, signal: AbortSignal) => Promise<void>;
  /** Returns a number from 0 up to 1. */
  random: () => number;
  nowMs: () => number;
}

const RETRIES = 3;
const WAIT_MAX_MS = 30_000;
const TIMEOUT_MS = 60_000;
/** Wait before the first repetition. It doubles with each further one. */
const FIRST_WAIT_MS = 500;
/** Statuses that the same request may not meet again: a limit, or a fault of the service or of the network before it. */
const PASSING_STATUSES = new Set([429, 500, 502, 503, 504]);
const KEY_HEADER = "Idempotency-Key";

/** Result of one attempt. */
type Outcome = { response: Response } | { error: unknown };

/**
 * Returns a `fetch` that repeats what failed for a passing reason, after the wait that `Retry-After` names, or else after
 * a growing random one. A POST without an `Idempotency-Key` gets one, so that its repetition creates nothing twice.
 */
export function createRetryingFetch(
  platform: RetryPlatform,
  { retries = RETRIES, waitMaxMs = WAIT_MAX_MS, timeoutMs = TIMEOUT_MS }: RetryOptions = {},
): (request: Request) => Promise<Response> {
  return async (original) => {
    const request = retries > 0 ? addIdempotencyKey(original) : original;
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retries;
      const outcome = await makeAttempt(platform, isLast ? request : request.clone(), timeoutMs);
      const isFinal = isLast || !(await isPassing(outcome, attempt));
      const waitMs = isFinal ? null : chooseWaitMs(outcome, attempt, platform);
      if (waitMs === null || waitMs > waitMaxMs) return settle(outcome);
      // A body that nobody reads would keep its connection.
      if ("response" in outcome) await outcome.response.body?.cancel();
      await platform.sleep(waitMs, request.signal);
    }
  };
}

/** Returns the request with an `Idempotency-Key`, if it is one that the service repeats by its key. */
function addIdempotencyKey(request: Request): Request {
  if (request.method !== "POST" || request.headers.has(KEY_HEADER)) return request;
  const keyed = new Request(request);
  keyed.headers.set(KEY_HEADER, crypto.randomUUID());
  return keyed;
}

async function makeAttempt({ fetch }: RetryPlatform, request: Request, timeoutMs: number): Promise<Outcome> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    return { response: await fetch(new Request(request, { signal })) };
  } catch (error) {
    return { error };
  }
}

/** Returns true if the same request may succeed later. */
async function isPassing(outcome: Outcome, attempt: number): Promise<boolean> {
  if ("error" in outcome || PASSING_STATUSES.has(outcome.response.status)) return true;
  // The attempt before may still be under way, and holds the key until it ends.
  if (attempt === 0 || outcome.response.status !== 409) return false;
  const text = await outcome.response.clone().text();
  return text.includes('"IDEMPOTENCY_CONFLICT"');
}

/** Returns the wait before the next attempt: the one asked for, or half of a doubled one and a random share. */
function chooseWaitMs(outcome: Outcome, attempt: number, { random, nowMs }: RetryPlatform): number {
  const asked =
    "response" in outcome ? parseRetryAfter(outcome.response.headers.get("Retry-After"), nowMs()) : null;
  const grownMs = FIRST_WAIT_MS * 2 ** attempt;
  return asked === null ? grownMs / 2 + (grownMs / 2) * random() : asked + FIRST_WAIT_MS * random();
}

/** Parses `Retry-After`, seconds or a date (RFC 9110, section 10.2.3), into milliseconds from now. Null without a meaning. */
function parseRetryAfter(value: string | null, nowMs: number): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

function settle(outcome: Outcome): Response {
  if ("error" in outcome) throw outcome.error;
  return outcome.response;
}
