import { ApiError } from "../core/error.ts";
import { SECOND_MS } from "../core/time.ts";

/** Error message with which a shard's triggers reject changes of a workspace that is leaving the shard. */
export const MOVING_MESSAGE = "workspace_moving";

const RETRY_AFTER_MS = 2 * SECOND_MS;
const CAUSES_MAX = 5;

/**
 * Returns true if a statement failed because its workspace is leaving the shard. Drizzle wraps D1's error as
 * `cause`.
 */
export function isMoving(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && cause instanceof Error; depth++) {
    // Skips Drizzle's own error, because its message contains parameters that callers can choose.
    if (!("params" in cause) && cause.message.includes(MOVING_MESSAGE)) return true;
    cause = cause.cause;
  }
  return false;
}

/** Returns the error for a change of a workspace that is moving to another shard. */
export function createMovingError(): ApiError {
  return new ApiError(
    "WORKSPACE_MOVING",
    "The workspace is being moved to another database. No changes were made. Retry in a few seconds.",
    { headers: { "Retry-After": String(RETRY_AFTER_MS / SECOND_MS) } },
  );
}
