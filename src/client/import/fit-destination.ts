// Pure: no I/O, clock or randomness.
import { findDestinationProblem } from "../../links/destination-problem.ts";
import { URL_MAX_LENGTH } from "../../links/link-limits.ts";

/** Matches a host and what may follow it, such as `example.com/menu`, but not `mailto:a@example.com`. */
const WITHOUT_SCHEME = /^(?:\/\/)?[\p{L}\p{N}][\p{L}\p{N}.-]*\.[\p{L}\p{N}-]{2,}(?::\d+)?(?:[/?#].*)?$/u;

/** URL that a link can redirect to, or the reason why it can't. */
export type FittedDestination = { url: string; note: string | null } | { problem: string };

/** Converts a text to a valid destination: adds a missing scheme and encodes spaces, as a browser would. */
export function fitDestination(given: string): FittedDestination {
  const trimmed = given.trim();
  const hasScheme = !WITHOUT_SCHEME.test(trimmed);
  const complete = hasScheme ? trimmed : `https://${trimmed.replace(/^\/\//, "")}`;
  const url = complete.replaceAll(" ", "%20");
  if (url.length > URL_MAX_LENGTH) return { problem: `must have at most ${URL_MAX_LENGTH} characters` };
  const problem = findDestinationProblem(url);
  if (problem !== null) return { problem };
  if (!hasScheme) return { url, note: "the destination had no scheme, so https:// was added" };
  return { url, note: url === trimmed ? null : "spaces in the destination were encoded as %20" };
}

/** Returns an old short URL with its scheme, or null if the text isn't a URL. */
export function toFormerUrl(text: string): string | null {
  const fitted = fitDestination(text);
  return "url" in fitted ? fitted.url : null;
}
