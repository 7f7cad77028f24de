// Pure: no I/O, clock or randomness.
import { DAY_MS, toIso } from "../core/time.ts";
import type { Settings } from "../env.ts";

/** Time for which the text says that it is valid. RFC 9116 recommends less than a year. */
const VALID_MS = 180 * DAY_MS;

/** Serves `security.txt` (RFC 9116) with the administrator's contact, or 404 if none is configured. */
export function serveSecurityText(
  { method }: Request,
  { abuseContact }: Pick<Settings, "abuseContact">,
  nowMs: number,
): Response {
  const headers = {
    "Content-Type": "text/plain; charset=utf-8",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "public, max-age=3600",
  };
  const expiresAt = toIso(Math.floor(nowMs / DAY_MS) * DAY_MS + VALID_MS);
  const text =
    abuseContact === null
      ? "This service has no security contact.\n"
      : `Contact: ${abuseContact}\nExpires: ${expiresAt}\nPreferred-Languages: en\n`;
  return new Response(method === "HEAD" ? null : text, {
    status: abuseContact === null ? 404 : 200,
    headers,
  });
}
