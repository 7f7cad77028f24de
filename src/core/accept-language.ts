// Pure: no I/O, clock or randomness.

/**
 * Maximum number and length of the `Accept-Language` entries that are read. Clients can send 128 KB of them.
 */
const LANGUAGES_MAX = 20;
const LANGUAGE_ENTRY_MAX_LENGTH = 100;

/**
 * Parses the first 20 entries of an `Accept-Language` header (RFC 9110 section 12.5.4). Returns the
 * tags of sufficient quality in lower case, most preferred first. A quality of 0 means "not acceptable".
 */
export function parseAcceptLanguage(header: string, qualityMin: number): string[] {
  const languages = listFirstEntries(header).map((entry) => {
    const [tag = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    return { tag, quality: Number(quality) };
  });
  return languages
    .filter(({ tag, quality }) => tag !== "" && tag !== "*" && quality > 0 && quality >= qualityMin)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}

/**
 * Lists the first entries of a header. Skips entries that are too long to be a language, and doesn't split
 * the rest of the header.
 */
function listFirstEntries(header: string): string[] {
  const entries: string[] = [];
  for (let count = 0, start = 0; count < LANGUAGES_MAX && start < header.length; count++) {
    const comma = header.indexOf(",", start);
    const end = comma === -1 ? header.length : comma;
    if (end - start <= LANGUAGE_ENTRY_MAX_LENGTH) entries.push(header.slice(start, end));
    start = end + 1;
  }
  return entries;
}
