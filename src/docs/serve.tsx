import type { ApiContext } from "../http/context.ts";
import type { Operation } from "../http/operation.ts";
import { writeOpenApiDocument } from "../openapi/document.ts";
import script from "./docs.client.js";
import { STYLE } from "./docs-style.ts";
import { Page } from "./reference.tsx";

/** Reference page with its Content-Security-Policy. */
interface RenderedPage {
  html: string;
  policy: string;
}

/** Rendered pages by API URL. A deployment has one. */
const pages = new Map<string, Promise<RenderedPage>>();

/** Serves `GET /docs`. The page loads nothing else. */
export async function serveDocs(c: ApiContext, operations: readonly Operation[]): Promise<Response> {
  const { apiUrl } = c.var.settings;
  let page = pages.get(apiUrl);
  if (page === undefined) {
    page = renderPage(apiUrl, operations);
    pages.set(apiUrl, page);
  }
  const { html, policy } = await page;
  return c.body(html, 200, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "public, max-age=60",
  });
}

async function renderPage(apiUrl: string, operations: readonly Operation[]): Promise<RenderedPage> {
  const document = writeOpenApiDocument({ apiUrl, operations });
  const page = (<Page document={document} style={STYLE} script={script} />).toString();
  const policy = [
    "default-src 'none'",
    `style-src ${await hashSource(STYLE)}`,
    `script-src ${await hashSource(script)}`,
    "connect-src 'self'",
    "img-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return { html: `<!doctype html>${await page}`, policy };
}

/** Returns the source expression that allows only this inline text (CSP Level 3, section 2.3.1). */
async function hashSource(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}
