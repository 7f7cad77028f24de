import { generateUuidv7 } from "../core/id.ts";

/** Error pages of short addresses. */

const PAGES = {
  404: { title: "Link not found", text: "There is no link at this address. Check it for a typing error." },
  405: { title: "Method not allowed", text: "A short link supports GET and HEAD." },
  410: { title: "Link no longer available", text: "This link has been switched off or has expired." },
  503: { title: "Try again shortly", text: "This link cannot be looked up right now." },
} as const;

const CODES = {
  404: "RESOURCE_NOT_FOUND",
  405: "METHOD_NOT_ALLOWED",
  410: "LINK_GONE",
  503: "INTERNAL_ERROR",
} as const;

export type ErrorPageStatus = keyof typeof PAGES;

const HEADERS = {
  "Cache-Control": "private, no-store",
  "X-Robots-Tag": "noindex",
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
};

/** Returns the error response of a short address: a page, or JSON if the `Accept` header prefers it. */
export function respondWithErrorPage(
  status: ErrorPageStatus,
  request: Request,
  extra: Record<string, string> = {},
): Response {
  const asJson = prefersJson(request.headers.get("Accept")?.toLowerCase() ?? "");
  const { title, text } = PAGES[status];
  const requestId = generateUuidv7(Date.now());
  const body = asJson
    ? JSON.stringify({
        error: { code: CODES[status], message: text, status },
        meta: { request_id: requestId },
      })
    : renderPage(title, text);
  const type = asJson ? "application/json" : "text/html; charset=utf-8";
  return new Response(request.method === "HEAD" ? null : body, {
    status,
    headers: { ...HEADERS, "Content-Type": type, "X-Request-Id": requestId, ...extra },
  });
}

function prefersJson(accept: string): boolean {
  return accept.includes("application/json") && !accept.includes("text/html");
}

function renderPage(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif }
body { display: grid; min-height: 100vh; margin: 0; place-content: center; padding: 2rem; box-sizing: border-box;
  background: light-dark(#faf9f7, #16181d); color: light-dark(#1d2129, #eceae6) }
main { max-width: 26rem; border-left: .25rem solid light-dark(#c2410c, #fb923c); padding-left: 1.5rem }
h1 { margin: 0 0 .25rem; font-size: 1.5rem; line-height: 1.25 }
p { margin: 0 }
</style>
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
</html>
`;
}
