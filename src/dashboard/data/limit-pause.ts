import { SECOND_MS } from "../../core/time.ts";
import { ApiFault } from "./api-fault.ts";
import { tryAgain } from "./call-gate.ts";

/** Pauses that the service asks for. */

const TRIES_MAX = 6;

/** Returns the pause after a limit, or null for other faults and after many tries: these are not tried again. */
export function getPauseMs(fault: unknown, tries: number, triesMax = TRIES_MAX): number | null {
  if (!(fault instanceof ApiFault) || fault.kind !== "limited" || tries >= triesMax) return null;
  return Math.max(1, fault.retryAfterS ?? 0) * SECOND_MS;
}

/** Waits. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Makes a call, again after each limit that it meets. */
export function waitForLimits<Value>(call: () => Promise<Value>): Promise<Value> {
  return tryAgain(call, { getPauseMs, pause });
}
