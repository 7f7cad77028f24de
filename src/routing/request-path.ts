// Pure: no I/O, clock or randomness.

/** Matches escapes of one ASCII character or of one UTF-8 sequence of two to four bytes. */
const ESCAPES =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}/gi;
/** Characters that mean the same whether they are escaped or not (RFC 3986 section 2.3). */
const UNRESERVED = /^[\w.~-]$/;

/**
 * Decodes the escapes of unreserved characters in a URL's path, so that `/%6denu` is `/menu` (RFC 3986
 * section 6.2.2.2). Other escapes are kept.
 */
export function decodeUnreserved(pathname: string): string {
  return pathname.replace(ESCAPES, (escaped) => {
    const text = decode(escaped);
    return UNRESERVED.test(text) ? text : escaped;
  });
}

/**
 * Returns the text of a URL's path: percent-decoded, in NFC, without the leading slash and one trailing slash.
 * A `%` that begins no valid escape stays in the text.
 */
export function readRequestPath(pathname: string): string {
  const isClosed = pathname.length > 2 && pathname.endsWith("/");
  const path = pathname.slice(1, isClosed ? -1 : undefined);
  return path.includes("%") ? path.replace(ESCAPES, decode).normalize("NFC") : path;
}

/** Decodes escapes. Returns them unchanged if their bytes are not UTF-8. */
function decode(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}
