// Pure: no I/O, clock or randomness.

/** Reads and writes campaign (UTM) parameters of a destination URL. */

/** Parameters in display order, with labels and examples. */
export const UTM_FIELDS = [
  { name: "utm_source", label: "Source", example: "newsletter" },
  { name: "utm_medium", label: "Medium", example: "email" },
  { name: "utm_campaign", label: "Campaign", example: "summer-sale" },
  { name: "utm_term", label: "Term", example: "running shoes" },
  { name: "utm_content", label: "Content", example: "top-button" },
] as const;

/** Usual sources and media, by the name of the channel. */
export const UTM_PRESETS = [
  { name: "Email", source: "newsletter", medium: "email" },
  { name: "Social media", source: "instagram", medium: "social" },
  { name: "Paid search", source: "google", medium: "cpc" },
  { name: "Print", source: "poster", medium: "print" },
] as const;

export type UtmName = (typeof UTM_FIELDS)[number]["name"];

/** Splits a URL without parsing it, because it may be incomplete while the user types. */
function splitAddress(address: string): [base: string, query: string, fragment: string] {
  const hash = address.indexOf("#");
  const fragment = hash === -1 ? "" : address.slice(hash);
  const rest = hash === -1 ? address : address.slice(0, hash);
  const mark = rest.indexOf("?");
  return mark === -1 ? [rest, "", fragment] : [rest.slice(0, mark), rest.slice(mark + 1), fragment];
}

/** Returns a campaign parameter of a URL, or an empty string. */
export function readUtm(address: string, name: UtmName): string {
  return new URLSearchParams(splitAddress(address)[1]).get(name) ?? "";
}

/** Sets a campaign parameter in a URL. An empty value removes it. The rest keeps its exact spelling. */
export function writeUtm(address: string, name: UtmName, value: string): string {
  const [base, query, fragment] = splitAddress(address);
  const pair = `${name}=${encodeURIComponent(value)}`;
  const isSame = (part: string) => part === name || part.startsWith(`${name}=`);
  const parts = query.split("&").filter((part) => part !== "");
  const index = parts.findIndex(isSame);
  const others = parts.filter((part) => !isSame(part));
  if (value !== "") others.splice(index === -1 ? others.length : index, 0, pair);
  return base + (others.length === 0 ? "" : `?${others.join("&")}`) + fragment;
}
