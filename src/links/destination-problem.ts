// Pure: no I/O, clock or randomness.
import { URL_MAX_LENGTH } from "./link-limits.ts";

/**
 * Returns why a link may not redirect to a URL, such as `must be an http or https URL`, or null if it may.
 * The length of the unencoded URL is checked elsewhere.
 */
export function findDestinationProblem(url: string): string | null {
  // The URL parser would trim or drop these characters, so the stored URL would differ from the visited one.
  if (/[\s\p{Cc}]/u.test(url)) return "must not contain white space or control characters";
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return "must be an http or https URL";
  const { username, password, href } = new URL(url);
  if (username !== "" || password !== "") return "must not contain a user name or password";
  return href.length <= URL_MAX_LENGTH ? null : `must have at most ${URL_MAX_LENGTH} characters once encoded`;
}
