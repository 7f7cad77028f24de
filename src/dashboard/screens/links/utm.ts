/** Campaign parameters in a destination. */

/** Parameters in the order of the form, with what they tell. */
export const UTM_FIELDS = [
  { name: "utm_source", label: "Source", example: "newsletter" },
  { name: "utm_medium", label: "Medium", example: "email" },
  { name: "utm_campaign", label: "Campaign", example: "summer-sale" },
  { name: "utm_term", label: "Term", example: "running shoes" },
  { name: "utm_content", label: "Content", example: "top-button" },
] as const;

/** Name of a campaign parameter. */
export type UtmName = (typeof UTM_FIELDS)[number]["name"];

/** Splits an address around its query, without parsing it: what somebody types need not be a URL yet. */
function splitAddress(address: string): [base: string, query: string, fragment: string] {
  const hash = address.indexOf("#");
  const fragment = hash === -1 ? "" : address.slice(hash);
  const rest = hash === -1 ? address : address.slice(0, hash);
  const mark = rest.indexOf("?");
  return mark === -1 ? [rest, "", fragment] : [rest.slice(0, mark), rest.slice(mark + 1), fragment];
}

/** Reads a campaign parameter of an address. Empty if there is none. */
export function readUtm(address: string, name: UtmName): string {
  return new URLSearchParams(splitAddress(address)[1]).get(name) ?? "";
}

/** Writes a campaign parameter into an address. An empty value removes it. All other parameters stay as they are written. */
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
