/**
 * A `Content-Disposition` with a file name (RFC 6266): ASCII for old clients, and the whole name as RFC 8187 writes it
 * where ASCII cannot hold it.
 */
export function contentDisposition(disposition: "inline" | "attachment", filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]+/g, "_").replace(/["\\%]/g, "_");
  const plain = `${disposition}; filename="${ascii}"`;
  return ascii === filename ? plain : `${plain}; filename*=UTF-8''${encodeExtended(filename)}`;
}

/** `value-chars` of RFC 8187 section 3.2.1: narrower than what `encodeURIComponent` leaves. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
