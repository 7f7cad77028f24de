import { isLoopbackHost, isWithinDomain, normalizeHostname, PRIVATE_SUFFIXES } from "./hosts.ts";

/**
 * Guards against server-side request forgery (SSRF). All URLs chosen by users, such as webhook endpoints and
 * logos, are checked when they are saved and again before each request.
 */

/** Outbound request rules of the deployment. */
export interface OutboundPolicy {
  /** True only in local development. Also allows HTTP and loopback hosts. */
  allowLoopback: boolean;
  /** Returns true if the URL belongs to this deployment. */
  isOwn(url: URL): boolean;
}

const PORTS = new Set(["", "443", "8443"]);
const DNS_NAME = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/**
 * Returns the reason why a URL must not be requested, or null if it is allowed. The text is meant to follow
 * the name of the field that contains the URL.
 */
export function findOutboundProblem(address: string, policy: OutboundPolicy): string | null {
  if (!URL.canParse(address)) return "must be a URL";
  const url = new URL(address);
  const hostname = normalizeHostname(url.hostname);
  if (url.username !== "" || url.password !== "") return "must not contain a user name or password";
  if (policy.isOwn(url)) return "must not be a URL of this service";
  if (policy.allowLoopback && isLoopbackHost(hostname)) {
    return url.protocol === "https:" || url.protocol === "http:" ? null : "must be an http or https URL";
  }
  if (url.protocol !== "https:") return "must be an https URL";
  if (!isPublicName(hostname)) return "must use a public hostname, not an IP address or a private name";
  if (!PORTS.has(url.port)) return "must use port 443 or 8443";
  return null;
}

// This pattern excludes IP addresses. The URL parser writes all IPv4 addresses (127.1, 0x7f000001) as four
// numbers, but the last label of a name must start with a letter. IPv6 addresses have brackets.
function isPublicName(hostname: string): boolean {
  const isPrivate = ["localhost", ...PRIVATE_SUFFIXES].some((suffix) => isWithinDomain(hostname, suffix));
  return DNS_NAME.test(hostname) && !isPrivate;
}

/** Thrown for a URL that the guard rejects, before the request or at a redirect. */
export class OutboundRefusedError extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = "OutboundRefusedError";
  }
}

interface GuardedRequest extends RequestInit {
  policy: OutboundPolicy;
  timeoutMs: number;
  /**
   * Maximum number of redirects to follow. Each target is checked. With 0, the default, redirects are
   * returned as they are.
   */
  redirectsMax?: number;
}

/**
 * Fetches a URL after checking it. Throws {@link OutboundRefusedError} for a rejected URL, a `TimeoutError`
 * after `timeoutMs`, which includes the time for reading the body, and the errors of `fetch`.
 */
export async function fetchGuarded(address: string, request: GuardedRequest): Promise<Response> {
  const { policy, timeoutMs, redirectsMax = 0, ...init } = request;
  const signal = AbortSignal.timeout(timeoutMs);
  let target = address;
  for (let redirects = 0; ; redirects++) {
    const problem = findOutboundProblem(target, policy);
    if (problem !== null) throw new OutboundRefusedError(problem);
    const response = await fetch(target, { ...init, redirect: "manual", signal });
    const location = response.headers.get("Location");
    const isRedirect = response.status >= 300 && response.status < 400 && location !== null;
    if (!isRedirect || redirectsMax === 0) return response;
    await response.body?.cancel();
    if (redirects === redirectsMax || !URL.canParse(location, target))
      throw new OutboundRefusedError("redirects too many times");
    target = new URL(location, target).href;
  }
}
