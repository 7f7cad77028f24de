const encoder = new TextEncoder();

/** Returns the SHA-256 of the UTF-8 bytes of `text` in lower-case hex. */
export async function sha256Hex(text: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text))));
}

/** Returns the HMAC-SHA256 (RFC 2104) of `text` in lower-case hex. `secret` and `text` are encoded as UTF-8. */
export async function hmacSha256Hex(secret: string, text: string): Promise<string> {
  return toHex(await hmacSha256(encoder.encode(secret), text));
}

/** Returns the HMAC-SHA256 (RFC 2104) of the UTF-8 bytes of `text`. */
export async function hmacSha256(key: Uint8Array, text: string): Promise<Uint8Array> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key as Uint8Array<ArrayBuffer>, algorithm, false, [
    "sign",
  ]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, encoder.encode(text)));
}

/** Compares two texts in time that depends only on their length, so that timing doesn't reveal a secret. */
export function isEqualInConstantTime(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

/**
 * Returns `length` random characters of `alphabet` (at most 256 characters) from a cryptographic source. All
 * characters are equally likely.
 */
export function generateRandomText(alphabet: string, length: number): string {
  // Drops bytes at or above the largest multiple of the alphabet's length. A plain modulo would favour the
  // first characters.
  const limit = 256 - (256 % alphabet.length);
  let text = "";
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(2 * length))) {
      if (byte < limit && text.length < length) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/**
 * Returns `length` random letters and digits from a cryptographic source, for secrets that never need
 * quoting.
 */
export function generateAlphanumeric(length: number): string {
  return generateRandomText(ALPHANUMERIC, length);
}

/** Encodes bytes in lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  let hex = "";
  for (const byte of bytes) hex += byte.toString(16).padStart(2, "0");
  return hex;
}

/** Encodes bytes in Base64 with padding (RFC 4648 section 4). */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Decodes Base64 (RFC 4648 section 4). Throws a `DOMException` for text that is not Base64. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Decodes hex digits in either case. Doesn't use `parseInt`, which takes ten times as long. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = 16 * readDigit(text.charCodeAt(2 * i)) + readDigit(text.charCodeAt(2 * i + 1));
  return bytes;
}

/**
 * Returns the value of a hex digit. The low four bits of the code are the value of a decimal digit. For `A`
 * and `a` they are 1, so letters add 9.
 */
function readDigit(code: number): number {
  return (code & 0xf) + (code > 0x39 ? 9 : 0);
}
