import { buildStyleDirective, type HtmlDocument } from "../pages/plate.ts";

/** Responses of short addresses that are pages, or JSON for programs that prefer it. */

/** Headers of pages and errors of short addresses: what they say depends on the time and on the visitor. */
export const COMMON_HEADERS = {
  "Cache-Control": "private, no-store",
  "X-Robots-Tag": "noindex",
  "X-Content-Type-Options": "nosniff",
};

/** Error in a JSON response. */
export interface JsonError {
  code: string;
  message: string;
}

/** Body of a response, and the headers that depend on it. */
export interface Content {
  body: string;
  headers: Record<string, string>;
}

/** Returns true if the `Accept` header of a request prefers JSON. */
export function prefersJson({ headers }: Request): boolean {
  const accept = headers.get("Accept")?.toLowerCase() ?? "";
  return accept.includes("application/json") && !accept.includes("text/html");
}

/** Builds an error as JSON. */
export function buildJson(error: JsonError, status: number, requestId: string): Content {
  return {
    body: JSON.stringify({ error: { ...error, status }, meta: { request_id: requestId } }),
    headers: { "Content-Type": "application/json", "Content-Security-Policy": "default-src 'none'" },
  };
}

/** Builds a page. Its policy allows its style sheet, forms to `formAction`, and nothing else. */
export async function buildPage({ html, css }: HtmlDocument, formAction = "'none'"): Promise<Content> {
  const policy = [
    "default-src 'none'",
    await buildStyleDirective(css),
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ];
  return {
    body: html,
    headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy.join("; ") },
  };
}
