const NAME = "[a-z0-9][a-z0-9!#$&^_.+-]{0,126}";
const TOKEN = "[a-z0-9!#$%&'*+.^_`|~-]+";
const MEDIA_TYPE = new RegExp(
  `^(${NAME}/${NAME})((?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"[ !#-[\\]-~]*"))*)$`,
  "i",
);
const PARAMETER = new RegExp(`(${TOKEN})=(${TOKEN}|"[^"]*")`, "gi");

/**
 * A media type as it is stored and compared: type, subtype and names of parameters in lower case, `; ` before each
 * parameter (RFC 9110 section 8.3.1, names as in RFC 6838 section 4.2). Null for what is none.
 */
export function normalizeMimeType(text: string): string | null {
  const match = MEDIA_TYPE.exec(text.trim());
  if (match === null) return null;
  const [, essence = "", parameters = ""] = match;
  const named = [...parameters.matchAll(PARAMETER)].map(
    ([, name = "", value]) => `${name.toLowerCase()}=${value}`,
  );
  return [essence.toLowerCase(), ...named].join("; ");
}

/** A normalised media type without its parameters. */
export function mediaTypeEssence(mimeType: string): string {
  return mimeType.split(";", 1)[0] ?? "";
}

const ACTIVE =
  /^text\/(html|xsl)$|^message\/|^multipart\/|[/+.-]xml|xml$|xhtml|svg|(java|ecma|j|live|vb)script|\/x-(c?sh|bash|perl|python|httpd-php|mimearchive)$/;

/**
 * Whether a browser that opens a file of this type may run what is in it: HTML, SVG, XML, scripts, and archives of
 * web pages. Such a file is only ever offered as a download.
 */
export function isActiveContent(mimeType: string): boolean {
  return ACTIVE.test(mediaTypeEssence(mimeType));
}
