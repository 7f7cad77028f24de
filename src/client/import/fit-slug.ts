import { isReservedSlug, SLUG_MAX_LENGTH, SLUG_MIN_LENGTH, SLUG_PATTERN } from "../../routing/short-code.ts";
import { quote, RowError } from "./foreign-link.ts";

/** Throws {@link RowError} with a suggestion for a slug that isn't allowed here. */
export function checkSlug(slug: string): void {
  const problem = findProblem(slug);
  if (problem !== null) throw new RowError(`the slug ${quote(slug)} ${problem}`);
}

function findProblem(slug: string): string | null {
  if (!SLUG_PATTERN.test(slug)) {
    return `has other characters than letters, digits and hyphens${suggest(slug)}`;
  }
  if (slug.length < SLUG_MIN_LENGTH)
    return `has less than ${SLUG_MIN_LENGTH} characters; choose a longer one`;
  if (slug.length > SLUG_MAX_LENGTH)
    return `has more than ${SLUG_MAX_LENGTH} characters; choose a shorter one`;
  return isReservedSlug(slug) ? "is a reserved word of the service; choose another one" : null;
}

/** Suggests the slug with hyphens instead of invalid characters. */
function suggest(slug: string): string {
  const plain = slug
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const isFitting = plain !== "" && findProblem(plain) === null;
  return isFitting ? `; ${plain} would do` : "; choose another one";
}

/**
 * Returns the slug of a short URL, which is its path, or null if there is no path. Throws {@link RowError}
 * for an invalid percent-encoding.
 */
export function readSlug(formerUrl: string): string | null {
  const path = new URL(formerUrl).pathname.replace(/^\/+|\/+$/g, "");
  if (path === "") return null;
  try {
    return decodeURIComponent(path);
  } catch {
    throw new RowError(`the path of the short address ${quote(formerUrl)} is not encoded correctly`);
  }
}
