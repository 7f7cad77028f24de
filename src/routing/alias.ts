// Pure: no I/O, clock or randomness.
import { API_SEGMENTS } from "./api-paths.ts";

/** Maximum length of an alias in characters (UTF-16 units). */
export const ALIAS_MAX_LENGTH = 255;
export const ALIASES_MAX = 20;

/** First segments that no short host passes on to links. */
const RESERVED_SEGMENTS: ReadonlySet<string> = new Set([".well-known", "cdn-cgi"]);
/** Paths that the service answers itself, and that browsers request without being asked to. */
const RESERVED_PATHS: ReadonlySet<string> = new Set(["robots.txt", "favicon.ico"]);

/** Returns a problem of a text as an alias, to show after the field's name, or null for a valid alias. */
export function findAliasProblem(text: string): string | null {
  if (text.length === 0 || text.length > ALIAS_MAX_LENGTH)
    return `must have 1 to ${ALIAS_MAX_LENGTH} characters`;
  if (/\p{Cc}/u.test(text)) return "must not contain control characters";
  if (text.startsWith("/") || text.endsWith("/")) return "must not start or end with a slash";
  const segments = text.split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === ".."))
    return "must not have segments that are empty, `.` or `..`";
  const first = (segments[0] ?? "").toLowerCase();
  return RESERVED_SEGMENTS.has(first) || RESERVED_PATHS.has(text) ? `"${text}" is reserved` : null;
}

/** Returns true if a request's path, decoded, may be an alias. Other paths need no look-up. */
export function mayBeAlias(path: string): boolean {
  return findAliasProblem(path) === null;
}

/** Returns true if the API host serves a path itself. */
export function isApiPath(path: string): boolean {
  return API_SEGMENTS.has(path.split("/", 1)[0] ?? "");
}
