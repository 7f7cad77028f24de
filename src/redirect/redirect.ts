import { recordScan, type ScanFacts } from "../analytics/scan.ts";
import type { Settings } from "../env.ts";
import { codeKey, isPossibleCode } from "../links/code.ts";
import { notice } from "./notice.ts";
import { placeOf } from "./place.ts";
import { resolve } from "./resolve.ts";
import { destinationFor, type Target } from "./target.ts";
import { RequestVisitor } from "./visitor.ts";

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
    return notice(405, request, { Allow: "GET, HEAD" });
  const code = url.pathname.slice(1);
  if (!isPossibleCode(code)) return notice(404, request);

  const nowMs = Date.now();
  const waitUntil = (promise: Promise<unknown>) => runtime.waitUntil(promise);
  let target: Target | null;
  try {
    target = await resolve({ d1: env.DB, settings, nowMs, waitUntil }, hostname, codeKey(code));
  } catch (error) {
    console.error(`${url.host}/${code} cannot be resolved`, error);
    return notice(503, request, { "Retry-After": "5" });
  }

  const visitor = new RequestVisitor(request.headers, url, placeOf(request, settings));
  const destination = destinationFor(target, code, visitor, nowMs);
  if (destination.status === "unknown" || target === null) return notice(404, request);
  if (destination.status === "gone") return notice(410, request);

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
