import { normalizeHostname } from "../core/hosts.ts";
import type { OutboundPolicy } from "../core/outbound.ts";
import { isOwnHost, isOwnPort, type Settings } from "../env.ts";

/** Loopback by number, as the URL parser leaves it. */
const LOOPBACK_ADDRESS = /^(?:127\.[\d.]+|\[::1\])$/;

/**
 * What the outbound guard permits an endpoint's address. `ownDomains` are those of its hosts that workspaces of this
 * deployment added. A deployed host is ours on every port; on loopback each port is a service of its own.
 */
export function endpointPolicy(settings: Settings, ownDomains: ReadonlySet<string>): OutboundPolicy {
  const { allowLoopback } = settings;
  return {
    allowLoopback,
    isOwn(url) {
      const ours = allowLoopback ? url : withoutPort(url);
      const isOurs = ownDomains.has(normalizeHostname(ours.hostname)) || LOOPBACK_ADDRESS.test(ours.hostname);
      return isOwnHost(settings, ours) || (isOurs && isOwnPort(settings, ours));
    },
  };
}

function withoutPort(url: URL): URL {
  const bare = new URL(url);
  bare.port = "";
  return bare;
}
