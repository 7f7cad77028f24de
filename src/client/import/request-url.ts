import { findOutboundProblem } from "../../core/outbound.ts";
import type { UrlResult } from "./compare-responses.ts";

/** Parts of the platform that tests replace. */
export interface RequestPlatform {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Waits until a request may start. */
  takeTurn: () => Promise<void>;
  timeoutMs: number;
}

/** Identifies the requests in server logs as requests of a bot. */
const USER_AGENT = "signpost-import-verify/1 (bot; compares a short link with its copy)";
const INIT = { redirect: "manual", headers: { "User-Agent": USER_AGENT, Accept: "*/*" } } as const;
/** Maximum number of redirects followed to another spelling of a short URL, such as from http to https. */
const OWN_REDIRECTS_MAX = 3;
/** Statuses returned when HEAD isn't supported. */
const NO_HEAD_STATUSES = new Set([400, 403, 405, 500, 501]);

/** Returns why a URL from a file must not be requested, such as a host that isn't public, or null. */
export function findHostProblem(url: string): string | null {
  if (!URL.canParse(url)) return "must be a URL";
  const parsed = new URL(url);
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") return "must be an http or https URL";
  // Short URLs may use plain http. All other checks are the same as for other outbound URLs.
  parsed.protocol = "https:";
  return findOutboundProblem(parsed.href, { allowLoopback: false, isOwn: () => false });
}

/**
 * Requests a short URL with HEAD, which doesn't count as a visit, and returns where it redirects. Follows
 * redirects to another spelling of the same URL, such as from http to https. `mayUseGet` allows a GET if HEAD
 * is refused; this GET may count as a visit.
 */
export async function requestUrl(
  url: string,
  platform: RequestPlatform,
  { mayUseGet, findProblem }: { mayUseGet: boolean; findProblem: (url: string) => string | null },
): Promise<UrlResult> {
  let target = url;
  for (let redirects = 0; ; redirects++) {
    const problem = findProblem(target);
    if (problem !== null) return { problem: `was not checked: it ${problem}` };
    const result = await requestOnce(target, platform, mayUseGet);
    if ("problem" in result || result.location === null) return result;
    if (redirects === OWN_REDIRECTS_MAX || !isSelf(target, result.location)) return result;
    target = result.location;
  }
}

async function requestOnce(url: string, platform: RequestPlatform, mayUseGet: boolean): Promise<UrlResult> {
  const result = await request("HEAD", url, platform);
  const isRefused = "status" in result && NO_HEAD_STATUSES.has(result.status);
  return isRefused && mayUseGet ? request("GET", url, platform) : result;
}

async function request(method: string, url: string, platform: RequestPlatform): Promise<UrlResult> {
  await platform.takeTurn();
  try {
    const signal = AbortSignal.timeout(platform.timeoutMs);
    const response = await platform.fetch(url, { ...INIT, method, signal });
    await response.body?.cancel();
    const { status } = response;
    const location = status >= 300 && status < 400 ? response.headers.get("Location") : null;
    if (location === null) return { status, location };
    return { status, location: URL.canParse(location, url) ? new URL(location, url).href : location };
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { code?: string } };
    const reason = name === "TimeoutError" ? "timed out" : `did not respond: ${cause?.code ?? message}`;
    return { problem: reason };
  }
}

/**
 * Returns true if a URL redirects to another spelling of itself: to https, to or from `www.`, or with a
 * trailing slash.
 */
function isSelf(url: string, location: string): boolean {
  if (url === location || !URL.canParse(location)) return false;
  const normalize = (text: string) => {
    const { hostname, pathname } = new URL(text);
    return hostname.replace(/^www\./, "") + pathname.replace(/\/+$/, "");
  };
  return normalize(url) === normalize(location);
}
