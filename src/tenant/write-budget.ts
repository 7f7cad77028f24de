import { ApiError } from "../core/error.ts";
import { DAY_MS, SECOND_MS } from "../core/time.ts";
import { isMissingValue } from "../db/constraint.ts";
import { PLANS, type PlanName } from "./plans.ts";

/**
 * Limits how many bytes the changes of a workspace write per day (UTC), so that no workspace can fill the
 * database that it shares with others. Each log entry also stores the sum of its day, which the next entry
 * continues. The budget therefore costs no further row, and parallel changes can't exceed it together: a
 * constraint of the log rejects the transaction of a change.
 */

const MEGABYTE_BYTES = 1_000_000;

/**
 * Bytes that each entry counts in addition to its values: its other columns and index row, and the index rows
 * of the resource.
 */
export const ENTRY_BYTES = 512;

/**
 * Number of times that the size of the changed resource is counted: its row, and its copies in the event and
 * in the response that is stored for an `Idempotency-Key`.
 */
export const RESOURCE_COPIES = 2;

/** Returns true if a change failed because it exceeds the budget. */
export function isBudgetExceeded(error: unknown): boolean {
  return isMissingValue(error, "audit_log.day_bytes");
}

/** Returns the error for a change that exceeds the budget. */
export function createBudgetError({ plan }: { plan: PlanName }, nowMs: number): ApiError {
  const megabytes = (PLANS[plan].writtenBytesPerDay / MEGABYTE_BYTES).toLocaleString("en-GB");
  return new ApiError(
    "QUOTA_EXCEEDED",
    `The ${plan} plan allows changes of ${megabytes} MB per day. You can still read and delete. Make further changes after midnight UTC.`,
    { headers: { "Retry-After": String(Math.ceil((DAY_MS - (nowMs % DAY_MS)) / SECOND_MS)) } },
  );
}
