/** Path of the app host to which the provider leads back. Operators register it there. */
export const CALLBACK_PATH = "/sign-in/callback";
/** Path to which a sign-in leads if it names none. */
export const START_PATH = "/";

/** Longer paths are dropped: the cookie of a sign-in carries them, and a cookie has at most 4,096 bytes. */
const RETURN_PATH_MAX_LENGTH = 512;
/** Paths that begin or end a session. A return to one of them would do so without a click. */
const SIGNING_PATH = /^\/sign-(?:in|out)(?:\/|\?|$)/;

/**
 * Returns the path of the app host to which a sign-in leads in the end. An address of another host leads to the start:
 * a sign-in must not send anybody to a page that an attacker chose.
 */
export function parseReturnPath(text: string | null, appUrl: string): string {
  if (text === null || !URL.canParse(text, appUrl)) return START_PATH;
  // The parser resolves what browsers would: backslashes, tabs, line breaks and dot segments.
  const { origin, pathname, search } = new URL(text, appUrl);
  const path = `${pathname}${search}`;
  // A path with two slashes at its beginning, such as that of "/.//evil.example", would name a host.
  const isLocal = origin === appUrl && !path.startsWith("//");
  return isLocal && path.length <= RETURN_PATH_MAX_LENGTH && !SIGNING_PATH.test(path) ? path : START_PATH;
}
