/** Maximum length of a host name (RFC 1035 section 2.3.4). */
export const HOSTNAME_MAX_LENGTH = 253;

/** Normalizes a host name for comparison and storage: lower case, without trailing dots. */
export function normalizeHostname(hostname: string): string {
  return hostname.toLowerCase().replace(/\.+$/, "");
}

// These patterns expect hosts as the URL parser writes them: IPv4 addresses (127.1, 0x7f000001) as four
// decimal numbers, IPv6 addresses compressed and in brackets.
const LOOPBACK_ADDRESS = /^(?:127(?:\.\d{1,3}){3}|\[::1\])$/;
const UNSPECIFIED_ADDRESS = /^(?:0\.0\.0\.0|\[::\])$/;
/** Matches `localhost` and all names below it (RFC 6761 section 6.3). */
const LOCALHOST_NAME = /^(?:.+\.)?localhost$/;

/** Returns true for addresses in 127.0.0.0/8 and for `[::1]`. */
export function isLoopbackAddress(hostname: string): boolean {
  return LOOPBACK_ADDRESS.test(hostname);
}

/** Returns true for loopback addresses, `localhost` and names below `localhost`. */
export function isLoopbackHost(hostname: string): boolean {
  return LOCALHOST_NAME.test(hostname) || isLoopbackAddress(hostname);
}

/**
 * Returns true for loopback addresses and for the unspecified addresses `0.0.0.0` and `[::]`, which also
 * connect to this machine.
 */
export function isThisMachine(hostname: string): boolean {
  return isLoopbackAddress(hostname) || UNSPECIFIED_ADDRESS.test(hostname);
}

/** Matches private addresses (RFC 1918 and 4193) and link-local addresses (RFC 3927 and 4291). */
const PRIVATE_ADDRESS =
  /^(?:10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|\[f[cd][\da-f]{2}:|\[fe[89ab][\da-f]:)/;
/** Suffixes of names that only exist in a private network (RFC 6762, RFC 8375, and `internal` of ICANN). */
export const PRIVATE_SUFFIXES = ["local", "internal", "home.arpa"];

/** Returns which devices can connect to a host: only this machine, its network, or all. */
export function findReach(hostname: string): "machine" | "network" | "internet" {
  const name = normalizeHostname(hostname);
  if (isLoopbackHost(name) || isThisMachine(name)) return "machine";
  const isPrivateName =
    !/[.\]]/.test(name) || PRIVATE_SUFFIXES.some((suffix) => isWithinDomain(name, suffix));
  return isPrivateName || PRIVATE_ADDRESS.test(name) ? "network" : "internet";
}

/** Returns true if `hostname` is `parent` or a name below it. */
export function isWithinDomain(hostname: string, parent: string): boolean {
  return hostname === parent || hostname.endsWith(`.${parent}`);
}
