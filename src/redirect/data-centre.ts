import { deleteFromCache, lookUpCache, writeCache } from "../caching/data-centre-cache.ts";
import { SECOND_MS } from "../core/time.ts";
import type { Settings } from "../env.ts";
import { getStoreHost } from "../tenant/own-hosts.ts";

/** Number of the form of what is stored. A new form has a new number, so that no deployment reads another form. */
const FORM = 3;

/** Store of JSON that the isolates of a data centre share. It may lose anything at any time. */
export interface DataCentre {
  /** Returns what is stored, or undefined. What is found too late is passed to `onLate`. Never throws. */
  read<Value>(key: string, onLate?: (late: Value) => void): Promise<Value | undefined>;
  /** Stores a value for a time. Never throws. */
  write(key: string, value: unknown, maxAgeMs: number): Promise<void>;
  /** Deletes what is stored. Throws if it cannot tell that nothing is left. */
  delete(key: string): Promise<void>;
}

/** Returns the data centre's cache as a store. */
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

/** Returns the URL of a key in the data centre's cache. No short code contains a slash, so no visitor requests it. */
export function formatCacheUrl(settings: Settings, key: string): string {
  return `https://${getStoreHost(settings)}/.redirect-${FORM}/${key}`;
}
