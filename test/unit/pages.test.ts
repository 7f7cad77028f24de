import { expect, test } from "vitest";
import { renderErrorDocument } from "../../src/pages/error-document.ts";
import { renderPasswordDocument } from "../../src/pages/password-document.ts";
import { buildStyleDirective, escapeHtml, renderPlate } from "../../src/pages/plate.ts";
import { renderPreviewDocument } from "../../src/pages/preview-document.ts";
import { buildReportUri } from "../../src/pages/report-uri.ts";
import { english } from "../../src/pages/texts/english.ts";

/** Pages of short hosts, as HTML. */

test("escapeHtml escapes every character with a meaning in HTML, at each occurrence", () => {
  expect(escapeHtml(`<a href="x">'&amp;'</a>`)).toBe(
    "&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;&#39;&lt;/a&gt;",
  );
});

test("an error page escapes texts and name; the name is isolated in the page and plain in the title", () => {
  const texts = { title: "{name} <moved>", text: "{name} & {name}" };
  const { html } = renderErrorDocument(texts, { name: "$& <b>" });
  expect(html).toContain("<title>$&amp; &lt;b&gt; &lt;moved&gt;</title>");
  expect(html).toContain("<h1><bdi>$&amp; &lt;b&gt;</bdi> &lt;moved&gt;</h1>");
  expect(html).toContain("<p><bdi>$&amp; &lt;b&gt;</bdi> &amp; <bdi>$&amp; &lt;b&gt;</bdi></p>");
});

test("the style sheet of a page is allowed by its policy", async () => {
  const { html, css } = renderPlate({ title: "T", body: "<p>B</p>", css: "a{b:c}" });
  expect(css.endsWith("a{b:c}")).toBe(true);
  expect(html).toContain(`<style>${css}</style>`);
  expect(html).toContain('<meta name="robots" content="noindex">');
  // Hash of an empty text, from FIPS 180-4.
  expect(await buildStyleDirective("")).toBe(
    "style-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  );
});

test("the password form only shows an error after a wrong try", () => {
  const [asked, wrong] = [false, true].map(
    (isWrong) => renderPasswordDocument(isWrong, english, null).html,
  ) as [string, string];
  expect(asked).toContain("<title>This link is password protected</title>");
  expect(asked).not.toMatch(/role="alert"|aria-invalid|autofocus/);
  expect(wrong).toContain("<title>Incorrect password: This link is password protected</title>");
  expect(wrong).toContain('required aria-invalid="true" aria-describedby="wrong" autofocus>');
  expect(wrong).toContain('id="wrong" role="alert"');
  expect(asked).toContain('name="password" type="password"');
});

test("a preview has a tag for each of its values", () => {
  const address = "https://go.example/a";
  const readTags = (preview: Parameters<typeof renderPreviewDocument>[0]) =>
    [...renderPreviewDocument(preview, address).matchAll(/<meta (\w+)="([\w:]+)" content="([^"]*)">/g)].map(
      ([, attribute, name, content]) => `${attribute} ${name} ${content}`,
    );
  expect(readTags({ title: "A & B", description: "C", image_url: "https://example.com/x.png" })).toEqual([
    "name robots noindex",
    "property og:type website",
    `property og:url ${address}`,
    "property og:title A &amp; B",
    "property og:description C",
    "name description C",
    "property og:image https://example.com/x.png",
    "name twitter:card summary_large_image",
  ]);
  expect(readTags({ title: null, description: null, image_url: null })).toEqual([
    "name robots noindex",
    "property og:type website",
    `property og:url ${address}`,
    "name twitter:card summary",
  ]);
  const html = renderPreviewDocument({ title: null, description: null, image_url: null }, address);
  expect(html).toContain(`<title>${address}</title>`);
  expect(html).toContain('<html lang="en">');
  const arabic = renderPreviewDocument({ title: "قائمة", description: null, image_url: null }, address);
  expect(arabic).toContain('<html lang="ar" dir="rtl">');
  expect(html).not.toContain("<p>");
  const full = renderPreviewDocument({ title: "<T>", description: "<D>", image_url: null }, address);
  expect(full).toContain("<h1>&lt;T&gt;</h1>\n<p>&lt;D&gt;</p>");
});

test("a page with a contact has a link for reporting the URL, without its query", () => {
  const url = new URL("https://go.example/a&b?token=1");
  const email = buildReportUri("mailto:a@b.example", url);
  expect(email).toBe("mailto:a@b.example?subject=Report%3A%20go.example%2Fa%26b");
  expect(buildReportUri("mailto:a@b.example?subject=x", url)).toBe("mailto:a@b.example?subject=x");
  expect(buildReportUri("https://b.example/report", url)).toBe("https://b.example/report");
  expect(buildReportUri(null, url)).toBeNull();
  const texts = { title: "T", text: "T" };
  expect(renderErrorDocument(texts, { report: `https://b.example/"x` }).html).toContain(
    'href="https://b.example/&quot;x"',
  );
  expect(renderErrorDocument(texts).html).not.toContain('class="report"');
});
