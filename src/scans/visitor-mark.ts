// Pure: no I/O, clock or randomness.

/**
 * A visitor mark is the first 30 bits of the HMAC of a visitor's address and user agent under the salt of a UTC
 * day (see `visitor-marker.ts`), as five characters.
 */

/** Number of characters of a visitor mark. */
export const MARK_LENGTH = 5;
/** Number of bits of a visitor mark. */
export const MARK_BITS = 6 * MARK_LENGTH;
/** Digits of a mark, in the order of their values (base64url, RFC 4648 section 5). */
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const MARK = /^[\w-]{5}$/;

/** Returns true for a valid mark. */
export function isMark(text: unknown): text is string {
  return typeof text === "string" && MARK.test(text);
}

/** Formats the first bits of a hash as a mark. */
export function formatMark(hash: Uint8Array): string {
  const [a = 0, b = 0, c = 0, d = 0] = hash;
  const bits = (a << 22) | (b << 14) | (c << 6) | (d >> 2);
  let mark = "";
  for (let shift = 24; shift >= 0; shift -= 6) mark += DIGITS[(bits >> shift) & 63];
  return mark;
}

/** Splits marks that follow each other. */
export function listMarks(marks: string): string[] {
  return marks.match(/.{5}/g) ?? [];
}

/** Parses a mark: a number below 2 to the power of {@link MARK_BITS}. */
export function parseMark(mark: string): number {
  let bits = 0;
  for (const digit of mark) bits = bits * 64 + DIGITS.indexOf(digit);
  return bits;
}
