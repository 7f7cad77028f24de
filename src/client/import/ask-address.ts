import { findOutboundFault } from "../../core/outbound.ts";
import type { Asked } from "./compare-answers.ts";

/** Parts of the platform, which tests replace. */
export interface AskPlatform {
  fetch: (address: string, init: RequestInit) => Promise<Response>;
  /** Waits until a request may begin. */
  takeTurn: () => Promise<void>;
  timeoutMs: number;
}

/** Tells operators who asks, and no name in it is that of a browser. */
const USER_AGENT = "signpost-import-verify/1 (bot; compares a short link with its copy)";
const INIT = { redirect: "manual", headers: { "User-Agent": USER_AGENT, Accept: "*/*" } } as const;
/** Redirects of a short address to itself, such as to https. */
const OWN_REDIRECTS_MAX = 3;
/** Statuses of services that know no HEAD. */
const NO_HEAD_STATUSES = new Set([400, 403, 405, 500, 501]);

/** Returns the reason why a host of a file must not be asked, or null: it is no public name. */
export function findHostFault(address: string): string | null {
  if (!URL.canParse(address)) return "must be a URL";
  const url = new URL(address);
  if (url.protocol !== "http:" && url.protocol !== "https:") return "must be an http or https URL";
  // Short addresses may be plain http. All else is as for every address that a file or a person names.
  url.protocol = "https:";
  return findOutboundFault(url.href, { allowLoopback: false, isOwn: () => false });
}

/**
 * Asks a short address where it leads, with HEAD: short links count no such visit. An address that leads to itself, as
 * from http to https, is asked there. `mayUseGet` allows a GET where a service refuses HEAD, which may count as a visit.
 */
export async function askAddress(
  address: string,
  platform: AskPlatform,
  { mayUseGet, findFault }: { mayUseGet: boolean; findFault: (address: string) => string | null },
): Promise<Asked> {
  let target = address;
  for (let redirects = 0; ; redirects++) {
    const fault = findFault(target);
    if (fault !== null) return { fault: `is not asked: it ${fault}` };
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
    const reason =
      name === "TimeoutError" ? "does not answer in time" : `does not answer: ${cause?.code ?? message}`;
    return { fault: reason };
  }
}

/** Returns true if an address leads to itself in another spelling: to https, to `www.`, or to a slash at its end. */
function isSelf(address: string, location: string): boolean {
  if (address === location || !URL.canParse(location)) return false;
  const normalize = (text: string) => {
    const { hostname, pathname } = new URL(text);
    return hostname.replace(/^www\./, "") + pathname.replace(/\/+$/, "");
  };
  return normalize(address) === normalize(location);
}
