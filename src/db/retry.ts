import { logError } from "../core/log.ts";
import { sleep } from "../core/timeout.ts";

/** Delay before a repetition: a random time in this range, so that callers that failed together do not return together. */
const DELAY_MIN_MS = 20;
const DELAY_MAX_MS = 80;
const CAUSES_MAX = 5;

/**
 * Messages of errors that D1 calls transient. A statement that met one of the first kind was never started; after one of
 * the second kind it may have been committed, because only the response was lost.
 * (https://developers.cloudflare.com/d1/observability/debug-d1/#error-list,
 * https://developers.cloudflare.com/d1/best-practices/retry-queries/)
 */
const NOT_STARTED =
  /D1 DB is overloaded|Too many (?:requests|concurrent requests) queued|Cannot resolve D1 DB due to transient issue/i;
const MAYBE_COMMITTED =
  /Network connection lost|storage caused object to be reset|reset because its code was updated/i;

/** Errors of writes that may have been committed. */
const lostWrites = new WeakSet<object>();

/**
 * Runs something that may run twice, and runs it again once, after a short random delay, if it fails with an error that
 * `mayRepeat` accepts. A caller that passes a write declares with it that a repetition adds nothing.
 */
export async function repeatOnce<Result>(
  run: () => Result | Promise<Result>,
  mayRepeat: (error: unknown) => boolean = isRetryable,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!mayRepeat(error)) throw error;
    logError("a call to storage failed and is repeated", error);
    const delayMs = DELAY_MIN_MS + Math.random() * (DELAY_MAX_MS - DELAY_MIN_MS);
    await sleep(delayMs);
    return run();
  }
}

/**
 * Returns true if the platform calls an error of D1 or of a Durable Object transient. An overloaded Durable Object is
 * not called again, which would overload it further
 * (https://developers.cloudflare.com/durable-objects/best-practices/error-handling/).
 */
export function isRetryable(error: unknown): boolean {
  return isNotStarted(error) || mayBeCommitted(error);
}

/** Returns true if D1 refused a statement before it started, so that even a write may be repeated. */
export function isNotStarted(error: unknown): boolean {
  return hasCause(error, ({ message }) => NOT_STARTED.test(message));
}

/** Returns true if the response of a call was lost with its connection or its object. */
export function mayBeCommitted(error: unknown): boolean {
  return hasCause(error, (cause) => {
    const { retryable, overloaded } = cause as { retryable?: boolean; overloaded?: boolean };
    return overloaded !== true && (retryable === true || MAYBE_COMMITTED.test(cause.message));
  });
}

/** Marks the error of a write that may have been committed, for {@link isLostWrite}. */
export function markLostWrite(error: unknown): void {
  if (error instanceof Error) lostWrites.add(error);
}

/**
 * Returns true if an operation failed because a write may have been committed without a response. Such an operation can
 * run again if it recognizes what its first run wrote.
 */
export function isLostWrite(error: unknown): boolean {
  return hasCause(error, (cause) => lostWrites.has(cause));
}

/** Returns true if the error, or one that it wraps as its cause, meets a condition. */
function hasCause(error: unknown, condition: (cause: Error) => boolean): boolean {
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && cause instanceof Error; depth++) {
    if (condition(cause)) return true;
    cause = cause.cause;
  }
  return false;
}
