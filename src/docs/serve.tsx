import type { ApiContext } from "../http/context.ts";
import type { Operation } from "../http/operation.ts";
import { writeOpenApiDocument } from "../openapi/document.ts";
import script from "./docs.client.js";
import { STYLE } from "./docs-style.ts";
import { Page } from "./reference.tsx";

/** The page and its policy, by the address of the API it is about, of which a deployment has one. */
const pages = new Map<string, Promise<{ html: string; policy: string }>>();

/** `GET /docs`: the reference, whole in one file. */
export async function serveDocs(c: ApiContext, operations: readonly Operation[]): Promise<Response> {
  const { apiUrl } = c.var.settings;
  let page = pages.get(apiUrl);
  if (page === undefined) {
    page = write(apiUrl, operations);
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

async function write(apiUrl: string, operations: readonly Operation[]) {
  const document = writeOpenApiDocument({ apiUrl, operations });
  const page = (<Page document={document} style={STYLE} script={script} />).toString();
  const policy = [
    "default-src 'none'",
    `style-src ${await sourceHash(STYLE)}`,
    `script-src ${await sourceHash(script)}`,
    "connect-src 'self'",
    "img-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return { html: `<!doctype html>${await page}`, policy };
}

/** Permits just this text, inline (CSP level 3 section 2.3.1). */
async function sourceHash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}
