import { URL_MAX_LENGTH } from "../../../links/link-limits.ts";

/** Address in a text that somebody pastes beside any field. */

/** Returns the address that a text is, or null. A host without a scheme is one too; a sentence is none. */
export function findAddress(text: string): string | null {
  const address = text.trim();
  if (address.length > URL_MAX_LENGTH) return null;
  const hasScheme = /^https?:\/\/[^\s/]+\S*$/i.test(address);
  const isBare = /^[a-z0-9][a-z0-9.-]*\.[a-z]{2,}(?:[/?#]\S*)?$/i.test(address);
  return hasScheme || isBare ? address : null;
}
