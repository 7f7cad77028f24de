import { logRecurringError } from "../caching/recurring-errors.ts";
import { HOSTNAME_MAX_LENGTH } from "../core/hosts.ts";
import { isPlainHttp } from "../core/transport.ts";
import type { Settings } from "../env.ts";
import type { GuardedTarget, GuardedVisit, Passed } from "../guards/guarded-visit.ts";
import { UnknownLimit, UnknownLimitError } from "../limits/unknown-limit.ts";
import type { ErrorPage } from "../pages/error-document.ts";
import { buildReportUri } from "../pages/report-uri.ts";
import { type FallbackName, findHostInTime } from "../resolving/host-fallback.ts";
import type { Host } from "../resolving/host-read.ts";
import { decideOutcome, type OpenOutcome, OUTCOME_STATUS } from "../resolving/outcome.ts";
import { buildContext, type ResolveContext, resolver } from "../resolving/resolve.ts";
import type { Target } from "../resolving/target.ts";
import { mayBeAlias } from "../routing/alias.ts";
import { isCompactPath } from "../routing/compact-code.ts";
import { readGeo } from "../routing/geo.ts";
import { toNetwork } from "../routing/network.ts";
import { readRequestPath } from "../routing/request-path.ts";
import { mayBeShortCode } from "../routing/short-code.ts";
import { RequestVisitor } from "../routing/visitor.ts";
import { LinkBursts } from "../scans/link-bursts.ts";
import { recordScan } from "../scans/record-scan.ts";
import type { ScanFacts } from "../scans/scan-facts.ts";
import type { TrafficClass } from "../scans/traffic.ts";
import { readUtm } from "../scans/utm.ts";
import { isBioHost } from "../tenant/own-hosts.ts";

/** Methods of short URLs. POST sends the form of a link with guards. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST"]);
const ALLOW = { Allow: "GET, HEAD" };
const REDIRECT_HEADERS = { "Cache-Control": "private, no-store", "X-Robots-Tag": "noindex" };

/** Links that addresses opened lately, in this isolate. */
const bursts = new LinkBursts();

/** Returns true for a browser whose address opens many links of the workspace at once. Records the visit. */
function opensManyLinks({ workspaceId, id }: Target, visitor: RequestVisitor, nowMs: number): boolean {
  const network = toNetwork(visitor.address);
  return network !== null && visitor.isBrowser && bursts.isBurst(workspaceId, network, id, nowMs);
}

/** Returns true for paths that programs read (RFC 8615). They are never redirected. */
export function isWellKnown(path: string): boolean {
  return path.startsWith("/.well-known/");
}

/** Request to a short host. */
interface ShortRequest {
  request: Request;
  url: URL;
  /** Path of the URL. */
  pathname: string;
  /** Normalized host name of the URL. */
  hostname: string;
  settings: Settings;
}

/** Outcome that counts as a scan. */
type Found = Extract<OpenOutcome, { status: "found" }>;

/** Part of the execution context that a redirect uses. */
type Runtime = Pick<ExecutionContext, "waitUntil">;

/**
 * Responds to a request for a short URL: 302 to the destination that the link's rules choose for the visitor,
 * otherwise 404, 410, 451, or 429 for a visitor who tries too many unknown codes. Instead of 404 and 410, the
 * host's fallback URL may be used, which doesn't count as a scan. The scan is recorded after the response, so
 * that counting errors never break redirects.
 */
export async function redirect(short: ShortRequest, env: Env, runtime: Runtime): Promise<Response> {
  const { request, url, pathname, hostname, settings } = short;
  const visit = new Visit(short, env, runtime);
  if (!METHODS.has(request.method)) return visit.respondWithError(405, ALLOW);
  const path = readRequestPath(pathname);
  const isPossible = (mayBeShortCode(path) || mayBeAlias(path)) && hostname.length <= HOSTNAME_MAX_LENGTH;
  if (!isPossible && request.method === "POST") return visit.respondWithError(405, ALLOW);
  if (hostname.length > HOSTNAME_MAX_LENGTH || isWellKnown(pathname)) return visit.respondWithError(404);
  if (!isPossible) return visit.fallBack(path === "" ? "rootUrl" : "notFoundUrl", 404);

  let target: Target | null;
  try {
    const resolved = resolver.resolve(hostname, path, visit.nowMs, visit.getContext);
    // Skips `await` for links in memory, which would cost a turn of the event loop.
    target = resolved instanceof Promise ? await resolved : resolved;
  } catch (error) {
    if (error instanceof UnknownLimitError)
      return visit.respondWithError(429, { "Retry-After": String(error.retryAfterSeconds) });
    logRecurringError("a link could not be read", error);
    return visit.respondWithError(503, { "Retry-After": "5" });
  }

  const visitor = new RequestVisitor(request.headers, url, readGeo(request, settings));
  if (target !== null && opensManyLinks(target, visitor, visit.nowMs)) visitor.markOpensManyLinks();
  if (!hasGuards(target) && request.method === "POST") return visit.respondWithError(405, ALLOW);
  const passed = hasGuards(target)
    ? await passGuards(visit.guard(target, visitor), settings, env)
    : { outcome: decideOutcome(target, visitor, visit.nowMs), headers: {}, traffic: visitor.traffic };
  if (passed instanceof Response) return passed;
  const { outcome, headers, traffic } = passed;
  if (outcome.status === "unknown") return visit.fallBack("notFoundUrl", OUTCOME_STATUS.unknown, headers);
  if (outcome.status === "gone") return visit.fallBack("expiredUrl", OUTCOME_STATUS.gone, headers);
  if (outcome.status === "blocked") return visit.respondWithError(OUTCOME_STATUS.blocked, headers);
  if (outcome.status === "banned") return visit.respondWithError("banned", headers);

  if (outcome.status === "found" && target !== null && request.method !== "HEAD") {
    const scan = buildScan(short, target, visitor, outcome, traffic);
    recordScan(env, scan, visitor, visit.nowMs, visit.waitUntil);
  }
  return redirectTo(outcome.location, request, headers);
}

/** One request to a short host, with the data and functions that the steps of its redirect share. */
class Visit {
  readonly nowMs = Date.now();
  readonly #short: ShortRequest;
  readonly #env: Env;
  readonly #runtime: Runtime;
  #unknownLimit: UnknownLimit | undefined;

  constructor(short: ShortRequest, env: Env, runtime: Runtime) {
    this.#short = short;
    this.#env = env;
    this.#runtime = runtime;
  }

  /** Keeps the isolate alive until a promise settles. An arrow function, so that callers can pass it on. */
  readonly waitUntil = (promise: Promise<unknown>): void => this.#runtime.waitUntil(promise);

  /**
   * Builds the context of a look-up beyond this isolate's memory. An arrow function, so that callers can pass
   * it on.
   */
  readonly getContext = (): ResolveContext =>
    buildContext(this.#env, this.#short.settings, {
      nowMs: this.nowMs,
      waitUntil: this.waitUntil,
      getUnknownLimit: () => {
        this.#unknownLimit ??= new UnknownLimit(
          this.#env.UNKNOWN_LIMIT,
          this.#short.request.headers,
          this.nowMs,
        );
        return this.#unknownLimit;
      },
    });

  /**
   * Responds with an error page. Reads the host if the page shows the workspace's name and the caller has no
   * `host`. Imports the page lazily, so that a cold redirect doesn't evaluate its module.
   */
  async respondWithError(
    page: ErrorPage,
    extraHeaders: Record<string, string> = {},
    host?: Host | null,
  ): Promise<Response> {
    const { respondWithErrorPage } = await import("./error-page.ts");
    const findWorkspaceName = async () =>
      (host === undefined ? await this.#findHost() : host)?.workspaceName ?? null;
    const { request, url, settings } = this.#short;
    const report = buildReportUri(settings.abuseContact, url);
    const visit = { request, nowMs: this.nowMs, report, findWorkspaceName };
    return respondWithErrorPage(page, visit, extraHeaders);
  }

  /** Redirects to a fallback URL of the host, or responds with an error page if the host has none. */
  async fallBack(
    name: FallbackName,
    page: ErrorPage,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const host = await this.#findHost();
    if (host?.isSuspended) return this.respondWithError("banned", headers, host);
    const address = host?.[name] ?? null;
    return address === null
      ? this.respondWithError(page, headers, host)
      : redirectTo(address, this.#short.request, headers);
  }

  /** Describes the visit to the guards of a link. */
  guard(target: GuardedTarget, visitor: RequestVisitor): GuardedVisit {
    const { request, url, settings } = this.#short;
    const { nowMs, waitUntil } = this;
    const report = buildReportUri(settings.abuseContact, url);
    const respondWithError: GuardedVisit["respondWithError"] = (...error) => this.respondWithError(...error);
    return { request, url, target, visitor, nowMs, report, waitUntil, respondWithError };
  }

  /** Returns the host, or null if no workspace has the host or the host can't be read. */
  async #findHost(): Promise<Host | null> {
    const { hostname } = this.#short;
    if (hostname.length > HOSTNAME_MAX_LENGTH) return null;
    return findHostInTime(async () => resolver.findHost(hostname, this.nowMs, this.getContext));
  }
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

/**
 * Takes a visitor through a link's guards. Plain HTTP is redirected to HTTPS first, so that neither passwords
 * nor cookies are readable on the way. A form sent over plain HTTP becomes a GET, which shows the form again.
 */
async function passGuards(visit: GuardedVisit, { apiUrl }: Settings, env: Env): Promise<Passed | Response> {
  const { request, url } = visit;
  if (isPlainHttp(request.url, apiUrl)) {
    const status = request.method === "POST" ? 303 : 308;
    const Location = `https://${url.hostname}${url.pathname}${url.search}`;
    return new Response(null, { status, headers: { ...REDIRECT_HEADERS, Location } });
  }
  // Imports lazily, because most links have no guards and a cold redirect shouldn't evaluate their code.
  const guards = await import("../guards/guarded-visit.ts");
  return guards.passGuards(visit, env);
}

function buildScan(
  { pathname, settings }: ShortRequest,
  { workspaceId, id: linkId, shortCode, formerCode = shortCode }: Target,
  visitor: RequestVisitor,
  { address: destination, location, rule }: Found,
  traffic: TrafficClass,
): ScanFacts {
  const { country, region, device, os, browser, languages, referrer } = visitor;
  const language = languages[0] ?? null;
  const isFromPage = referrer !== null && isBioHost(settings, referrer);
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
    source: isCompactPath(pathname, formerCode) ? "qr" : isFromPage ? "page" : undefined,
    utm: readUtm(location),
    traffic,
  };
}
