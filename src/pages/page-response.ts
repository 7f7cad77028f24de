import { buildStyleDirective, type HtmlDocument } from "./plate.ts";

/** Builds HTML responses of short hosts, and JSON responses for clients that prefer JSON. */

/**
 * Headers of pages and errors on short hosts. These responses must not be cached, because the content depends
 * on the time and the visitor.
 */
export const COMMON_HEADERS = {
  "Cache-Control": "private, no-store",
  Vary: "Accept, Accept-Language",
  "X-Robots-Tag": "noindex",
  "X-Content-Type-Options": "nosniff",
};

/** Error in a JSON response. */
export interface JsonError {
  code: string;
  message: string;
}

/** Body of a response with the headers that describe it. */
export interface Content {
  body: string;
  headers: Record<string, string>;
}

/** Returns true if a request's `Accept` header prefers JSON to HTML. */
export function prefersJson({ headers }: Request): boolean {
  const accept = headers.get("Accept")?.toLowerCase() ?? "";
  return accept.includes("application/json") && !accept.includes("text/html");
}

export function buildJson(error: JsonError, status: number, requestId: string): Content {
  return {
    body: JSON.stringify({ error: { ...error, status }, meta: { request_id: requestId } }),
    headers: { "Content-Type": "application/json", "Content-Security-Policy": "default-src 'none'" },
  };
}

/**
 * Builds an HTML page. Its content security policy only allows its own style sheet, its script if
 * it has one, and forms sent to `formAction`.
 */
export async function buildPage(
  { html, css, language, hasScript = false }: HtmlDocument,
  formAction = "'none'",
): Promise<Content> {
  const policy = [
    "default-src 'none'",
    await buildStyleDirective(css),
    ...(hasScript ? ["script-src 'self'", "connect-src 'self'"] : []),
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ];
  return {
    body: html,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Language": language,
      "Content-Security-Policy": policy.join("; "),
    },
  };
}
