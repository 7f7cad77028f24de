/** HTTPS enforcement of deployed services (RFC 6797). */

/** Header of HTTPS responses, as name and value. Browsers then use only HTTPS for one year. */
export const HSTS = ["Strict-Transport-Security", "max-age=31536000"] as const;

/**
 * Returns true if a request used plain HTTP although the configured URL of the surface (such as the API or
 * the dashboard) is HTTPS.
 */
export function isPlainHttp(requestUrl: string, surfaceUrl: string): boolean {
  return isHttps(surfaceUrl) && requestUrl.startsWith("http:");
}

/**
 * Returns true if the request and the surface's configured URL both use HTTPS. False in local development,
 * which uses HTTP.
 */
export function isSecure(requestUrl: string, surfaceUrl: string): boolean {
  return isHttps(surfaceUrl) && isHttps(requestUrl);
}

function isHttps(url: string): boolean {
  return url.startsWith("https:");
}
