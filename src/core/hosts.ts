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

/** Returns true if `hostname` is `parent` or a name below it. */
export function isWithinDomain(hostname: string, parent: string): boolean {
  return hostname === parent || hostname.endsWith(`.${parent}`);
}
