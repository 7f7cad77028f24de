import { findOutboundFault } from "../../core/outbound.ts";
import type { Asked } from "./compare-answers.ts";

/** Parts of the platform that tests replace. */
export interface AskPlatform {
  fetch: (address: string, init: RequestInit) => Promise<Response>;
  /** Waits until a request may start. */
  takeTurn: () => Promise<void>;
  timeoutMs: number;
}

/** Identifies the requests in server logs. Contains no browser name. */
const USER_AGENT = "signpost-import-verify/1 (bot; compares a short link with its copy)";
const INIT = { redirect: "manual", headers: { "User-Agent": USER_AGENT, Accept: "*/*" } } as const;
/** Maximum number of redirects from a short URL to itself, such as to https. */
const OWN_REDIRECTS_MAX = 3;
/** Statuses returned when HEAD isn't supported. */
const NO_HEAD_STATUSES = new Set([400, 403, 405, 500, 501]);

/** Returns why a URL from a file must not be requested, such as a host that isn't public, or null. */
export function findHostFault(address: string): string | null {
  if (!URL.canParse(address)) return "must be a URL";
  const url = new URL(address);
  if (url.protocol !== "http:" && url.protocol !== "https:") return "must be an http or https URL";
  // Short URLs may use plain http. All other checks are the same as for other outbound URLs.
  url.protocol = "https:";
  return findOutboundFault(url.href, { allowLoopback: false, isOwn: () => false });
}

/**
 * Requests a short URL with HEAD, which doesn't count as a visit, and returns where it redirects. Follows
 * redirects to another spelling of the same URL, such as from http to https. `mayUseGet` allows a GET if HEAD
 * is refused; this GET may count as a visit.
 */
export async function askAddress(
  address: string,
  platform: AskPlatform,
  { mayUseGet, findFault }: { mayUseGet: boolean; findFault: (address: string) => string | null },
): Promise<Asked> {
  let target = address;
  for (let redirects = 0; ; redirects++) {
    const fault = findFault(target);
    if (fault !== null) return { fault: `was not checked: it ${fault}` };
    const answer = await askOnce(target, platform, mayUseGet);
    if ("fault" in answer || answer.location === null) return answer;
    if (redirects === OWN_REDIRECTS_MAX || !isSelf(target, answer.location)) return answer;
    target = answer.location;
  }
}

async function askOnce(address: string, platform: AskPlatform, mayUseGet: boolean): Promise<Asked> {
  const answer = await request("HEAD", address, platform);
  const isRefused = "status" in answer && NO_HEAD_STATUSES.has(answer.status);
  return isRefused && mayUseGet ? request("GET", address, platform) : answer;
}

async function request(method: string, address: string, platform: AskPlatform): Promise<Asked> {
  await platform.takeTurn();
  try {
    const signal = AbortSignal.timeout(platform.timeoutMs);
    const response = await platform.fetch(address, { ...INIT, method, signal });
    await response.body?.cancel();
    const { status } = response;
    const location = status >= 300 && status < 400 ? response.headers.get("Location") : null;
    if (location === null) return { status, location };
    return { status, location: URL.canParse(location, address) ? new URL(location, address).href : location };
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { code?: string } };
    const reason = name === "TimeoutError" ? "timed out" : `did not respond: ${cause?.code ?? message}`;
    return { fault: reason };
  }
}

/**
 * Returns true if a URL redirects to another spelling of itself: to https, to or from `www.`, or with a
 * trailing slash.
 */
function isSelf(address: string, location: string): boolean {
  if (address === location || !URL.canParse(location)) return false;
  const normalize = (text: string) => {
    const { hostname, pathname } = new URL(text);
    return hostname.replace(/^www\./, "") + pathname.replace(/\/+$/, "");
  };
  return normalize(address) === normalize(location);
}
