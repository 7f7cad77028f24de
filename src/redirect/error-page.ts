import { generateUuidv7 } from "../core/id.ts";
import { type ErrorPageStatus, type ErrorTexts, renderErrorDocument } from "../pages/error-document.ts";
import { buildJson, buildPage, COMMON_HEADERS, prefersJson } from "./page-response.ts";

const ERRORS = {
  404: {
    code: "RESOURCE_NOT_FOUND",
    message: "There is no link at this address. Check it for a typing error.",
  },
  405: { code: "METHOD_NOT_ALLOWED", message: "A short link supports GET and HEAD." },
  410: { code: "LINK_GONE", message: "This link has been switched off or has expired." },
  429: {
    code: "RATE_LIMIT_EXCEEDED",
    message: "Too many unknown addresses were requested. Try again after the seconds in Retry-After.",
  },
  451: { code: "LINK_BLOCKED", message: "This link is not available to visitors like you." },
  503: { code: "INTERNAL_ERROR", message: "This link cannot be looked up right now." },
} as const;

const PAGES: Record<ErrorPageStatus, ErrorTexts> = {
  404: {
    title: "There is no link at this address",
    text: "Check it for a typing error, or ask whoever shared it.",
  },
  405: { title: "That does not work here", text: "A short link can be opened, and nothing else." },
  410: {
    title: "This link is no longer available",
    text: "It has been switched off or has expired.",
  },
  429: {
    title: "Too many unknown addresses",
    text: "Your network has requested many addresses that do not exist. Please wait a moment and try again.",
  },
  451: {
    title: "This link is not available to you",
    text: "Whoever shared it has closed it to visitors from some places or with some devices.",
  },
  503: {
    title: "Back in a moment",
    text: "This link cannot be looked up right now. Please try again shortly.",
  },
};

/** Pages for hosts that belong to a workspace. They reveal nothing about a link's destination. */
const PAGES_WITH_NAME: Partial<Record<ErrorPageStatus, ErrorTexts>> = {
  404: { ...PAGES[404], title: "{name} has no link at this address" },
  410: { ...PAGES[410], text: "{name} has switched it off, or it has expired." },
  451: { ...PAGES[451], text: "{name} has closed it to visitors from some places or with some devices." },
};

/** Failed request to a short host. */
interface FailedVisit {
  request: Request;
  nowMs: number;
  /** Returns the name of the host's workspace, or null if it is unknown or can't be read. Never throws. */
  findWorkspaceName(): Promise<string | null>;
}

/** Returns an error response for a short host: an HTML page, or JSON if the `Accept` header prefers it. */
export async function respondWithErrorPage(
  status: ErrorPageStatus,
  visit: FailedVisit,
  extraHeaders: Record<string, string> = {},
): Promise<Response> {
  const { request, nowMs } = visit;
  const requestId = generateUuidv7(nowMs);
  const { body, headers } = prefersJson(request)
    ? buildJson(ERRORS[status], status, requestId)
    : await buildPage(await renderPage(status, visit));
  return new Response(request.method === "HEAD" ? null : body, {
    status,
    headers: { ...COMMON_HEADERS, ...headers, "X-Request-Id": requestId, ...extraHeaders },
  });
}

async function renderPage(status: ErrorPageStatus, visit: FailedVisit) {
  const texts = PAGES_WITH_NAME[status];
  const isNamed = texts !== undefined && visit.request.method === "GET";
  const name = isNamed ? await visit.findWorkspaceName() : null;
  return name === null ? renderErrorDocument(PAGES[status]) : renderErrorDocument(texts as ErrorTexts, name);
}
