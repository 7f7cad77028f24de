// Pure: no I/O, clock or randomness.
import type { Geo } from "../routing/geo.ts";

/** Header in which the reverse proxy sends its secret. */
export const PROXY_HEADER = "X-Signpost-Proxy";

/** Headers in which the proxy may send the visitor's country (ISO 3166-1) and region (ISO 3166-2, without the country). */
const COUNTRY_HEADER = "X-Signpost-Country";
const REGION_HEADER = "X-Signpost-Region";

/** Headers that only Cloudflare, Miniflare or a proxy may set. */
const FORGEABLE = /^(?:cf-|mf-|x-forwarded-|x-signpost-|(?:forwarded|x-real-ip|true-client-ip)$)/;

/**
 * Returns a request as Cloudflare would pass it on: with the client's address in `CF-Connecting-IP`, and with the
 * client's scheme. Both come from the last proxy, in `X-Forwarded-For` and `X-Forwarded-Proto`. Headers that clients
 * could forge are removed. With a secret, only requests that have it in {@link PROXY_HEADER} come from the proxy, which
 * may then also send the visitor's country. Without a country from the proxy, `locate` finds it by the address.
 */
export function readProxied(
  request: Request,
  proxySecret: string,
  locate: (address: string) => Geo,
): Request<unknown, IncomingRequestCfProperties> {
  const isProxied = proxySecret === "" || request.headers.get(PROXY_HEADER) === proxySecret;
  const read = (name: string) =>
    isProxied ? request.headers.get(name)?.split(",").at(-1)?.trim() : undefined;
  const address = read("X-Forwarded-For");
  const url = new URL(request.url);
  if (read("X-Forwarded-Proto")?.toLowerCase() === "https") url.protocol = "https:";
  const headers = new Headers();
  for (const [name, value] of request.headers) if (!FORGEABLE.test(name)) headers.append(name, value);
  if (address) headers.set("CF-Connecting-IP", address);
  // Without a secret, a proxy that only forwards requests would let clients choose the country.
  const country = proxySecret === "" ? undefined : read(COUNTRY_HEADER);
  const cf = country ? { country, regionCode: read(REGION_HEADER) } : address ? locate(address) : {};
  return new Request(new Request(url, request), { headers, cf } as RequestInit<never>);
}
