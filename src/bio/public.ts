import { openDatabase } from "../db/database.ts";
import { getSettings, type Settings } from "../env.ts";
import { RequestVisitor } from "../routing/visitor.ts";
import { findPublishedPage, type PublishedPage } from "./bio.ts";
import { type Document, type ErrorPageStatus, renderErrorPage, renderPage } from "./bio-page.tsx";
import { clickDestination } from "./live.ts";
import { type PageVisit, recordVisit } from "./page-counts.ts";
import { SLUG_MAX_LENGTH } from "./slug.ts";

/** `/{slug}`, or `/{slug}/l/{index}`: the click address of a link. */
const PATH = /^\/([a-z0-9-]+)(?:\/l\/(0|[1-9][0-9]{0,2}))?\/?$/i;

/**
 * Answers on the bio host: a published page, the 302 of a click, or a notice. Each reads the database, so that a
 * change shows to the very next visitor. What is counted is counted after the answer.
 */
export async function serveBio(
  request: Request,
  url: URL,
  env: Env,
  runtime: Pick<ExecutionContext, "waitUntil">,
): Promise<Response> {
  const settings = getSettings(env);
  if (request.method !== "GET" && request.method !== "HEAD") {
    return notice(405, request, settings, { Allow: "GET, HEAD" });
  }
  const [, slug = "", index] = PATH.exec(url.pathname) ?? [];
  if (slug === "" || slug.length > SLUG_MAX_LENGTH) return notice(404, request, settings);

  const nowMs = Date.now();
  let page: PublishedPage | null;
  try {
    page = await findPublishedPage(openDatabase(env.DB), slug.toLowerCase());
  } catch (error) {
    console.error(`page ${slug} cannot be looked up`, error);
    return notice(503, request, settings, { "Retry-After": "5" });
  }
  if (page === null) return notice(404, request, settings);

  const count = (kind: PageVisit["kind"]) => {
    if (request.method !== "GET" || !new RequestVisitor(request.headers, url, {}).isScan) return;
    recordVisit(env.PAGE_HIT_QUEUE, { pageId: page.id, kind }, nowMs, (promise) =>
      runtime.waitUntil(promise),
    );
  };
  if (index === undefined) {
    count("view");
    const noindex = page.pageData.seo?.noindex === true ? { "X-Robots-Tag": "noindex" } : {};
    return answer(200, renderPage(page, settings, nowMs), request, settings, noindex);
  }
  const destination = clickDestination(page.pageData.links ?? [], Number(index), nowMs);
  if (destination === null) return notice(404, request, settings);
  count("click");
  return new Response(null, {
    status: 302,
    headers: { Location: destination, "Cache-Control": "private, no-store", "X-Robots-Tag": "noindex" },
  });
}

function notice(
  status: ErrorPageStatus,
  request: Request,
  settings: Settings,
  extra: Record<string, string> = {},
): Promise<Response> {
  return answer(status, renderErrorPage(status), request, settings, { "X-Robots-Tag": "noindex", ...extra });
}

async function answer(
  status: number,
  { html, css }: Document,
  request: Request,
  settings: Settings,
  extra: Record<string, string>,
): Promise<Response> {
  return new Response(request.method === "HEAD" ? null : html, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": await securityPolicy(css, settings),
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "strict-origin-when-cross-origin",
      // Asked for anew each time; going back in the browser's history is not asking.
      "Cache-Control": "private, no-cache",
      ...extra,
    },
  });
}

/** Permits the one style sheet, by its hash, and images; no script, no frame, no form, nothing else. */
async function securityPolicy(css: string, { cdnUrl }: Settings): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(css)));
  return [
    "default-src 'none'",
    `style-src 'sha256-${btoa(String.fromCharCode(...hash))}'`,
    `img-src https: ${cdnUrl}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
