import fc from "fast-check";

/**
 * Generators of texts and URLs with any characters. For the same in fast-check, its unit `binary` and its URLs, each
 * process first builds a table of all characters, which takes two seconds.
 */

const SURROGATES = { first: 0xd800, count: 0x800 };

/** Any character, so any code point other than those of surrogates. */
const character = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((place) => String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count));

/** Generates texts of any characters. */
export function anyText(length: { maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ ...length, unit: character });
}

/** Characters that a part of a URL may contain without an escape, other than `/` and `?`. */
const PLAIN = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@"];

/** Writes a character in a URL, with a needless escape if it needs none. */
function percentEncode(text: string): string {
  const escaped = encodeURIComponent(text);
  return escaped === text ? `%${text.charCodeAt(0).toString(16)}` : escaped;
}

function partOf(characters: readonly string[]): fc.Arbitrary<string> {
  const unit = fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...characters) },
    { weight: 1, arbitrary: character.map(percentEncode) },
  );
  return fc.string({ unit });
}

/** Generates URLs of public hosts with a path, a query and a fragment (RFC 3986, section 3). */
export function anyUrl(schemes: readonly string[] = ["http", "https"]): fc.Arbitrary<string> {
  const queryPart = fc.option(partOf([...PLAIN, "/", "?"]));
  return fc
    .tuple(fc.constantFrom(...schemes), fc.domain(), fc.array(partOf(PLAIN)), queryPart, queryPart)
    .map(([scheme, host, path, query, fragment]) =>
      [
        `${scheme}://${host}`,
        ...path.map((segment) => `/${segment}`),
        query === null ? "" : `?${query}`,
        fragment === null ? "" : `#${fragment}`,
      ].join(""),
    );
}
