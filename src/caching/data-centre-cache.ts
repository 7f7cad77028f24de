import { SECOND_MS } from "../core/time.ts";
import { withTimeout } from "../core/timeout.ts";
import { logRecurringError } from "./recurring-errors.ts";

/** Timeout of a look-up. A cache that takes longer is slower than the storage behind it. */
const LOOKUP_TIMEOUT_MS = 50;
/** Timeout of a write. No response waits for writes. */
const WRITE_TIMEOUT_MS = SECOND_MS;

/**
 * Returns the entry stored under a URL in the data centre's cache, parsed by `read`. Returns undefined if
 * there is no entry, or if the cache fails or doesn't respond within 50 ms. Logs failures. An entry that
 * arrives later is passed to `onLate`.
 */
export async function lookUpCache<Value>(
  url: string,
  read: (response: Response) => Promise<Value>,
  onLate?: (found: Value) => void,
): Promise<Value | undefined> {
  let isLate = false;
  const lookUp = async () => {
    const response = await caches.default.match(url);
    const found = response === undefined ? undefined : await read(response);
    if (isLate && found !== undefined) onLate?.(found);
    return found;
  };
  try {
    return await withTimeout(lookUp(), LOOKUP_TIMEOUT_MS);
  } catch (error) {
    isLate = true;
    logRecurringError("a lookup in the data centre's cache failed", error);
    return undefined;
  }
}

/** Stores a response under a URL in the data centre's cache. Logs failures. Never throws. */
export async function writeCache(url: string, response: Response): Promise<void> {
  try {
    await withTimeout(caches.default.put(url, response), WRITE_TIMEOUT_MS);
  } catch (error) {
    logRecurringError("a write to the data centre's cache failed", error);
  }
}

/**
 * Deletes the entry under a URL from the data centre's cache. Throws if the cache fails or doesn't respond in
 * time.
 */
export async function deleteFromCache(url: string): Promise<void> {
  await withTimeout(caches.default.delete(url), WRITE_TIMEOUT_MS);
}
