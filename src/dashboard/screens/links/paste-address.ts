import { URL_MAX_LENGTH } from "../../../links/link-limits.ts";

/** Recognises URLs in pasted text. */

/**
 * Returns the text as a URL, or null. A host without a scheme, such as `example.com/a`, counts as a URL; a
 * sentence doesn't.
 */
export function findAddress(text: string): string | null {
  const address = text.trim();
  if (address.length > URL_MAX_LENGTH) return null;
  const hasScheme = /^https?:\/\/[^\s/]+\S*$/i.test(address);
  const isBare = /^[a-z0-9][a-z0-9.-]*\.[a-z]{2,}(?:[/?#]\S*)?$/i.test(address);
  return hasScheme || isBare ? address : null;
}
