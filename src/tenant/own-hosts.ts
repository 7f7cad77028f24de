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

/** Returns true if the URL names the host of bio pages, on any port. */
export function isBioHost(settings: Settings, url: URL): boolean {
  return normalizeHostname(url.hostname) === settings.bioHost;
}

/** Returns true if the URL leads to an API, bio, CDN or short host of the configuration, on the deployment's port. */
export function isOwnHost(settings: Settings, url: URL): boolean {
  if (!isOwnPort(settings, url)) return false;
  const hostname = normalizeHostname(url.hostname);
  return (
    isApiHost(settings, hostname) ||
    hostname === settings.bioHost ||
    hostname === settings.cdnHost ||
    isWithinDomain(hostname, settings.shortHost)
  );
}

/** Returns true if the URL leads to a host of the configuration or to one of `domains`, on the deployment's port. */
export function isOwnAddress(settings: Settings, domains: ReadonlySet<string>, url: URL): boolean {
  return isOwnHost(settings, url) || domains.has(hostOnOwnPort(settings, url));
}

/**
 * Returns the normalized host of a URL if it names the deployment's port. Returns an empty string for another port,
 * where another service listens.
 */
export function hostOnOwnPort(settings: Settings, url: URL): string {
  return isOwnPort(settings, url) ? normalizeHostname(url.hostname) : "";
}

function isOwnPort(settings: Settings, url: URL): boolean {
  return (url.port === "" ? "" : `:${url.port}`) === settings.shortPort;
}

/**
 * Returns the outbound policy of a deployment. `domains` are the hosts of the address that workspaces added. A deployed
 * host is refused on every port; on loopback each port is a service of its own.
 */
export function outboundPolicy(settings: Settings, domains: ReadonlySet<string>): OutboundPolicy {
  const { allowLoopback } = settings;
  return {
    allowLoopback,
    isOwn: (url) => isOwnAddress(settings, domains, allowLoopback ? url : withoutPort(url)),
  };
}

function withoutPort(url: URL): URL {
  const bare = new URL(url);
  bare.port = "";
  return bare;
}
