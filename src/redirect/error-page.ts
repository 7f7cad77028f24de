import { generateUuidv7 } from "../core/id.ts";
import {
  BANNED_TEXTS,
  type ErrorPage,
  type ErrorPageStatus,
  type ErrorTexts,
  renderErrorDocument,
} from "../pages/error-document.ts";
import { buildJson, buildPage, COMMON_HEADERS, prefersJson } from "../pages/page-response.ts";

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
  503: { code: "INTERNAL_ERROR", message: "This link can't be loaded right now." },
} as const;

const PAGES: Record<ErrorPage, ErrorTexts> = {
  404: {
    title: "Link not found",
    text: "Check the URL for typos, or ask the person who shared it.",
  },
  405: { title: "Unsupported request", text: "Open this link in a browser instead." },
  410: {
    title: "This link is no longer available",
    text: "It has been disabled or has expired.",
  },
  429: {
    title: "Too many attempts",
    text: "Your network has requested many links that don't exist. Wait a moment and try again.",
  },
  451: {
    title: "This link isn't available to you",
    text: "It's restricted by location or device.",
  },
  banned: BANNED_TEXTS,
  503: {
    title: "Temporarily unavailable",
    text: "This link can't be loaded right now. Try again in a moment.",
  },
};

/** Pages for hosts that belong to a workspace. They reveal nothing about a link's destination. */
const PAGES_WITH_NAME: Partial<Record<ErrorPage, ErrorTexts>> = {
  404: { ...PAGES[404], title: "{name} has no link at this URL" },
  410: { ...PAGES[410], text: "{name} has disabled it, or it has expired." },
  451: { ...PAGES[451], text: "{name} has restricted it by location or device." },
};

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

async function renderPage(page: ErrorPage, { request, report, findWorkspaceName }: FailedVisit) {
  const texts = PAGES_WITH_NAME[page];
  const name = texts !== undefined && request.method === "GET" ? await findWorkspaceName() : null;
  return name === null
    ? renderErrorDocument(PAGES[page], report)
    : renderErrorDocument(texts as ErrorTexts, report, name);
}
