import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { routes } from "../../src/api.ts";
import { type RenderedPage, renderReference } from "../../src/docs/render-reference.tsx";
import { writeOpenApiDocument } from "../../src/openapi/document.ts";

const ADDRESSES = {
  apiUrl: "http://localhost:8787",
  bioUrl: "http://bio.localhost",
  cdnUrl: "http://cdn.localhost",
  appUrl: "http://app.localhost",
};

/** Returns the script of the page. */
function readScript(): string {
  return ["contents", "requests"]
    .map((name) => readFileSync(`src/docs/${name}.client.js`, "utf8"))
    .join("\n");
}

/**
 * Removes all operations, guides and events but these from the reference page, because a browser takes many times as long to
 * lay out the whole page.
 */
export function shortenReference(html: string, ids: readonly string[]): string {
  const keep = (text: string, id: string) => (ids.includes(id) ? text : "");
  return html
    .replace(/<section class="(?:guide|operation)" id="([^"]+)">.*?<\/section>/gs, keep)
    .replace(/<li><a href="#([^"]+)">.*?<\/li>/gs, keep);
}

/** Renders the reference page with only these operations, guides and events. */
export async function renderShortReference(ids: readonly string[]): Promise<RenderedPage> {
  const operations = routes.map(({ operation }) => operation).filter(({ id }) => ids.includes(id));
  const document = writeOpenApiDocument({ apiUrl: ADDRESSES.apiUrl, appUrl: ADDRESSES.appUrl, operations });
  const sources = { document, operations, script: readScript(), addresses: ADDRESSES };
  const { html, policy } = await renderReference(sources);
  const short = shortenReference(html, ids);
  for (const id of ids) expect(short).toContain(` id="${id}">`);
  return { html: short, policy };
}
