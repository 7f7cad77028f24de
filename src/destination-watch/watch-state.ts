// Pure: no I/O, clock or randomness.
import { DAY_MS, HOUR_MS } from "../core/time.ts";

/** Status of a destination: null before the first finished check. */
export type DestinationStatus = "ok" | "broken" | null;

/** Result of one check. A destination that may not be requested is `unchecked`. */
export type CheckResult = { status: "ok" | "unchecked" } | { status: "failed"; reason: string };

/** State of a watched link. */
export interface WatchState {
  status: DestinationStatus;
  /** Number of failed checks in a row. */
  failures: number;
}

/** Interval between checks of a working destination, and of a broken one. */
const INTERVAL_MS = DAY_MS;
/** Time until the next check after the first and second failure in a row. */
const RETRY_MS = [HOUR_MS, 6 * HOUR_MS];

/** Returns the state after a check, and the time of the next one. */
export function decideNext(
  { status, failures }: WatchState,
  result: CheckResult,
  nowMs: number,
): WatchState & { dueAt: number } {
  if (result.status === "unchecked") return { status: null, failures: 0, dueAt: nowMs + INTERVAL_MS };
  if (result.status === "ok") return { status: "ok", failures: 0, dueAt: nowMs + INTERVAL_MS };
  const retryMs = RETRY_MS[failures];
  if (status === "broken" || retryMs === undefined)
    return { status: "broken", failures, dueAt: nowMs + INTERVAL_MS };
  return { status, failures: failures + 1, dueAt: nowMs + retryMs };
}
