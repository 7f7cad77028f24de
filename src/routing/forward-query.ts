/** Parameters of short addresses that are meant for this service: the password of a link. */
const OWN_PARAMETERS: ReadonlySet<string> = new Set(["pw"]);

/** Maximum length of an address with forwarded parameters, as that of a destination. */
const ADDRESS_MAX_LENGTH = 8_192;

/**
 * Adds a visitor's query to a destination. A name that both have keeps the visitor's values only. All other parameters
 * stay as they are, byte for byte, those of the destination first. An address that would become too long is returned
 * without the visitor's parameters.
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

/** Splits a query into its pairs, without empty ones. */
function splitQuery(query: string): string[] {
  return query
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "");
}

/** Returns the name of a pair as forms encode it, where `+` is a space. */
function decodeName(pair: string): string {
  // The ampersand keeps a question mark, which the parser would remove at the start.
  const [name = ""] = new URLSearchParams(`&${pair}`).keys();
  return name;
}
