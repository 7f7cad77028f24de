// Pure: no I/O, clock or randomness.

/**
 * Cookies of the app host. Scripts can't read them, and browsers don't send them with other sites' background
 * requests.
 */

/**
 * Prefix of cookies that browsers accept only from this host itself, over HTTPS and for all paths, so that
 * other hosts of the same domain can't plant one
 * (https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis). Not used in local development, which
 * has no HTTPS.
 */
const HOST_PREFIX = "__Host-";

/** Returns the name under which a cookie is set on the app host. */
export function formatCookieName(name: string, appUrl: string): string {
  return isHttps(appUrl) ? `${HOST_PREFIX}${name}` : name;
}

/** Returns the value of a cookie in a `Cookie` header, or null if it is missing or doesn't match `form`. */
export function readCookie(
  header: string | null | undefined,
  name: string,
  form: RegExp,
  appUrl: string,
): string | null {
  const prefix = `${formatCookieName(name, appUrl)}=`;
  const cookie = header
    ?.split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix));
  const value = cookie?.slice(prefix.length) ?? "";
  return form.test(value) ? value : null;
}

/**
 * Returns a `Set-Cookie` header. With a maximum age of 0, it deletes the cookie. `SameSite=Lax` lets browsers
 * send the cookie when another site links to this host.
 */
export function writeCookie(name: string, value: string, maxAgeSeconds: number, appUrl: string): string {
  const attributes = [
    `${formatCookieName(name, appUrl)}=${value}`,
    `Max-Age=${maxAgeSeconds}`,
    "Path=/",
    "HttpOnly",
    "SameSite=Lax",
  ];
  return [...attributes, ...(isHttps(appUrl) ? ["Secure"] : [])].join("; ");
}

function isHttps(appUrl: string): boolean {
  return appUrl.startsWith("https:");
}
