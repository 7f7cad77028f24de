/** A host name as it is compared and stored: lower case, without port or trailing dots. */
export function normalizeHostname(hostname: string): string {
  return hostname.toLowerCase().replace(/\.+$/, "");
}

/** Whether a host is this machine by number: what listens on a port of `localhost` answers there too. */
export function isLoopbackAddress(hostname: string): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname);
}

/** Whether `hostname` is `parent` itself or a name below it. */
export function isWithin(hostname: string, parent: string): boolean {
  return hostname === parent || hostname.endsWith(`.${parent}`);
}
