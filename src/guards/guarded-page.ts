import { generateUuidv7 } from "../core/id.ts";
import { SECOND_MS } from "../core/time.ts";
import { renderConfirmDocument } from "../pages/confirm-document.ts";
import { renderErrorDocument } from "../pages/error-document.ts";
import {
  buildJson,
  buildPage,
  COMMON_HEADERS,
  type Content,
  type JsonError,
  prefersJson,
} from "../pages/page-response.ts";
import { renderPasswordDocument } from "../pages/password-document.ts";
import { escapeHtml, renderPlate } from "../pages/plate.ts";
import { type PreviewTexts, renderPreviewDocument } from "../pages/preview-document.ts";
import type { VisitorTexts } from "../pages/texts/visitor-texts.ts";
import { loadVisitorTexts } from "../pages/visitor-language.ts";

/**
 * Responses for links with a password, a scan limit, a preview or a confirmation. None of them reveals whether the link
 * has a destination.
 */

/** Cache lifetime of a preview, within the time in which changes are visible everywhere. Caches must not serve it to clients other than preview fetchers. */
const PREVIEW_MS = 30 * SECOND_MS;
/**
 * Value of `form-action`. Browsers also apply it to the redirect after the form, so it must allow all
 * destinations.
 */
const FORM_ACTION = "http: https:";

const HELD_CSS = "a{color:var(--accent)}";

/** Errors for rejected password forms. */
const REFUSALS: Record<keyof VisitorTexts["refusal"], JsonError> = {
  403: {
    code: "ORIGIN_MISMATCH",
    message: "The form was sent by a page of another site. Open the short URL and send its form.",
  },
  413: { code: "PAYLOAD_TOO_LARGE", message: "The form is larger than 4 KiB." },
  415: {
    code: "UNSUPPORTED_MEDIA_TYPE",
    message: "Send the field `password` as application/x-www-form-urlencoded.",
  },
  429: {
    code: "RATE_LIMIT_EXCEEDED",
    message: "Too many passwords. Retry after the number of seconds in Retry-After.",
  },
};

const ASKED: JsonError = {
  code: "PASSWORD_REQUIRED",
  message: "Send the field `password` as application/x-www-form-urlencoded by POST.",
};
const UNCONFIRMED: JsonError = {
  code: "CONFIRMATION_REQUIRED",
  message: "Send a POST without a body to open the link.",
};
const WRONG: JsonError = { code: "WRONG_PASSWORD", message: "Incorrect password." };

/** Returns the password form, or a JSON error if the client prefers JSON. */
export async function respondWithForm(
  request: Request,
  isWrong: boolean,
  report: string | null,
): Promise<Response> {
  if (prefersJson(request)) return respondWithJson(request, 403, isWrong ? WRONG : ASKED);
  const texts = await loadVisitorTexts(request);
  const page = await buildPage(renderPasswordDocument(isWrong, texts, report), FORM_ACTION);
  return respond(request, isWrong ? 403 : 200, page);
}

/** Returns the error for a form whose password wasn't checked. */
export async function respondWithRefusal(
  request: Request,
  report: string | null,
  status: keyof typeof REFUSALS,
  extraHeaders: Record<string, string> = {},
): Promise<Response> {
  if (prefersJson(request)) return respondWithJson(request, status, REFUSALS[status], extraHeaders);
  const texts = await loadVisitorTexts(request);
  const page = await buildPage(renderErrorDocument(texts.refusal[status], { texts, report }));
  return respond(request, status, page, extraHeaders);
}

/**
 * Returns the page with a button that opens the link, or a JSON error if the client prefers JSON. Neither uses up a
 * scan.
 */
export async function respondWithButton(
  request: Request,
  report: string | null,
  extraHeaders: Record<string, string>,
): Promise<Response> {
  if (prefersJson(request)) return respondWithJson(request, 403, UNCONFIRMED, extraHeaders);
  const texts = await loadVisitorTexts(request);
  const page = await buildPage(renderConfirmDocument(texts, report), FORM_ACTION);
  return respond(request, 200, page, extraHeaders);
}

/**
 * Returns the page that programs get instead of using up one of a limited link's scans. Contains a link to
 * the same URL, because a browser may show the page that it prefetched.
 */
export async function respondHeld(request: Request, report: string | null): Promise<Response> {
  const texts = await loadVisitorTexts(request);
  const { title, text } = texts.held;
  const body = `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
<p><a href="">${escapeHtml(texts.openLink)}</a></p>`;
  const document = renderPlate({ title: escapeHtml(title), body, texts, report, css: HELD_CSS });
  return respond(request, 200, await buildPage(document));
}

/** Returns the page for link preview fetchers. */
export function respondWithPreview(request: Request, url: URL, preview: PreviewTexts): Response {
  const body = renderPreviewDocument(preview, url.origin + url.pathname);
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'",
  };
  return respond(
    request,
    200,
    { body, headers },
    {
      "Cache-Control": `public, max-age=${PREVIEW_MS / SECOND_MS}`,
      Vary: "User-Agent",
    },
  );
}

function respondWithJson(
  request: Request,
  status: number,
  error: JsonError,
  extraHeaders: Record<string, string> = {},
): Response {
  const requestId = generateUuidv7(Date.now());
  return respond(request, status, buildJson(error, status, requestId), {
    ...extraHeaders,
    "X-Request-Id": requestId,
  });
}

function respond(
  { method }: Request,
  status: number,
  { body, headers }: Content,
  extraHeaders: Record<string, string> = {},
): Response {
  return new Response(method === "HEAD" ? null : body, {
    status,
    headers: { ...COMMON_HEADERS, ...headers, ...extraHeaders },
  });
}
