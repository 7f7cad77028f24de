/** Transport of a deployed service: https only (RFC 6797). */

/** Header of responses over https, name and value: browsers use https for the next year. */
export const HSTS = ["Strict-Transport-Security", "max-age=31536000"] as const;

/** Returns true if a request came over plain http to a surface whose configured URL is https. */
export function isPlainHttp(requestUrl: string, surfaceUrl: string): boolean {
  return isHttps(surfaceUrl) && requestUrl.startsWith("http:");
}

/** Returns true if a request came over https to a surface whose configured URL is https. A local start uses http. */
export function isSecure(requestUrl: string, surfaceUrl: string): boolean {
  return isHttps(surfaceUrl) && isHttps(requestUrl);
}

function isHttps(url: string): boolean {
  return url.startsWith("https:");
}
