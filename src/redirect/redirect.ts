import { logFault } from "../caching/fault-log.ts";
import { HOSTNAME_MAX_LENGTH } from "../core/hosts.ts";
import { SECOND_MS } from "../core/time.ts";
import { withTimeout } from "../core/timeout.ts";
import type { Settings } from "../env.ts";
import { readGeo } from "../routing/geo.ts";
import { mayBeShortCode, toCodeKey } from "../routing/short-code.ts";
import { RequestVisitor } from "../routing/visitor.ts";
import { recordScan } from "../scans/record-scan.ts";
import type { ScanFacts } from "../scans/scan-facts.ts";
import type { ErrorPageStatus } from "./error-page.ts";
import type { Host } from "./host-read.ts";
import { buildContext, resolver } from "./resolve.ts";
import { pickDestination, type Target } from "./target.ts";
import { UnknownLimit, UnknownLimitError } from "./unknown-limit.ts";

const REDIRECT_HEADERS = { "Cache-Control": "private, no-store", "X-Robots-Tag": "noindex" };

/** Returns true for paths that programs read (RFC 8615). They are never redirected. */
export function isWellKnown(path: string): boolean {
  return path.startsWith("/.well-known/");
}

/** Request for a short address. */
interface Visit {
  request: Request;
  /** Parsed URL of the request. */
  url: URL;
  /** Normalized host name of the URL. */
  hostname: string;
  settings: Settings;
}

/** Part of the execution context that a redirect uses. */
type Runtime = Pick<ExecutionContext, "waitUntil">;

/**
 * Responds to a request for a short address: 302 to the destination that the link's rules choose for the visitor, 404,
 * 410 or, to a visitor who tries too many unknown codes, 429. Instead of 404 and 410, the host may lead elsewhere, which is
 * no scan. The scan is recorded after the response, so that no failure of the counts breaks a redirect.
 */
export async function redirect(visit: Visit, env: Env, runtime: Runtime): Promise<Response> {
  const { request, url, hostname, settings } = visit;
  const nowMs = Date.now();
  let unknownLimit: UnknownLimit | undefined;
  const getUnknownLimit = () => {
    unknownLimit ??= new UnknownLimit(env.UNKNOWN_LIMIT, request.headers, nowMs);
    return unknownLimit;
  };
  // The import is lazy, so that a cold redirect does not evaluate the pages.
  const respondWithError = async (status: ErrorPageStatus, extraHeaders: Record<string, string> = {}) => {
    const { respondWithErrorPage } = await import("./error-page.ts");
    const visit = { request, hostname, directory: env.DIRECTORY, unknownLimit: getUnknownLimit(), nowMs };
    return respondWithErrorPage(status, visit, extraHeaders);
  };

  if (request.method !== "GET" && request.method !== "HEAD")
    return respondWithError(405, { Allow: "GET, HEAD" });
  const code = url.pathname.slice(1);
  if (hostname.length > HOSTNAME_MAX_LENGTH || isWellKnown(url.pathname)) return respondWithError(404);

  const waitUntil = (promise: Promise<unknown>) => runtime.waitUntil(promise);
  const getContext = () => buildContext(env, settings, { nowMs, getUnknownLimit, waitUntil });
  const fallBack = async (name: FallbackName, status: 404 | 410) => {
    const address = await findFallback(async () => resolver.findHost(hostname, nowMs, getContext), name);
    return address === null ? respondWithError(status) : redirectTo(address);
  };
  if (!mayBeShortCode(code)) return fallBack(code === "" ? "rootUrl" : "notFoundUrl", 404);

  let target: Target | null;
  try {
    const resolved = resolver.resolve(hostname, toCodeKey(code), nowMs, getContext);
    // A link in memory is served without a turn of the event loop.
    target = resolved instanceof Promise ? await resolved : resolved;
  } catch (error) {
    if (error instanceof UnknownLimitError)
      return respondWithError(429, { "Retry-After": String(error.retryAfterSeconds) });
    logFault("a link could not be read", error);
    return respondWithError(503, { "Retry-After": "5" });
  }

  const visitor = new RequestVisitor(request.headers, url, readGeo(request, settings));
  const destination = pickDestination(target, code, visitor, nowMs);
  if (destination.status === "unknown" || target === null) return fallBack("notFoundUrl", 404);
  if (destination.status === "gone") return fallBack("expiredUrl", 410);

  if (request.method === "GET") {
    const { address, rule } = destination;
    recordScan(env, buildScan(target, visitor, address, rule), nowMs, waitUntil);
  }
  return redirectTo(destination.address);
}

function redirectTo(address: string): Response {
  return new Response(null, { status: 302, headers: { Location: address, ...REDIRECT_HEADERS } });
}

/** Settings of a host for requests that no link decides. */
type FallbackName = "rootUrl" | "notFoundUrl" | "expiredUrl";

/** Time that a visitor waits for the host. The error page is better than one that comes late. */
const HOST_TIMEOUT_MS = SECOND_MS;

/** Returns where a host leads, or null. A host that cannot be read leads nowhere, nor for who tries too many. */
async function findFallback(
  findHost: () => Promise<Host | null>,
  name: FallbackName,
): Promise<string | null> {
  try {
    return (await withTimeout(findHost(), HOST_TIMEOUT_MS))?.[name] ?? null;
  } catch (error) {
    if (!(error instanceof UnknownLimitError)) logFault("a host could not be read", error);
    return null;
  }
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
