// Pure: no I/O, clock or randomness.
const NAME = "[a-z0-9][a-z0-9!#$&^_.+-]{0,126}";
const TOKEN = "[a-z0-9!#$%&'*+.^_`|~-]+";
const MEDIA_TYPE = new RegExp(
  `^(${NAME}/${NAME})((?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"[ !#-[\\]-~]*"))*)$`,
  "i",
);
const PARAMETER = new RegExp(`(${TOKEN})=(${TOKEN}|"[^"]*")`, "gi");

/**
 * Normalises a media type for storing and comparing. Returns null if the text isn't a media type. Type,
 * subtype and parameter names are in lower case, and each parameter follows `; ` (RFC 9110 section 8.3.1;
 * names as in RFC 6838 section 4.2).
 */
export function normalizeMimeType(text: string): string | null {
  const match = MEDIA_TYPE.exec(text.trim());
  if (match === null) return null;
  const [, essence = "", parameters = ""] = match;
  const normalized = [...parameters.matchAll(PARAMETER)].map(
    ([, name = "", value]) => `${name.toLowerCase()}=${value}`,
  );
  return [essence.toLowerCase(), ...normalized].join("; ");
}

/**
 * Returns a normalised media type without parameters (its "essence" in the WHATWG MIME Sniffing Standard).
 */
export function getMediaTypeEssence(mimeType: string): string {
  return mimeType.split(";", 1)[0] ?? "";
}

const ACTIVE_CONTENT =
  /^text\/(html|xsl)$|^message\/|^multipart\/|[/+.-]xml|xml$|xhtml|svg|(java|ecma|j|live|vb)script|\/x-(c?sh|bash|perl|python|httpd-php|mimearchive)$/;

/**
 * Returns true if a browser may run code from a file of this type: HTML, SVG, XML, scripts and web page
 * archives. The CDN only serves these files as downloads.
 */
export function isActiveContent(mimeType: string): boolean {
  return ACTIVE_CONTENT.test(getMediaTypeEssence(mimeType));
}
