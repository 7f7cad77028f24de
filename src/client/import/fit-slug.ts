// Pure: no I/O, clock or randomness.
import { isReservedSlug, SLUG_MAX_LENGTH, SLUG_MIN_LENGTH, SLUG_PATTERN } from "../../routing/short-code.ts";
import { quote, RowError } from "./foreign-link.ts";

/** Throws {@link RowError} with a suggestion for a slug that isn't allowed here. */
export function checkSlug(slug: string): void {
  const problem = findProblem(slug);
  if (problem !== null) throw new RowError(`the short code ${quote(slug)} ${problem}`);
}

function findProblem(slug: string): string | null {
  if (!SLUG_PATTERN.test(slug)) {
    return `can only contain letters, digits and hyphens${suggest(slug)}`;
  }
  if (slug.length < SLUG_MIN_LENGTH) return `is shorter than ${SLUG_MIN_LENGTH} characters`;
  if (slug.length > SLUG_MAX_LENGTH) return `is longer than ${SLUG_MAX_LENGTH} characters`;
  return isReservedSlug(slug) ? "is reserved; choose a different one" : null;
}

/** Suggests the slug with hyphens instead of invalid characters. */
function suggest(slug: string): string {
  const plain = slug
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const isFitting = plain !== "" && findProblem(plain) === null;
  return isFitting ? `; use ${plain} instead` : "; choose a different one";
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
    throw new RowError(`the path of the old URL ${quote(formerUrl)} is not encoded correctly`);
  }
}
