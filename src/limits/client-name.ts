// Pure: no I/O, clock or randomness.

/** Headers that differ between the clients of a network. */
const HEADERS = ["User-Agent", "Accept-Language", "Sec-Fetch-Mode", "Sec-Fetch-Dest"];
const HEADER_MAX_LENGTH = 200;

/**
 * Returns a text by which the clients of a network (browsers and programs) differ. Clients can choose it, so
 * a limit per client needs a limit for the whole network beside it.
 */
export function describeClient(headers: Headers): string {
  return HEADERS.map((name) => headers.get(name)?.slice(0, HEADER_MAX_LENGTH) ?? "").join("\n");
}
