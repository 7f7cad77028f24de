import fc from "fast-check";

/**
 * Generators of texts and URLs with any characters. For the same in fast-check, its unit `binary` and its URLs, each
 * process first builds a table of all characters, which takes two seconds.
 */

/** Any character of Unicode. Half of a surrogate pair is none. */
const character = fc
  .nat({ max: 0x10ffff })
  .map((codePoint) => String.fromCodePoint(codePoint))
  .filter((text) => text.isWellFormed());

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
  const origin = fc.tuple(fc.constantFrom(...schemes), fc.domain()).map((parts) => parts.join("://"));
  const path = fc.array(partOf(PLAIN)).map((segments) => segments.map((segment) => `/${segment}`).join(""));
  const text = partOf([...PLAIN, "/", "?"]);
  const after = (mark: string) =>
    fc.option(
      text.map((chosen) => mark + chosen),
      { nil: "" },
    );
  return fc.tuple(origin, path, after("?"), after("#")).map((parts) => parts.join(""));
}
