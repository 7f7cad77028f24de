/** Address in a text that somebody pastes beside any field. */

const ADDRESS_MAX_LENGTH = 8_192;

/** Returns the address that a text is, or null. A host without a scheme is one too; a sentence is none. */
export function findAddress(text: string): string | null {
  const address = text.trim();
  if (address.length > ADDRESS_MAX_LENGTH) return null;
  const hasScheme = /^https?:\/\/[^\s/]+\S*$/i.test(address);
  const isBare = /^[a-z0-9][a-z0-9.-]*\.[a-z]{2,}(?:[/?#]\S*)?$/i.test(address);
  return hasScheme || isBare ? address : null;
}
