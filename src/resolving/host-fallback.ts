import { logRecurringError } from "../caching/recurring-errors.ts";
import { SECOND_MS } from "../core/time.ts";
import { withTimeout } from "../core/timeout.ts";
import { UnknownLimitError } from "../limits/unknown-limit.ts";
import type { Host } from "./host-read.ts";

/** Host settings with URLs for visits that no link handles. */
export type FallbackName = "rootUrl" | "notFoundUrl" | "expiredUrl";

/** Time that a visitor waits for the host. An error page is better than a late redirect. */
const HOST_TIMEOUT_MS = SECOND_MS;

/**
 * Returns the host, or null if no workspace has it. Also returns null if the host can't be read in time or
 * the visitor tried too many unknown codes.
 */
export async function findHostInTime(findHost: () => Promise<Host | null>): Promise<Host | null> {
  try {
    return await withTimeout(findHost(), HOST_TIMEOUT_MS);
  } catch (error) {
    if (!(error instanceof UnknownLimitError)) logRecurringError("a host could not be read", error);
    return null;
  }
}
