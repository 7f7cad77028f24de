// Pure: no I/O, clock or randomness.

/** Maximum length of an IP address: IPv6 with an IPv4 part. */
const ADDRESS_MAX_LENGTH = 45;
const GROUPS = 8;
/** Groups of the /64 network, the part of an IPv6 address that a provider's customer can't choose. */
const NETWORK_GROUPS = 4;
/** Groups of the /48 site, the largest network that providers usually give to one customer (RFC 6177). */
const SITE_GROUPS = 3;
/** Groups of the /32, the smallest allocation of IPv6 addresses to a provider. */
const PROVIDER_GROUPS = 2;
const IPV4_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Returns the network of a client's IP address: an IPv4 address itself, or the /64 network of an IPv6 address
 * (RFC 4291), because one machine can use all addresses in it. Returns null if the address is unknown.
 */
export function toNetwork(address: string | null): string | null {
  if (!address || address.length > ADDRESS_MAX_LENGTH) return null;
  const ipv4 = IPV4_MAPPED.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  if (!address.includes(":")) return address;
  return `${listGroups(address).slice(0, NETWORK_GROUPS).join(":")}::/64`;
}

/**
 * Returns the site of a network: the /48 that an IPv6 network belongs to, or an IPv4 address itself. One
 * customer of a provider can use all networks of a site.
 */
export function toSite(network: string): string {
  return network.includes(":") ? `${shorten(network, SITE_GROUPS)}::/48` : network;
}

/** Returns the provider of a network: the /32 that an IPv6 network belongs to, or an IPv4 address itself. */
export function toProvider(network: string): string {
  return network.includes(":") ? `${shorten(network, PROVIDER_GROUPS)}::/32` : network;
}

function shorten(network: string, groups: number): string {
  return network.split(":").slice(0, groups).join(":");
}

/** Returns the groups of an IPv6 address without leading zeros. Expands `::` to zeros. */
function listGroups(address: string): string[] {
  const [head = "", tail] = address.toLowerCase().split("::");
  const before = splitGroups(head);
  const after = splitGroups(tail ?? "");
  const zeros = tail === undefined ? 0 : Math.max(GROUPS - before.length - after.length, 0);
  return [...before, ...Array<string>(zeros).fill("0"), ...after];
}

function splitGroups(text: string): string[] {
  return text === "" ? [] : text.split(":").map((group) => group.replace(/^0+(?=.)/, ""));
}
