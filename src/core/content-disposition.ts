/**
 * Formats a `Content-Disposition` header with a file name (RFC 6266). `filename` has ASCII characters only, for old
 * clients. `filename*` has the full name, encoded as in RFC 8187; it is added only if ASCII cannot represent the name.
 */
export function formatContentDisposition(disposition: "inline" | "attachment", filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]+/g, "_").replace(/["\\%]/g, "_");
  const plain = `${disposition}; filename="${ascii}"`;
  return ascii === filename ? plain : `${plain}; filename*=UTF-8''${encodeExtended(filename)}`;
}

/** Encodes `value-chars` (RFC 8187 section 3.2.1), which allow fewer characters than `encodeURIComponent` keeps. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
