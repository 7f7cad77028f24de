import { logError } from "../core/log.ts";
import { sleep } from "../core/timeout.ts";

/**
 * Range of the random delay before a retry. The delay is random, so that callers that failed at the same time
 * don't retry at the same time.
 */
const DELAY_MIN_MS = 20;
const DELAY_MAX_MS = 80;
const CAUSES_MAX = 5;

/**
 * Messages of errors that D1 documents as transient. With `NOT_STARTED`, the statement was never started.
 * With `MAYBE_COMMITTED`, it may have been committed, because only the response was lost.
 * (https://developers.cloudflare.com/d1/observability/debug-d1/#error-list,
 * https://developers.cloudflare.com/d1/best-practices/retry-queries/) SQLite rejects a whole transaction while another
 * process locks the file of a local database.
 */
const NOT_STARTED =
  /D1 DB is overloaded|Too many (?:requests|concurrent requests) queued|Cannot resolve D1 DB due to transient issue|database is locked|SQLITE_BUSY/i;
const MAYBE_COMMITTED =
  /Network connection lost|storage caused object to be reset|reset because its code was updated/i;

/** Message with which the platform hides an error of its own. */
const HIDDEN = /internal error; reference/;

/** Errors of writes that may have been committed. */
const lostWrites = new WeakSet<object>();

/**
 * Runs a function, and retries it once after a short random delay if `mayRepeat` accepts the error. Only pass
 * writes whose second run changes nothing.
 */
export async function repeatOnce<Result>(
  run: () => Result | Promise<Result>,
  mayRepeat: (error: unknown) => boolean = isRetryable,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!mayRepeat(error)) throw error;
    logError("a call to storage failed and is retried", error);
    const delayMs = DELAY_MIN_MS + Math.random() * (DELAY_MAX_MS - DELAY_MIN_MS);
    await sleep(delayMs);
    return run();
  }
}

/**
 * Returns true for transient errors of D1 or a Durable Object. Calls to overloaded Durable Objects aren't
 * retried, because that would overload the objects further
 * (https://developers.cloudflare.com/durable-objects/best-practices/error-handling/).
 */
export function isRetryable(error: unknown): boolean {
  return isNotStarted(error) || mayBeCommitted(error);
}

/** Returns true if D1 rejected a statement before it started, so that even a write can be retried. */
export function isNotStarted(error: unknown): boolean {
  return hasCause(error, ({ message }) => NOT_STARTED.test(message));
}

/** Returns true if a call's response was lost because its connection was lost or its object was reset. */
export function mayBeCommitted(error: unknown): boolean {
  return hasCause(error, (cause) => {
    const { retryable, overloaded } = cause as { retryable?: boolean; overloaded?: boolean };
    return overloaded !== true && (retryable === true || MAYBE_COMMITTED.test(cause.message));
  });
}

/** Returns true if storage has failed for a moment, so that the same request may succeed later. */
export function isTransient(error: unknown): boolean {
  const isOther = (cause: Error) => HIDDEN.test(cause.message) || ("overloaded" in cause && cause.overloaded);
  return isRetryable(error) || hasCause(error, isOther);
}

/** Marks the error of a write that may have been committed, for {@link isLostWrite}. */
export function markLostWrite(error: unknown): void {
  if (error instanceof Error) lostWrites.add(error);
}

/**
 * Returns true if an operation failed because the response to a write was lost. The write may have been
 * committed, so the operation can only run again if it recognizes what its first run wrote.
 */
export function isLostWrite(error: unknown): boolean {
  return hasCause(error, (cause) => lostWrites.has(cause));
}

/** Returns true if an error or one of its causes meets a condition. */
function hasCause(error: unknown, condition: (cause: Error) => unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && cause instanceof Error; depth++) {
    if (condition(cause)) return true;
    cause = cause.cause;
  }
  return false;
}
