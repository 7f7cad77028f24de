import { SECOND_MS } from "../core/time.ts";
import type { Settings } from "../env.ts";
import { getStoreHost } from "../tenant/own-hosts.ts";
import { deleteFromCache, lookUpCache, writeCache } from "./data-centre-cache.ts";

/**
 * Version of the stored format. Increase it when the format changes, so that deployments never read each
 * other's formats.
 */
const STORE_VERSION = 6;

/** Store for JSON values, shared by all isolates of a data centre. Values may disappear at any time. */
export interface DataCentre {
  /**
   * Returns a stored value, or undefined. A value that arrives after the timeout is passed to `onLate`. Never
   * throws.
   */
  read<Value>(key: string, onLate?: (late: Value) => void): Promise<Value | undefined>;
  /** Stores a value for `maxAgeMs`. Never throws. */
  write(key: string, value: unknown, maxAgeMs: number): Promise<void>;
  /** Deletes a value. Throws if it can't confirm that the value is gone. */
  delete(key: string): Promise<void>;
}

/** Opens the data centre's cache as a store. */
export function openDataCentre(settings: Settings): DataCentre {
  const toUrl = (key: string) => formatCacheUrl(settings, key);
  return {
    read: (key, onLate) => lookUpCache(toUrl(key), (response) => response.json(), onLate),
    write: (key, value, maxAgeMs) => {
      const maxAge = Math.ceil(maxAgeMs / SECOND_MS);
      const headers = { "Content-Type": "application/json", "Cache-Control": `max-age=${maxAge}` };
      return writeCache(toUrl(key), new Response(JSON.stringify(value), { headers }));
    },
    delete: (key) => deleteFromCache(toUrl(key)),
  };
}

/**
 * Returns the cache URL of a key. The key is escaped, because the paths of links contain any characters, and
 * dots and slashes could form the key of another entry.
 */
export function formatCacheUrl(settings: Settings, key: string): string {
  return `https://${getStoreHost(settings)}/.redirect-${STORE_VERSION}/${encodeURIComponent(key)}`;
}
