import type { Settings } from "../env.ts";
import { readGeo } from "../routing/geo.ts";
import { mayBeShortCode, toCodeKey } from "../routing/short-code.ts";
import { RequestVisitor } from "../routing/visitor.ts";
import { recordScan } from "../scans/record-scan.ts";
import type { ScanFacts } from "../scans/scan-facts.ts";
import type { ErrorPageStatus } from "./error-page.ts";
import { resolve } from "./resolve.ts";
import { pickDestination, type Target } from "./target.ts";

const REDIRECT_HEADERS = { "Cache-Control": "private, no-store", "X-Robots-Tag": "noindex" };

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
 * Responds to a request for a short address: 302 to the destination that the link's rules choose for the visitor, 404 or
 * 410. The scan is recorded after the response, so that no failure of the counts breaks a redirect.
 */
export async function redirect(visit: Visit, env: Env, runtime: Runtime): Promise<Response> {
  const { request, url, hostname, settings } = visit;
  const nowMs = Date.now();
  // The import is lazy, so that a cold redirect does not evaluate the pages.
  const respondWithError = async (status: ErrorPageStatus, extraHeaders: Record<string, string> = {}) => {
    const { respondWithErrorPage } = await import("./error-page.ts");
    return respondWithErrorPage(status, { request, hostname, d1: env.DB, nowMs }, extraHeaders);
  };

  if (request.method !== "GET" && request.method !== "HEAD")
    return respondWithError(405, { Allow: "GET, HEAD" });
  const code = url.pathname.slice(1);
  if (!mayBeShortCode(code)) return respondWithError(404);

  const waitUntil = (promise: Promise<unknown>) => runtime.waitUntil(promise);
  let target: Target | null;
  try {
    target = await resolve({ d1: env.DB, settings, nowMs, waitUntil }, hostname, toCodeKey(code));
  } catch (error) {
    console.error(`${url.host}/${code} cannot be resolved`, error);
    return respondWithError(503, { "Retry-After": "5" });
  }

  const visitor = new RequestVisitor(request.headers, url, readGeo(request, settings));
  const destination = pickDestination(target, code, visitor, nowMs);
  if (destination.status === "unknown" || target === null) return respondWithError(404);
  if (destination.status === "gone") return respondWithError(410);

  if (request.method === "GET") {
    const { address, rule } = destination;
    recordScan(env, buildScan(target, visitor, address, rule), nowMs, waitUntil);
  }
  return new Response(null, { status: 302, headers: { Location: destination.address, ...REDIRECT_HEADERS } });
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
