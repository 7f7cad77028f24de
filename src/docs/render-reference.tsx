import type { Operation } from "../http/operation.ts";
import type { OpenApiDocument } from "../openapi/objects.ts";
import { STYLE } from "./docs-style.ts";
import type { Addresses } from "./guides/guide.ts";
import { Page } from "./reference.tsx";

/** Reference page with its Content-Security-Policy. */
export interface RenderedPage {
  html: string;
  policy: string;
}

export interface ReferenceSources {
  document: OpenApiDocument;
  operations: readonly Operation[];
  /** JavaScript of the page. */
  script: string;
  /** URLs of the deployment, for the guides. */
  addresses: Addresses;
}

/** Renders the reference page. Its Content-Security-Policy allows only the page's own style and script. */
export async function renderReference(sources: ReferenceSources): Promise<RenderedPage> {
  const { script } = sources;
  const page = (<Page {...sources} style={STYLE} />).toString();
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

/** Returns the CSP source expression that allows only this inline text (CSP Level 3, section 2.3.1). */
async function hashSource(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}
