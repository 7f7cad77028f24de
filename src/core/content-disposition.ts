/**
 * Formats a `Content-Disposition` header with a file name (RFC 6266). `filename` is ASCII only, for old
 * clients. If that loses characters, `filename*` adds the full name, encoded as in RFC 8187.
 */
export function formatContentDisposition(disposition: "inline" | "attachment", filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]+/g, "_").replace(/["\\%]/g, "_");
  const plain = `${disposition}; filename="${ascii}"`;
  return ascii === filename ? plain : `${plain}; filename*=UTF-8''${encodeExtended(filename)}`;
}

/** Encodes `value-chars` (RFC 8187 section 3.2.1), which allow fewer characters than `encodeURIComponent`. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
