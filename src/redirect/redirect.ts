import { logRecurringError } from "../caching/recurring-errors.ts";
import { HOSTNAME_MAX_LENGTH } from "../core/hosts.ts";
import type { Settings } from "../env.ts";
import type { ErrorPageStatus } from "../pages/error-document.ts";
import { readGeo } from "../routing/geo.ts";
import { mayBeShortCode, toCodeKey } from "../routing/short-code.ts";
import { RequestVisitor } from "../routing/visitor.ts";
import { recordScan } from "../scans/record-scan.ts";
import type { ScanFacts } from "../scans/scan-facts.ts";
import type { GuardedTarget, GuardedVisit, Passed } from "./guarded-visit.ts";
import { type FallbackName, findFallback } from "./host-fallback.ts";
import { decideOutcome, OUTCOME_STATUS } from "./outcome.ts";
import { buildContext, resolver } from "./resolve.ts";
import type { Target } from "./target.ts";
import { UnknownLimit, UnknownLimitError } from "./unknown-limit.ts";

/** Methods of short URLs. POST sends the form of a link with a password. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST"]);
const ALLOW = { Allow: "GET, HEAD" };
const REDIRECT_HEADERS = { "Cache-Control": "private, no-store", "X-Robots-Tag": "noindex" };

/** Returns true for paths that programs read (RFC 8615). They are never redirected. */
export function isWellKnown(path: string): boolean {
  return path.startsWith("/.well-known/");
}

/** Request to a short host. */
interface Visit {
  request: Request;
  url: URL;
  /** Normalized host name of the URL. */
  hostname: string;
  settings: Settings;
}

/** Part of the execution context that a redirect uses. */
type Runtime = Pick<ExecutionContext, "waitUntil">;

/**
 * Responds to a request for a short URL: 302 to the destination that the link's rules choose for the visitor,
 * otherwise 404, 410, 451, or 429 for a visitor who tries too many unknown codes. Instead of 404 and 410, the
 * host's fallback URL may be used, which doesn't count as a scan. The scan is recorded after the response, so
 * that counting errors never break redirects.
 */
export async function redirect(visit: Visit, env: Env, runtime: Runtime): Promise<Response> {
  const { request, url, hostname, settings } = visit;
  const nowMs = Date.now();
  let unknownLimit: UnknownLimit | undefined;
  const getUnknownLimit = () => {
    unknownLimit ??= new UnknownLimit(env.UNKNOWN_LIMIT, request.headers, nowMs);
    return unknownLimit;
  };
  // Imports lazily, so that a cold redirect doesn't evaluate the pages.
  const respondWithError = async (status: ErrorPageStatus, extraHeaders: Record<string, string> = {}) => {
    const { respondWithErrorPage } = await import("./error-page.ts");
    const visit = { request, hostname, directory: env.DIRECTORY, unknownLimit: getUnknownLimit(), nowMs };
    return respondWithErrorPage(status, visit, extraHeaders);
  };

  if (!METHODS.has(request.method)) return respondWithError(405, ALLOW);
  const code = url.pathname.slice(1);
  const isCode = mayBeShortCode(code) && hostname.length <= HOSTNAME_MAX_LENGTH;
  if (!isCode && request.method === "POST") return respondWithError(405, ALLOW);
  if (hostname.length > HOSTNAME_MAX_LENGTH || isWellKnown(url.pathname)) return respondWithError(404);

  const waitUntil = (promise: Promise<unknown>) => runtime.waitUntil(promise);
  const getContext = () => buildContext(env, settings, { nowMs, getUnknownLimit, waitUntil });
  const fallBack = async (
    name: FallbackName,
    status: ErrorPageStatus,
    headers: Record<string, string> = {},
  ) => {
    const address = await findFallback(async () => resolver.findHost(hostname, nowMs, getContext), name);
    return address === null ? respondWithError(status, headers) : redirectTo(address, request, headers);
  };
  if (!isCode) return fallBack(code === "" ? "rootUrl" : "notFoundUrl", 404);

  let target: Target | null;
  try {
    const resolved = resolver.resolve(hostname, toCodeKey(code), nowMs, getContext);
    // Skips `await` for links in memory, which would cost a turn of the event loop.
    target = resolved instanceof Promise ? await resolved : resolved;
  } catch (error) {
    if (error instanceof UnknownLimitError)
      return respondWithError(429, { "Retry-After": String(error.retryAfterSeconds) });
    logRecurringError("a link could not be read", error);
    return respondWithError(503, { "Retry-After": "5" });
  }

  const visitor = new RequestVisitor(request.headers, url, readGeo(request, settings));
  const guarded = hasGuards(target)
    ? { request, url, target, code, visitor, nowMs, waitUntil, respondWithError }
    : null;
  if (guarded === null && request.method === "POST") return respondWithError(405, ALLOW);
  const passed =
    guarded === null
      ? { outcome: decideOutcome(target, code, visitor, nowMs), headers: {} }
      : await passGuards(guarded, env);
  if (passed instanceof Response) return passed;
  const { outcome, headers } = passed;
  if (outcome.status === "unknown") return fallBack("notFoundUrl", OUTCOME_STATUS.unknown, headers);
  if (outcome.status === "gone") return fallBack("expiredUrl", OUTCOME_STATUS.gone, headers);
  if (outcome.status === "blocked") return respondWithError(OUTCOME_STATUS.blocked, headers);

  if (outcome.status === "found" && target !== null && request.method !== "HEAD") {
    recordScan(env, buildScan(target, visitor, outcome.address, outcome.rule), nowMs, waitUntil);
  }
  return redirectTo(outcome.location, request, headers);
}

/**
 * Redirects with 302. After a form, uses 303, so that the browser doesn't resend the form (RFC 9110 section
 * 15.4.4).
 */
function redirectTo(address: string, { method }: Request, headers: Record<string, string>): Response {
  const status = method === "POST" ? 303 : 302;
  return new Response(null, { status, headers: { Location: address, ...REDIRECT_HEADERS, ...headers } });
}

function hasGuards(target: Target | null): target is GuardedTarget {
  return target !== null && target.guards !== null;
}

// Imports lazily, because most links have no guards and a cold redirect shouldn't evaluate them.
async function passGuards(visit: GuardedVisit, env: Env): Promise<Passed | Response> {
  const guards = await import("./guarded-visit.ts");
  return guards.passGuards(visit, env);
}

function buildScan(
  { workspaceId, id: linkId, shortCode }: Target,
  visitor: RequestVisitor,
  destination: string,
  rule: string | null,
): ScanFacts {
  const { country, region, device, os, browser, languages, referrer, traffic } = visitor;
  const language = languages[0] ?? null;
  return {
    workspaceId,
    linkId,
    shortCode,
    destination,
    rule,
    country,
    region,
    device,
    os,
    browser,
    language,
    referrer,
    traffic,
  };
}
