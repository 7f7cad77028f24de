import { generateUuidv7 } from "../core/id.ts";
import { SECOND_MS } from "../core/time.ts";
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
import { renderPlate } from "../pages/plate.ts";
import { type PreviewTexts, renderPreviewDocument } from "../pages/preview-document.ts";

/**
 * Responses for links with a password, a scan limit or a preview. None of them reveals whether the link has a
 * destination.
 */

/** Cache lifetime of a preview, within the time in which changes are visible everywhere. Caches must not serve it to clients other than preview fetchers. */
const PREVIEW_MS = 30 * SECOND_MS;
/**
 * Value of `form-action`. Browsers also apply it to the redirect after the form, so it must allow all
 * destinations.
 */
const FORM_ACTION = "http: https:";

const HELD_TITLE = "Open this link in a browser";
const HELD_BODY = `<h1>${HELD_TITLE}</h1>
<p>This link can only be opened a limited number of times. To avoid counting automated requests, its destination is only shown in a browser.</p>
<p><a href="">Open link</a></p>`;
const HELD_CSS = "a{color:var(--accent)}";

/** Errors for rejected password forms. */
const REFUSALS = {
  403: {
    error: {
      code: "ORIGIN_MISMATCH",
      message: "The form was sent by a page of another site. Open the short URL and send its form.",
    },
    texts: {
      title: "This request came from another site",
      text: "Open this link directly and enter the password there.",
    },
  },
  413: {
    error: { code: "PAYLOAD_TOO_LARGE", message: "The form is larger than 4 KiB." },
    texts: { title: "Password too long", text: "Passwords can have at most 128 characters." },
  },
  415: {
    error: {
      code: "UNSUPPORTED_MEDIA_TYPE",
      message: "Send the field `password` as application/x-www-form-urlencoded.",
    },
    texts: {
      title: "Open this link in a browser",
      text: "You can enter the password there.",
    },
  },
  429: {
    error: {
      code: "RATE_LIMIT_EXCEEDED",
      message: "Too many passwords. Retry after the number of seconds in Retry-After.",
    },
    texts: {
      title: "Too many attempts",
      text: "Wait a minute, check the password and try again.",
    },
  },
} as const;

const ASKED: JsonError = {
  code: "PASSWORD_REQUIRED",
  message: "Send the field `password` as application/x-www-form-urlencoded by POST.",
};
const WRONG: JsonError = { code: "WRONG_PASSWORD", message: "Incorrect password." };

/** Returns the password form, or a JSON error if the client prefers JSON. */
export async function respondWithForm(
  request: Request,
  isWrong: boolean,
  report: string | null,
): Promise<Response> {
  if (prefersJson(request)) return respondWithJson(request, 403, isWrong ? WRONG : ASKED);
  const page = await buildPage(renderPasswordDocument(isWrong, report), FORM_ACTION);
  return respond(request, isWrong ? 403 : 200, page);
}

/** Returns the error for a form whose password wasn't checked. */
export async function respondWithRefusal(
  request: Request,
  report: string | null,
  status: keyof typeof REFUSALS,
  extraHeaders: Record<string, string> = {},
): Promise<Response> {
  const { error, texts } = REFUSALS[status];
  if (prefersJson(request)) return respondWithJson(request, status, error, extraHeaders);
  return respond(request, status, await buildPage(renderErrorDocument(texts, report)), extraHeaders);
}

/**
 * Returns the page that programs get instead of using up one of a limited link's scans. Contains a link to
 * the same URL, because a browser may show the page that it prefetched.
 */
export async function respondHeld(request: Request, report: string | null): Promise<Response> {
  return respond(
    request,
    200,
    await buildPage(renderPlate({ title: HELD_TITLE, body: HELD_BODY, report, css: HELD_CSS })),
  );
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
