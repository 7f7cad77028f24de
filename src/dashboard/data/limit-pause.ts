import { SECOND_MS } from "../../core/time.ts";
import { ApiFault } from "./api-fault.ts";
import { tryAgain } from "./call-gate.ts";

/** Pauses that the service asks for. */

/** Time between calls for many items: a little more than a person's burst of 20 a second leaves. */
export const TURN_MS = 55;
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
