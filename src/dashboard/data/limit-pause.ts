import { SECOND_MS } from "../../core/time.ts";
import { CallError } from "./call-error.ts";

/** Computes pauses after the service's rate limit was reached. */

/** Time between the calls of a bulk action. Keeps them just below a person's limit of 20 per second. */
export const TURN_MS = 55;
const TRIES_MAX = 6;

/**
 * Returns the pause before a call is retried after a rate limit error. Returns null, for no retry, after
 * other faults and too many tries.
 */
export function getPauseMs(fault: unknown, tries: number): number | null {
  if (!(fault instanceof CallError) || fault.kind !== "limited" || tries >= TRIES_MAX) return null;
  return Math.max(1, fault.retryAfterS ?? 0) * SECOND_MS;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Makes a call and retries it after each rate limit error. */
export async function waitForLimits<Value>(call: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (fault) {
      const pauseMs = getPauseMs(fault, tries);
      if (pauseMs === null) throw fault;
      await pause(pauseMs);
    }
  }
}
