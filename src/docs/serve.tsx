import type { ApiContext } from "../http/context.ts";
import type { Operation } from "../http/operation.ts";
import { writeOpenApiDocument } from "../openapi/document.ts";
import contents from "./contents.client.js";
import { type RenderedPage, renderReference } from "./render-reference.tsx";
import requests from "./requests.client.js";

/** Rendered pages by API URL. A deployment has only one API URL. */
const pages = new Map<string, Promise<RenderedPage>>();

/** Serves `GET /docs`. The page needs no other files. */
export async function serveDocs(c: ApiContext, operations: readonly Operation[]): Promise<Response> {
  const { settings } = c.var;
  let page = pages.get(settings.apiUrl);
  if (page === undefined) {
    page = renderReference({
      document: writeOpenApiDocument({ apiUrl: settings.apiUrl, appUrl: settings.appUrl, operations }),
      operations,
      script: `${contents}\n${requests}`,
      addresses: {
        apiUrl: settings.apiUrl,
        bioUrl: settings.bioUrl,
        cdnUrl: settings.cdnUrl,
        appUrl: settings.appUrl,
      },
    });
    pages.set(settings.apiUrl, page);
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
