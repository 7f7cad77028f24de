// Pure: no I/O, clock or randomness.

/** Returns the URI for reporting a URL to a contact. Emails have the URL, without its query, as their subject. */
export function buildReportUri(contact: string | null, url: URL): string | null {
  const isEmail = contact?.startsWith("mailto:") && !contact.includes("?");
  return isEmail ? `${contact}?subject=${encodeURIComponent(`Report: ${url.host}${url.pathname}`)}` : contact;
}
