/** Cookies of the app host: for scripts invisible, and sent with no request that another site makes in the background. */

/**
 * Prefix with which browsers take a cookie only from this host itself, over https, for all of its paths: no other host
 * below the same domain can plant one (https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis). A local start
 * has no https.
 */
const HOST_PREFIX = "__Host-";

/** Returns the name of a cookie at an app host. */
export function formatCookieName(name: string, appUrl: string): string {
  return isHttps(appUrl) ? `${HOST_PREFIX}${name}` : name;
}

/** Returns the value of a cookie in a `Cookie` header, or null if the header has none of this form. */
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
 * Returns the `Set-Cookie` header of a cookie; with an age of 0, that which deletes it. `Lax` lets the browser send it when
 * another page leads to this host.
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
