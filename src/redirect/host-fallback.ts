import { logFault } from "../caching/fault-log.ts";
import { SECOND_MS } from "../core/time.ts";
import { withTimeout } from "../core/timeout.ts";
import type { Host } from "./host-read.ts";
import { UnknownLimitError } from "./unknown-limit.ts";

/** Settings of a host for requests that no link decides. */
export type FallbackName = "rootUrl" | "notFoundUrl" | "expiredUrl";

/** Time that a visitor waits for the host. The error page is better than one that comes late. */
const HOST_TIMEOUT_MS = SECOND_MS;

/** Returns where a host leads, or null. A host that cannot be read leads nowhere, nor for who tries too many. */
export async function findFallback(
  findHost: () => Promise<Host | null>,
  name: FallbackName,
): Promise<string | null> {
  try {
    return (await withTimeout(findHost(), HOST_TIMEOUT_MS))?.[name] ?? null;
  } catch (error) {
    if (!(error instanceof UnknownLimitError)) logFault("a host could not be read", error);
    return null;
  }
}
