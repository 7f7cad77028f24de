import { isThisMachine, isWithinDomain, normalizeHostname } from "../core/hosts.ts";
import type { OutboundPolicy } from "../core/outbound.ts";
import type { Settings } from "../env.ts";

/**
 * Tells which hosts belong to this deployment. Hosts that workspaces added stand in the table `domains`; callers look
 * them up and pass them in, so that this file stays free of I/O.
 */

/** Returns true if the host serves the API. */
export function isApiHost(settings: Settings, hostname: string): boolean {
  // A local start also answers to the addresses behind the name `localhost`.
  return hostname === settings.apiHost || (settings.allowLoopback && isThisMachine(hostname));
}

/** Returns true if the host is the one where people sign in. */
export function isAppHost(settings: Settings, hostname: string): boolean {
  return hostname === settings.appHost;
}

/** Returns true if the URL names the host of public files. */
export function isCdnHost(settings: Settings, url: URL): boolean {
  return hostOnOwnPort(settings, url) === settings.cdnHost;
}

/**
 * Returns true if the URL names a host that can serve short links: `SHORT_DOMAIN`, a name below it, or in a local start
 * this machine. The bio, the CDN and the app host serve no short links, even below `SHORT_DOMAIN`.
 */
export function isShortHost(settings: Settings, url: URL): boolean {
  const hostname = hostOnOwnPort(settings, url);
  if ([settings.bioHost, settings.cdnHost, settings.appHost].includes(hostname)) return false;
  return isWithinDomain(hostname, settings.shortHost) || (settings.allowLoopback && isThisMachine(hostname));
}

/** Returns true for `SHORT_DOMAIN` and the names below it, whether a workspace has them or not. */
export function isShortName({ shortHost }: Pick<Settings, "shortHost">, hostname: string): boolean {
  return isWithinDomain(hostname, shortHost);
}

/** Labels below `SHORT_DOMAIN` that no workspace gets: hosts of the service, and names that people take for them. */
const RESERVED_LABELS = new Set(
  "admin api app assets bio blog cdn dashboard docs ftp help login mail mcp ns1 ns2 sip smtp static status support www".split(
    " ",
  ),
);

/**
 * Returns the reason why no workspace may add a host, or null. The text follows the name of the field. A name below
 * `SHORT_DOMAIN` has one label more than it, as a certificate covers no others.
 */
export function findDomainFault(settings: Settings, hostname: string): string | null {
  const { apiHost, bioHost, cdnHost, appHost, shortHost } = settings;
  if ([apiHost, bioHost, cdnHost, appHost, shortHost].includes(hostname)) return "is a host of this service";
  const label = getShortLabel(settings, hostname);
  if (label === null) return null;
  if (label.includes(".")) return `must have one label before .${shortHost}`;
  return RESERVED_LABELS.has(label) ? `must not be ${hostname}, which is reserved` : null;
}

/** Returns what stands before `SHORT_DOMAIN` in a host below it, or null for another host. */
export function getShortLabel({ shortHost }: Pick<Settings, "shortHost">, hostname: string): string | null {
  const isBelow = hostname !== shortHost && isWithinDomain(hostname, shortHost);
  return isBelow ? hostname.slice(0, -shortHost.length - 1) : null;
}

/** Returns the host under which redirects store what they know. Caches belong to a zone, and redirects to this one's. */
export function getStoreHost({ shortHost }: Pick<Settings, "shortHost">): string {
  return shortHost;
}

const CLICK_PATH = /^\/[^/]+\/l\//i;

/** Returns true if the URL is, on any port, the click address of a link on a bio page, which redirects to that link. */
export function isClickAddress(settings: Settings, url: URL): boolean {
  return normalizeHostname(url.hostname) === settings.bioHost && CLICK_PATH.test(url.pathname);
}

/**
 * Returns true if the URL leads to an address that may redirect: to a short host of the configuration, to one of
 * `domains`, or to a click address. No link leads to such an address, so redirects cannot form a circle.
 */
export function mayRedirect(settings: Settings, domains: ReadonlySet<string>, url: URL): boolean {
  return (
    isShortHost(settings, url) || isClickAddress(settings, url) || domains.has(hostOnOwnPort(settings, url))
  );
}

/** Returns true if the URL leads to an API, bio, CDN, app or short host of the configuration. */
export function isOwnHost(settings: Settings, url: URL): boolean {
  const hostname = hostOnOwnPort(settings, url);
  return (
    hostname === settings.bioHost ||
    hostname === settings.cdnHost ||
    isAppHost(settings, hostname) ||
    isApiHost(settings, hostname) ||
    isShortHost(settings, url)
  );
}

/**
 * Returns the normalized host of a URL if its port can be the deployment's. Returns an empty string for another port of
 * a local start, where each port is a service of its own. A deployed host belongs to the deployment on every port.
 */
export function hostOnOwnPort(settings: Settings, url: URL): string {
  const isOwnPort = !settings.allowLoopback || (url.port === "" ? "" : `:${url.port}`) === settings.shortPort;
  return isOwnPort ? normalizeHostname(url.hostname) : "";
}

/** Returns the outbound policy of a deployment. `domains` are the hosts of the address that workspaces added. */
export function outboundPolicy(settings: Settings, domains: ReadonlySet<string>): OutboundPolicy {
  return {
    allowLoopback: settings.allowLoopback,
    isOwn: (url) => isOwnHost(settings, url) || domains.has(hostOnOwnPort(settings, url)),
  };
}
