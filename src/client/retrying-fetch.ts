/** Retries calls that fail temporarily. Has no dependencies. The clock and randomness are arguments. */

/** Limits for retries. */
export interface RetryOptions {
  /** Maximum retries per call. 0 disables retries. Default 3. */
  retries?: number;
  /**
   * Maximum wait before a retry, in milliseconds. If a response asks for a longer wait, the call returns that
   * response instead of retrying. Default 30,000.
   */
  waitMaxMs?: number;
  /** Time in milliseconds after which an attempt without a response counts as failed. Default 60,000. */
  timeoutMs?: number;
}

/** Parts of the platform that tests replace. */
export interface RetryPlatform {
  /**
   * Sends a request. In Node, the request's own signal may stop following `signal` after a garbage collection, so
   * `fetch` gets it directly as well.
   */
  fetch: (request: Request, init: { signal: AbortSignal }) => Promise<Response>;
  /** Waits for `durationMs`. If the signal is aborted, rejects with the signal's reason. */
  sleep: (durationMs: number, signal: AbortSignal) => Promise<void>;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  random: () => number;
  nowMs: () => number;
}

const RETRIES = 3;
const WAIT_MAX_MS = 30_000;
const TIMEOUT_MS = 60_000;
/** Wait before the first retry. The wait doubles with each further retry. */
const FIRST_WAIT_MS = 500;
/** Statuses worth retrying: a rate limit, or an error of the service or of a proxy in front of it. */
const RETRYABLE_STATUSES = new Set([429, 500, 502, 503, 504]);
const KEY_HEADER = "Idempotency-Key";

type Outcome = { response: Response } | { error: unknown };

/**
 * Returns a `fetch` that retries temporary failures. Waits as long as `Retry-After` says, or else uses
 * exponential backoff with jitter. A POST without an `Idempotency-Key` gets one, so that a retry creates
 * nothing twice.
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
      const isFinal = isLast || !(await isRetryable(outcome, attempt));
      const waitMs = isFinal ? null : chooseWaitMs(outcome, attempt, platform);
      if (waitMs === null || waitMs > waitMaxMs) return settle(outcome);
      // Unread bodies keep the connection open.
      if ("response" in outcome) await outcome.response.body?.cancel();
      await platform.sleep(waitMs, request.signal);
    }
  };
}

/** Adds an `Idempotency-Key` to a POST request that doesn't have one. */
function addIdempotencyKey(request: Request): Request {
  if (request.method !== "POST" || request.headers.has(KEY_HEADER)) return request;
  const keyed = new Request(request);
  keyed.headers.set(KEY_HEADER, crypto.randomUUID());
  return keyed;
}

async function makeAttempt({ fetch }: RetryPlatform, request: Request, timeoutMs: number): Promise<Outcome> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    return { response: await fetch(new Request(request, { signal }), { signal }) };
  } catch (error) {
    return { error };
  }
}

/** Returns true if the same request may succeed later. */
async function isRetryable(outcome: Outcome, attempt: number): Promise<boolean> {
  if ("error" in outcome || RETRYABLE_STATUSES.has(outcome.response.status)) return true;
  // The service may still be processing a previous attempt, which holds the idempotency key until it ends.
  if (attempt === 0 || outcome.response.status !== 409) return false;
  const text = await outcome.response.clone().text();
  return text.includes('"IDEMPOTENCY_CONFLICT"');
}

/**
 * Returns the wait before the next attempt. If the response asks for a time, returns this time plus jitter.
 * Otherwise, returns half of an exponentially growing time, plus a random share of its other half.
 */
function chooseWaitMs(outcome: Outcome, attempt: number, { random, nowMs }: RetryPlatform): number {
  const asked =
    "response" in outcome ? parseRetryAfter(outcome.response.headers.get("Retry-After"), nowMs()) : null;
  const grownMs = FIRST_WAIT_MS * 2 ** attempt;
  return asked === null ? grownMs / 2 + (grownMs / 2) * random() : asked + FIRST_WAIT_MS * random();
}

/**
 * Parses `Retry-After`, which is seconds or a date (RFC 9110, section 10.2.3), into milliseconds from now.
 * Returns null if it is invalid.
 */
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
