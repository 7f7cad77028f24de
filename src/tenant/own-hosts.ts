// Pure: no I/O, clock or randomness.
import { isThisMachine, isWithinDomain, normalizeHostname } from "../core/hosts.ts";
import type { OutboundPolicy } from "../core/outbound.ts";
import type { Settings } from "../env.ts";

/**
 * Checks whether hosts belong to this deployment. Hosts that workspaces added are in the table `domains`;
 * callers look them up and pass them in, so that this file needs no I/O.
 */

/** Returns true if the host serves the API. */
export function isApiHost(settings: Settings, hostname: string): boolean {
  // In local development, the IP addresses behind `localhost` serve the API too.
  return hostname === settings.apiHost || (settings.allowLoopback && isThisMachine(hostname));
}

/** Returns true if the host serves the dashboard and sign-in. */
export function isAppHost(settings: Settings, hostname: string): boolean {
  return hostname === settings.appHost;
}

/** Returns true if the host serves bio pages. */
export function isBioHost(settings: Settings, hostname: string): boolean {
  return hostname === settings.bioHost;
}

/** Returns true if the URL is on the host of public files. */
export function isCdnHost(settings: Settings, url: URL): boolean {
  return getHostOnOwnPort(settings, url) === settings.cdnHost;
}

/**
 * Returns true if the URL's host can serve short links: `SHORT_DOMAIN`, names below it, and in local
 * development this machine. Bio, CDN and app host never serve short links, even below `SHORT_DOMAIN`.
 */
export function isShortHost(settings: Settings, url: URL): boolean {
  const hostname = getHostOnOwnPort(settings, url);
  if ([settings.bioHost, settings.cdnHost, settings.appHost].includes(hostname)) return false;
  return isWithinDomain(hostname, settings.shortHost) || (settings.allowLoopback && isThisMachine(hostname));
}

/** Returns true for `SHORT_DOMAIN` and names below it, whether or not workspaces use them. */
export function isShortName({ shortHost }: Pick<Settings, "shortHost">, hostname: string): boolean {
  return isWithinDomain(hostname, shortHost);
}

/**
 * Returns the reason why workspaces can't add a host, or null. The text is meant to follow the field's name.
 * Below `SHORT_DOMAIN`, only one additional label is allowed, because wildcard certificates cover no more.
 */
export function findDomainProblem(settings: Settings, hostname: string): string | null {
  const { apiHost, bioHost, cdnHost, appHost, shortHost } = settings;
  if ([apiHost, bioHost, cdnHost, appHost, shortHost].includes(hostname)) return "is a host of this service";
  const label = getShortLabel(settings, hostname);
  if (label === null) return null;
  if (label.includes(".")) return `must have one label before .${shortHost}`;
  return isDisguised(label) ? `must not start with xn-- below .${shortHost}` : null;
}

/**
 * Returns true for a label of non-ASCII characters (RFC 5890 section 2.3.2.1). Below `SHORT_DOMAIN`, such labels
 * could look like the name of another company.
 */
export function isDisguised(label: string): boolean {
  return label.startsWith("xn--");
}

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Returns true if a text can be the slug of a workspace, which becomes part of its host. */
export function isWorkspaceSlug(text: string): boolean {
  return SLUG.test(text) && !isDisguised(text);
}

/** Returns the part of a host before `SHORT_DOMAIN`, or null for other hosts. */
export function getShortLabel({ shortHost }: Pick<Settings, "shortHost">, hostname: string): string | null {
  const isBelow = hostname !== shortHost && isWithinDomain(hostname, shortHost);
  return isBelow ? hostname.slice(0, -shortHost.length - 1) : null;
}

/**
 * Returns the host under which redirects store cache entries. Each zone has a cache of its own, so redirects
 * on all hosts use the zone of `SHORT_DOMAIN`.
 */
export function getStoreHost({ shortHost }: Pick<Settings, "shortHost">): string {
  return shortHost;
}

const CLICK_PATH = /^\/[^/]+\/l\//i;

/**
 * Returns true if the URL, on any port, is a click URL of a bio page. Click URLs redirect to the page's
 * links.
 */
export function isClickUrl(settings: Settings, url: URL): boolean {
  return normalizeHostname(url.hostname) === settings.bioHost && CLICK_PATH.test(url.pathname);
}

/**
 * Returns true if the URL may redirect again: on a configured short host, on one of `domains`, or as a click
 * URL. Links never redirect to such URLs, which prevents redirect loops.
 */
export function mayRedirect(settings: Settings, domains: ReadonlySet<string>, url: URL): boolean {
  return (
    isShortHost(settings, url) || isClickUrl(settings, url) || domains.has(getHostOnOwnPort(settings, url))
  );
}

/** Returns true if the URL is on a configured API, bio, CDN, app or short host. */
export function isOwnHost(settings: Settings, url: URL): boolean {
  const hostname = getHostOnOwnPort(settings, url);
  return (
    hostname === settings.bioHost ||
    hostname === settings.cdnHost ||
    isAppHost(settings, hostname) ||
    isApiHost(settings, hostname) ||
    isShortHost(settings, url)
  );
}

/**
 * Returns a URL's normalized host if its port belongs to the deployment, otherwise an empty string. In local
 * development, other ports are other services. Deployed hosts belong to the deployment on all ports.
 */
export function getHostOnOwnPort(settings: Settings, url: URL): string {
  const isOwnPort = !settings.allowLoopback || (url.port === "" ? "" : `:${url.port}`) === settings.shortPort;
  return isOwnPort ? normalizeHostname(url.hostname) : "";
}

/**
 * Returns the host of a URL as tables store it, to compare it with own hosts and blocked hosts. In local
 * development, a slash follows hosts on ports of other services, so that they equal no own host.
 */
export function formatLinkedHost(settings: Settings, url: URL): string {
  return getHostOnOwnPort(settings, url) || `${normalizeHostname(url.hostname)}/`;
}

/**
 * Returns a deployment's outbound policy. `domains` lists the hosts among the checked URLs that workspaces
 * have added.
 */
export function buildOutboundPolicy(settings: Settings, domains: ReadonlySet<string>): OutboundPolicy {
  return {
    allowLoopback: settings.allowLoopback,
    isOwn: (url) => isOwnHost(settings, url) || domains.has(getHostOnOwnPort(settings, url)),
  };
}
