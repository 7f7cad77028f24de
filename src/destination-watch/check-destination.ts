import { normalizeHostname } from "../core/hosts.ts";
import { fetchGuarded, findOutboundProblem, type OutboundPolicy } from "../core/outbound.ts";
import { SECOND_MS } from "../core/time.ts";
import type { RequestPace } from "./request-pace.ts";
import type { CheckResult } from "./watch-state.ts";

const TIMEOUT_MS = 10 * SECOND_MS;
const REDIRECTS_MAX = 5;
/** Statuses of a destination that is gone, besides server errors. */
const GONE: ReadonlySet<number> = new Set([404, 410]);
const HEADERS = { "User-Agent": "Signpost-Link-Check/1.0 (bot)", Accept: "*/*" };

/**
 * Checks a destination by HEAD and, unless that succeeds, by GET. It fails with 404, 410, a server error, a timeout or
 * without a connection, which includes errors of DNS and TLS. Other errors show that the server answers, and may only
 * be meant for programs. Returns null if the run has no time or requests left.
 */
export async function checkDestination(
  destination: string,
  policy: OutboundPolicy,
  pace: RequestPace,
): Promise<CheckResult | null> {
  if (findOutboundProblem(destination, policy) !== null) return { status: "unchecked" };
  const byHead = await request(destination, "HEAD", policy, pace);
  if (byHead === null || (typeof byHead === "number" && byHead < 400))
    return byHead === null ? null : { status: "ok" };
  const answer = await request(destination, "GET", policy, pace);
  if (answer === null) return null;
  if (typeof answer === "string") return { status: "failed", reason: answer };
  const isFailure = GONE.has(answer) || answer >= 500;
  return isFailure ? { status: "failed", reason: `status ${answer}` } : { status: "ok" };
}

/**
 * Requests a URL and follows its redirects. Returns the last status, or the reason why there is none, or null if the
 * run has no time or requests left. A redirect to a URL that may not be requested isn't followed, and its status is
 * returned. No body is read.
 */
async function request(
  address: string,
  method: "HEAD" | "GET",
  policy: OutboundPolicy,
  pace: RequestPace,
): Promise<number | string | null> {
  let target = address;
  for (let redirects = 0; ; redirects++) {
    if (!(await pace.take(normalizeHostname(new URL(target).hostname)))) return null;
    let response: Response;
    try {
      response = await fetchGuarded(target, { policy, timeoutMs: TIMEOUT_MS, method, headers: HEADERS });
    } catch (error) {
      return (error as Error | null)?.name === "TimeoutError" ? "timeout" : "no connection";
    }
    await response.body?.cancel();
    const { status, headers } = response;
    const location = headers.get("Location");
    const isRedirect = status >= 300 && status < 400 && location !== null && URL.canParse(location, target);
    if (!isRedirect || redirects === REDIRECTS_MAX) return status;
    const next = new URL(location, target).href;
    if (findOutboundProblem(next, policy) !== null) return status;
    target = next;
  }
}
