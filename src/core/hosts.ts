/** Maximum length of a host name (RFC 1035 section 2.3.4). */
export const HOSTNAME_MAX_LENGTH = 253;

/** Normalizes a host name for comparison and storage: lower case, without trailing dots. */
export function normalizeHostname(hostname: string): string {
  return hostname.toLowerCase().replace(/\.+$/, "");
}

// The patterns expect hosts as the URL parser writes them: every IPv4 address (127.1, 0x7f000001) as four decimal
// numbers, every IPv6 address compressed and in brackets.
const LOOPBACK_ADDRESS = /^(?:127(?:\.\d{1,3}){3}|\[::1\])$/;
const UNSPECIFIED_ADDRESS = /^(?:0\.0\.0\.0|\[::\])$/;
/** `localhost` and the names below it (RFC 6761 section 6.3). */
const LOCALHOST_NAME = /^(?:.+\.)?localhost$/;

/** Returns true for an address in 127.0.0.0/8 and for `[::1]`. */
export function isLoopbackAddress(hostname: string): boolean {
  return LOOPBACK_ADDRESS.test(hostname);
}

/** Returns true for a loopback address, `localhost` and the names below `localhost`. */
export function isLoopbackHost(hostname: string): boolean {
  return LOCALHOST_NAME.test(hostname) || isLoopbackAddress(hostname);
}

/**
 * Returns true for a loopback address and for the unspecified addresses `0.0.0.0` and `[::]`, which connect to this
 * machine too.
 */
export function isThisMachine(hostname: string): boolean {
  return isLoopbackAddress(hostname) || UNSPECIFIED_ADDRESS.test(hostname);
}

/** Returns true if `hostname` is `parent` or a name below it. */
export function isWithinDomain(hostname: string, parent: string): boolean {
  return hostname === parent || hostname.endsWith(`.${parent}`);
}
