// Pure: no I/O, clock or randomness.

/** Maximum length of an email address (RFC 5321 section 4.5.3.1.3, without the angle brackets). */
export const EMAIL_MAX_LENGTH = 254;

const EMAIL = /^[^@\s]+@[^@\s]+$/;

/**
 * Normalizes an email address for storage and comparison. Returns null if the text isn't an email address.
 * Addresses identify people, so case is ignored, although RFC 5321 section 2.4 allows addresses of different
 * people to differ only in case.
 */
export function normalizeEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return email.length <= EMAIL_MAX_LENGTH && EMAIL.test(email) ? email : null;
}
