// Pure: no I/O, clock or randomness.
import type { Settings } from "../env.ts";

/** Geographic origin and network of a request, as determined by Cloudflare. */
export interface Geo {
  /** ISO 3166-1 alpha-2, `XX` if unknown, or `T1` for Tor. */
  country?: string | undefined;
  continent?: string | undefined;
  /** Part of an ISO 3166-2 code after the country. */
  regionCode?: string | undefined;
  /** Number of the client's autonomous system. */
  asn?: number | undefined;
}

/**
 * Returns the geographic origin of a request. In local development, reads the headers of Cloudflare's managed
 * transform "Add visitor location headers", so that `curl -H 'CF-IPCountry: CA' …` can test a rule.
 */
export function readGeo(request: Request, { allowLoopback }: Settings): Geo {
  if (!allowLoopback) return (request.cf ?? {}) as Geo;
  // Ignores `cf`, which wrangler fills with placeholder data.
  const { headers } = request;
  const country = headers.get("CF-IPCountry");
  if (country === null) return {};
  return {
    country,
    continent: headers.get("CF-IPContinent") ?? undefined,
    regionCode: headers.get("CF-Region-Code") ?? undefined,
  };
}
