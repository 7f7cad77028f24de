import type { Settings } from "../env.ts";
import type { Geo } from "./visitor.ts";

/**
 * Where a request comes from, as Cloudflare says. A local start knows nothing of that, so there the headers of
 * Cloudflare's "visitor location" transform may say it: `curl -H 'CF-IPCountry: CA' …` tries a rule out.
 */
export function readGeo(request: Request, { allowLoopback }: Settings): Geo {
  if (!allowLoopback) return (request.cf ?? {}) as Geo;
  // Not `cf` here: wrangler fills it with a made-up place.
  const { headers } = request;
  const country = headers.get("CF-IPCountry");
  if (country === null) return {};
  return {
    country,
    continent: headers.get("CF-IPContinent") ?? undefined,
    regionCode: headers.get("CF-Region-Code") ?? undefined,
  };
}
