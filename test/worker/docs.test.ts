import { expect, test } from "vitest";
import { routes } from "../../src/api.ts";
import { call } from "../support/harness.ts";

async function fetchPage() {
  const response = await call(null, "GET", "/docs");
  return { response, html: await response.text() };
}

test("GET /docs has every operation and guide, with an example for this deployment", async () => {
  const { html } = await fetchPage();
  for (const { operation } of routes) expect(html).toContain(`id="${operation.id}"`);
  for (const guide of [
    ...["first-link", "routing-rules", "qr-design", "webhook-verification", "uploads"],
    ...["bio-pages", "analytics", "idempotency", "rate-limits", "errors", "typed-client"],
  ]) {
    expect(html).toContain(`id="${guide}"`);
  }
  expect(html).toContain("curl -X POST http://localhost:8787/v1/links");
});

test("GET /docs loads nothing else, and its policy allows only its own style and script", async () => {
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
