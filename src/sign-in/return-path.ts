// Pure: no I/O, clock or randomness.

/** Path of the app host to which the provider redirects back. Must be registered with the provider. */
export const CALLBACK_PATH = "/sign-in/callback";
/** Default path after a sign-in. */
export const START_PATH = "/";

/**
 * Maximum length of a return path. Longer paths are dropped, because the path is stored in a cookie of at
 * most 4,096 bytes.
 */
const RETURN_PATH_MAX_LENGTH = 512;
/**
 * Matches paths that start or end a session. Returning to such a path would start or end a session without a
 * click.
 */
const SIGNING_PATH = /^\/sign-(?:in|out)(?:\/|\?|$)/;

/**
 * Returns the path of the app host to show after a sign-in. Returns the start page for URLs of other hosts,
 * so that a sign-in can't send people to an attacker's page.
 */
export function parseReturnPath(text: string | null, appUrl: string): string {
  if (text === null || !URL.canParse(text, appUrl)) return START_PATH;
  // Like browsers, the parser resolves backslashes, tabs, line breaks and dot segments.
  const { origin, pathname, search } = new URL(text, appUrl);
  const path = `${pathname}${search}`;
  // A path that starts with two slashes, as in "/.//evil.example", would be a URL of another host.
  const isLocal = origin === appUrl && !path.startsWith("//");
  return isLocal && path.length <= RETURN_PATH_MAX_LENGTH && !SIGNING_PATH.test(path) ? path : START_PATH;
}
