import { logError } from "../core/log.ts";
import { openDatabase, openShard } from "../db/database.ts";
import { getSettings, type Settings } from "../env.ts";
import { UnknownLimit, UnknownLimitError } from "../limits/unknown-limit.ts";
import { buildStyleDirective, type HtmlDocument } from "../pages/plate.ts";
import { buildReportUri } from "../pages/report-uri.ts";
import { readGeo } from "../routing/geo.ts";
import { RequestVisitor } from "../routing/visitor.ts";
import { findBlockedName } from "../safety/host-names.ts";
import { type ErrorPageStatus, renderErrorPage } from "./bio-error-page.ts";
import { renderPage } from "./bio-page.tsx";
import { findClickDestination } from "./live.ts";
import { type PageVisit, recordVisit } from "./page-counts.ts";
import { findPublishedPage, hideBlockedLinks, type PublishedPage } from "./published-page.ts";
import { SLUG_MAX_LENGTH } from "./slug.ts";
import { findClaim } from "./slug-claims.ts";

/** Found instead of the pages of a suspended workspace. */
const SUSPENDED = "suspended";

/** Matches the path of a page, `/{slug}`, or the click URL of a link on it, `/{slug}/l/{index}`. */
const PATH = /^\/([a-z0-9-]+)(?:\/l\/(0|[1-9][0-9]{0,2}))?\/?$/i;

/**
 * Serves a request to the bio host: returns a published page, the redirect for a click, or an error page.
 * Reads the database on every request, so that changes are visible immediately. Counting views and clicks
 * doesn't delay the response.
 */
export async function serveBio(
  request: Request,
  url: URL,
  env: Env,
  runtime: Pick<ExecutionContext, "waitUntil">,
): Promise<Response> {
  const settings = getSettings(env);
  if (request.method !== "GET" && request.method !== "HEAD") {
    return createErrorResponse(405, request, settings, { Allow: "GET, HEAD" });
  }
  const [, slug = "", index] = PATH.exec(url.pathname) ?? [];
  if (slug === "" || slug.length > SLUG_MAX_LENGTH) return createErrorResponse(404, request, settings);

  const nowMs = Date.now();
  let page: PublishedPage | typeof SUSPENDED | null;
  try {
    const key = slug.toLowerCase();
    const limit = new UnknownLimit(env.UNKNOWN_LIMIT, request.headers, nowMs, "bio slug");
    page = await limit.lookUp(key, async () => {
      const claim = await findClaim(openDatabase(env.DIRECTORY), key);
      if (claim?.suspendedAt != null) return SUSPENDED;
      return claim === null ? null : findPublishedPage(openShard(env, claim.shard).db, claim);
    });
  } catch (error) {
    if (error instanceof UnknownLimitError) {
      const seconds = String(error.retryAfterSeconds);
      return createErrorResponse(429, request, settings, { "Retry-After": seconds });
    }
    logError("the database lookup of a bio page failed", error);
    return createErrorResponse(503, request, settings, { "Retry-After": "5" });
  }
  if (page === null) return createErrorResponse(404, request, settings);
  if (page === SUSPENDED) return createErrorResponse(451, request, settings);

  const countVisit = (kind: PageVisit["kind"], link: string | null) => {
    if (request.method !== "GET") return;
    const visitor = new RequestVisitor(request.headers, url, readGeo(request, settings));
    const { id: pageId, workspaceId } = page;
    recordVisit(env, { workspaceId, pageId, kind, link, visitor }, nowMs, (promise) =>
      runtime.waitUntil(promise),
    );
  };
  if (index === undefined) {
    countVisit("view", null);
    const noindex = page.pageData.seo?.noindex === true ? { "X-Robots-Tag": "noindex" } : {};
    return createHtmlResponse(
      200,
      renderPage(hideBlockedLinks(page), settings, nowMs),
      request,
      settings,
      noindex,
    );
  }
  const destination = findClickDestination(page.pageData.links ?? [], Number(index), nowMs);
  if (destination === null) return createErrorResponse(404, request, settings);
  if (findBlockedName(page.blockedNames, new URL(destination)) !== undefined)
    return createErrorResponse(451, request, settings);
  countVisit("click", destination);
  return new Response(null, {
    status: 302,
    headers: { Location: destination, "Cache-Control": "private, no-store", "X-Robots-Tag": "noindex" },
  });
}

async function createErrorResponse(
  status: ErrorPageStatus,
  request: Request,
  settings: Settings,
  extraHeaders: Record<string, string> = {},
): Promise<Response> {
  const report = buildReportUri(settings.abuseContact, new URL(request.url));
  return createHtmlResponse(status, await renderErrorPage(status, request, report), request, settings, {
    "X-Robots-Tag": "noindex",
    Vary: "Accept-Language",
    ...extraHeaders,
  });
}

async function createHtmlResponse(
  status: number,
  { html, css, language }: HtmlDocument,
  request: Request,
  settings: Settings,
  extraHeaders: Record<string, string>,
): Promise<Response> {
  return new Response(request.method === "HEAD" ? null : html, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Language": language,
      "Content-Security-Policy": await buildSecurityPolicy(css, settings),
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "strict-origin-when-cross-origin",
      // Browsers revalidate on every visit but, unlike with no-store, may use the back/forward cache.
      "Cache-Control": "private, no-cache",
      ...extraHeaders,
    },
  });
}

/** Builds a page's Content-Security-Policy. Allows only images and, by its hash, the style sheet. */
async function buildSecurityPolicy(css: string, { cdnUrl }: Settings): Promise<string> {
  return [
    "default-src 'none'",
    await buildStyleDirective(css),
    `img-src https: ${cdnUrl}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
