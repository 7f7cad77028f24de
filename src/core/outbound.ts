import { normalizeHostname } from "./hosts.ts";

/**
 * The one guard of every request this service makes to an address that somebody else chose (decisions section 9):
 * webhook endpoints and logos. It is asked when the address is saved, and again before each request.
 */

/** What the deployment permits. */
export interface OutboundPolicy {
  /** For the local start only: http and loopback are permitted too. */
  allowLoopback: boolean;
  /** Whether an address is one of this service's own. */
  isOwn(url: URL): boolean;
}

const PORTS = new Set(["", "443", "8443"]);
const PRIVATE_SUFFIXES = ["localhost", "local", "internal", "home.arpa"];
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const DNS_NAME = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** Why an address must not be asked for, worded to follow the name of its field; null if it may. */
export function outboundFault(address: string, policy: OutboundPolicy): string | null {
  if (!URL.canParse(address)) return "must be a URL";
  const url = new URL(address);
  const hostname = normalizeHostname(url.hostname);
  if (url.username !== "" || url.password !== "") return "must not hold a user name or password";
  if (policy.isOwn(url)) return "must not be an address of this service";
  if (policy.allowLoopback && LOOPBACK.test(hostname)) {
    return url.protocol === "https:" || url.protocol === "http:" ? null : "must be an http or https URL";
  }
  if (url.protocol !== "https:") return "must be an https URL";
  if (!isPublicName(hostname)) return "must name a public host, not an IP address or a private name";
  if (!PORTS.has(url.port)) return "must use port 443 or 8443";
  return null;
}

// The URL parser has turned every spelling of an IPv4 address (127.1, 0x7f000001) into four numbers by now, which
// the last label's letter rules out; IPv6 stands in brackets.
function isPublicName(hostname: string): boolean {
  const isPrivate = PRIVATE_SUFFIXES.some((suffix) => hostname === suffix || hostname.endsWith(`.${suffix}`));
  return DNS_NAME.test(hostname) && !isPrivate;
}

/** The request to a guarded address was refused by the guard, before or at a redirect. */
export class OutboundRefusal extends Error {
  constructor(fault: string) {
    super(fault);
    this.name = "OutboundRefusal";
  }
}

interface GuardedRequest extends RequestInit {
  policy: OutboundPolicy;
  timeoutMs: number;
  /** Redirects to follow, each of them guarded; 0 where absent: then a redirect is the answer. */
  redirectsMax?: number;
}

/**
 * Fetches a guarded address. Throws {@link OutboundRefusal}, a `TimeoutError` once `timeoutMs` have passed (reading
 * the body included), or what `fetch` throws.
 */
export async function guardedFetch(address: string, request: GuardedRequest): Promise<Response> {
  const { policy, timeoutMs, redirectsMax = 0, ...init } = request;
  const signal = AbortSignal.timeout(timeoutMs);
  let target = address;
  for (let redirects = 0; ; redirects++) {
    const fault = outboundFault(target, policy);
    if (fault !== null) throw new OutboundRefusal(fault);
    const response = await fetch(target, { ...init, redirect: "manual", signal });
    const location = response.headers.get("Location");
    const isRedirect = response.status >= 300 && response.status < 400 && location !== null;
    if (!isRedirect || redirectsMax === 0) return response;
    await response.body?.cancel();
    if (redirects === redirectsMax || !URL.canParse(location, target))
      throw new OutboundRefusal("redirects too often");
    target = new URL(location, target).href;
  }
}
