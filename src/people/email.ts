/** Maximum length of an e-mail address (RFC 5321 section 4.5.3.1.3, without the angle brackets). */
export const EMAIL_MAX_LENGTH = 254;

const EMAIL = /^[^@\s]+@[^@\s]+$/;

/**
 * Returns an e-mail address as it is stored and compared, or null for a text that is none. A person is known by it: the
 * case of the letters makes no other person, though RFC 5321 section 2.4 would allow that.
 */
export function normalizeEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return email.length <= EMAIL_MAX_LENGTH && EMAIL.test(email) ? email : null;
}
