import type { Settings } from "../env.ts";
import { readGeo } from "../routing/geo.ts";
import { mayBeShortCode, toCodeKey } from "../routing/short-code.ts";
import { RequestVisitor } from "../routing/visitor.ts";
import { recordScan, type ScanFacts } from "../scans/scan.ts";
import { respondWithErrorPage } from "./error-page.ts";
import { resolve } from "./resolve.ts";
import { pickDestination, type Target } from "./target.ts";

const REDIRECT_HEADERS = { "Cache-Control": "private, no-store", "X-Robots-Tag": "noindex" };

/** A request for a short address. */
interface Visit {
  request: Request;
  /** Of the request, parsed. */
  url: URL;
  /** The URL's, normalized. */
  hostname: string;
  settings: Settings;
}

/** What a redirect needs of the runtime's execution context. */
type Runtime = Pick<ExecutionContext, "waitUntil">;

/**
 * Answers a short address (decisions section 3): 302 to where the link's rules send this visitor, 404 or 410. A scan
 * is recorded after the answer; nothing that fails there can break it.
 */
export async function redirect(
  { request, url, hostname, settings }: Visit,
  env: Env,
  runtime: Runtime,
): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD")
    return respondWithErrorPage(405, request, { Allow: "GET, HEAD" });
  const code = url.pathname.slice(1);
  if (!mayBeShortCode(code)) return respondWithErrorPage(404, request);

  const nowMs = Date.now();
  const waitUntil = (promise: Promise<unknown>) => runtime.waitUntil(promise);
  let target: Target | null;
  try {
    target = await resolve({ d1: env.DB, settings, nowMs, waitUntil }, hostname, toCodeKey(code));
  } catch (error) {
    console.error(`${url.host}/${code} cannot be resolved`, error);
    return respondWithErrorPage(503, request, { "Retry-After": "5" });
  }

  const visitor = new RequestVisitor(request.headers, url, readGeo(request, settings));
  const destination = pickDestination(target, code, visitor, nowMs);
  if (destination.status === "unknown" || target === null) return respondWithErrorPage(404, request);
  if (destination.status === "gone") return respondWithErrorPage(410, request);

  if (request.method === "GET" && visitor.isScan) {
    const { address, rule } = destination;
    recordScan(env, scanOf(target, visitor, address, rule), nowMs, waitUntil);
  }
  return new Response(null, { status: 302, headers: { Location: destination.address, ...REDIRECT_HEADERS } });
}

function scanOf(
  { workspaceId, linkId, shortCode }: Target,
  visitor: RequestVisitor,
  destination: string,
  rule: string | null,
): ScanFacts {
  const { country, region, device, os, browser, languages, referrer } = visitor;
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
  };
}
