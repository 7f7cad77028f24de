// Pure: no I/O, clock or randomness.
/** Query parameters that aren't forwarded, because they are reserved for Signpost. */
const OWN_PARAMETERS: ReadonlySet<string> = new Set(["pw"]);

/** Maximum length of a URL with forwarded parameters. Same limit as for destinations. */
const ADDRESS_MAX_LENGTH = 8_192;

/**
 * Adds a visitor's query parameters to a destination. If both have a parameter, only the visitor's values are
 * kept. All other parameters stay unchanged, byte for byte. The destination's parameters come first. If the
 * URL would become too long, returns the destination unchanged.
 */
export function forwardQuery(address: string, search: string): string {
  const forwarded = splitQuery(search).filter((pair) => !OWN_PARAMETERS.has(decodeName(pair)));
  if (forwarded.length === 0) return address;
  const [, base = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(address) ?? [];
  const names = new Set(forwarded.map(decodeName));
  const kept = splitQuery(query).filter((pair) => !names.has(decodeName(pair)));
  const merged = `${base}?${[...kept, ...forwarded].join("&")}${fragment}`;
  return merged.length > ADDRESS_MAX_LENGTH ? address : merged;
}

/** Splits a query string into its non-empty pairs. */
function splitQuery(query: string): string[] {
  return query
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "");
}

/** Returns a pair's name, decoded as in forms, where `+` is a space. */
function decodeName(pair: string): string {
  // The leading ampersand keeps a question mark in the name, which the parser would remove at the start.
  const [name = ""] = new URLSearchParams(`&${pair}`).keys();
  return name;
}
