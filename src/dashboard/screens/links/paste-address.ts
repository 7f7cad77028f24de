// Pure: no I/O, clock or randomness.
import { URL_MAX_LENGTH } from "../../../links/link-limits.ts";

/** Recognises URLs in pasted text. */

/** Returns the text if it is a URL, otherwise null. A host without a scheme also counts as a URL. */
export function findAddress(text: string): string | null {
  const address = text.trim();
  if (address.length > URL_MAX_LENGTH) return null;
  const hasScheme = /^https?:\/\/[^\s/]+\S*$/i.test(address);
  const isBare = /^[a-z0-9][a-z0-9.-]*\.[a-z]{2,}(?:[/?#]\S*)?$/i.test(address);
  return hasScheme || isBare ? address : null;
}
