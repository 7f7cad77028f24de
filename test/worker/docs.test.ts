import { type Schema, Validator } from "@cfworker/json-schema";
import { expect, test } from "vitest";
import { routes } from "../../src/api.ts";
import { renderReference } from "../../src/docs/render-reference.tsx";
import { writeOpenApiDocument } from "../../src/openapi/document.ts";
import { call } from "../support/harness.ts";

async function fetchPage() {
  const response = await call(null, "GET", "/docs");
  return { response, html: await response.text() };
}

test("GET /docs lists every operation and guide, with an example for this deployment", async () => {
  const { html } = await fetchPage();
  for (const { operation } of routes) expect(html).toContain(`id="${operation.id}"`);
  for (const guide of [
    ...["first-link", "routing-rules", "qr-design", "webhook-verification", "uploads", "menu-code"],
    ...["bio-pages", "analytics", "idempotency", "rate-limits", "errors", "typed-client", "links-as-code"],
  ]) {
    expect(html).toContain(`id="${guide}"`);
  }
  expect(html).toContain("curl -X POST http://localhost:8787/v1/links");
});

test("GET /docs has curl, JavaScript and Python examples of each operation, and selects curl", async () => {
  const { html } = await fetchPage();
  for (const { operation } of routes) {
    const section =
      html.split(`<section class="operation" id="${operation.id}">`)[1]?.split("</section>")[0] ?? "";
    const examples = [...section.matchAll(/data-language="(\w+)"><code>(.*?)<\/code>/gs)];
    expect(examples.map(([, language]) => language)).toEqual(["curl", "javascript", "python"]);
    for (const [, , code = ""] of examples) {
      expect(code, operation.id).toContain("http://localhost:8787/v1/");
      expect(code, operation.id).not.toMatch(/undefined|\{\w+_id\}/);
    }
    expect(section.match(/value="(\w+)" checked/)?.[1]).toBe("curl");
    // HTML allows no autocomplete for buttons.
    expect(section).not.toMatch(/<input(?=[^>]*type="radio")[^>]*autocomplete/);
  }
});

test("GET /docs has metadata for search engines", async () => {
  const { html } = await fetchPage();
  expect(html).toMatch(/<meta name="description" content="[^"]{50,250}"/);
});

test("GET /docs only explains names below localhost in local development", async () => {
  const { html } = await fetchPage();
  expect(html).toContain("127.0.0.1 bio.localhost cdn.localhost");
  const operations = routes.map(({ operation }) => operation);
  const url = "https://signpost.example";
  const deployed = await renderReference({
    document: writeOpenApiDocument({ apiUrl: url, appUrl: url, operations }),
    operations,
    script: "",
    addresses: { apiUrl: url, bioUrl: url, cdnUrl: url, appUrl: url },
  });
  expect(deployed.html).not.toContain("localhost-names");
});

test("GET /docs loads no other files, and its policy only allows its own style and script", async () => {
  const { response, html } = await fetchPage();
  expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(html).not.toMatch(/<(?:link|img|iframe)|(?:src|action|style|onclick)=|@import|url\(/);

  const policy = response.headers.get("Content-Security-Policy") ?? "";
  expect(policy).toMatch(/^default-src 'none'; /);
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  for (const name of ["style", "script"]) {
    const [, text = ""] = new RegExp(`<${name}>(.*?)</${name}>`, "s").exec(html) ?? [];
    expect(text.length).toBeGreaterThan(100);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    const hash = btoa(String.fromCharCode(...new Uint8Array(digest)));
    expect(policy).toContain(`${name}-src 'sha256-${hash}'`);
  }
});

test("GET /docs/links.schema.json is the schema by which editors check link files", async () => {
  const response = await call(null, "GET", "/docs/links.schema.json");
  expect(response.headers.get("Content-Type")).toBe("application/schema+json");
  const schema = (await response.json()) as Schema;
  expect(schema).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "http://localhost:8787/docs/links.schema.json",
  });
  const validator = new Validator(schema, "2020-12");
  const link = { code: "menu", url: "https://example.com/" };
  const isValid = (more: object) => validator.validate({ version: 1, links: [{ ...link, ...more }] }).valid;
  expect(isValid({})).toBe(true);
  expect(
    isValid({
      title: null,
      labels: ["print"],
      password: { environment: "MENU_PASSWORD" },
      routing_rules: [{ when: { country: ["CA"] }, destination: "https://example.ca/" }],
      created_at: "2024-05-01T12:00:00Z",
    }),
  ).toBe(true);
  for (const wrong of [{ titel: "a" }, { url: 7 }, { code: "a b" }, { password: "open sesame" }, { id: "x" }])
    expect(isValid(wrong), JSON.stringify(wrong)).toBe(false);
  expect(validator.validate({ version: 2, links: [] }).valid).toBe(false);
});
