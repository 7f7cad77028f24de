import { generateUuidv7 } from "../core/id.ts";
import { type ErrorPage, type ErrorPageStatus, renderErrorDocument } from "../pages/error-document.ts";
import { buildJson, buildPage, COMMON_HEADERS, prefersJson } from "../pages/page-response.ts";
import { loadVisitorTexts } from "../pages/visitor-language.ts";

const ERRORS = {
  404: {
    code: "RESOURCE_NOT_FOUND",
    message: "No link exists at this URL. Check it for typos.",
  },
  405: { code: "METHOD_NOT_ALLOWED", message: "Short links only support GET and HEAD." },
  410: { code: "LINK_GONE", message: "This link has been disabled or has expired." },
  429: {
    code: "RATE_LIMIT_EXCEEDED",
    message:
      "Too many requests for links that don't exist. Retry after the number of seconds in Retry-After.",
  },
  451: { code: "LINK_BLOCKED", message: "This link is not available to this visitor." },
  banned: { code: "LINK_BANNED", message: "The administrator of this service has stopped this link." },
  503: { code: "SERVICE_UNAVAILABLE", message: "This link can't be loaded right now." },
} as const;

/** Failed request to a short host. */
interface FailedVisit {
  request: Request;
  nowMs: number;
  /** URI for reporting the link. */
  report: string | null;
  /** Returns the name of the host's workspace, or null if it is unknown or can't be read. Never throws. */
  findWorkspaceName(): Promise<string | null>;
}

/** Returns an error response for a short host: an HTML page, or JSON if the `Accept` header prefers it. */
export async function respondWithErrorPage(
  page: ErrorPage,
  visit: FailedVisit,
  extraHeaders: Record<string, string> = {},
): Promise<Response> {
  const status: ErrorPageStatus = page === "banned" ? 451 : page;
  const { request, nowMs } = visit;
  const requestId = generateUuidv7(nowMs);
  const { body, headers } = prefersJson(request)
    ? buildJson(ERRORS[page], status, requestId)
    : await buildPage(await renderPage(page, visit));
  return new Response(request.method === "HEAD" ? null : body, {
    status,
    headers: { ...COMMON_HEADERS, ...headers, "X-Request-Id": requestId, ...extraHeaders },
  });
}

/** Renders the page in the visitor's language. On a workspace's host, some errors show the workspace's name. */
async function renderPage(page: ErrorPage, { request, report, findWorkspaceName }: FailedVisit) {
  const isNamed = (page === 404 || page === 410 || page === 451) && request.method === "GET";
  const [texts, name] = await Promise.all([loadVisitorTexts(request), isNamed ? findWorkspaceName() : null]);
  const error = texts.link[page];
  if (!isNamed || name === null) return renderErrorDocument(error, { texts, report });
  return renderErrorDocument({ ...error, ...texts.named[page] }, { texts, report, name });
}
