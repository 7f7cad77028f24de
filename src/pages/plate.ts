// Pure: no I/O, clock or randomness.
import { isRightToLeft } from "./page-language.ts";
import { SIGNPOST_SCENE } from "./signpost-art.ts";
import { english } from "./texts/english.ts";
import type { VisitorTexts } from "./texts/visitor-texts.ts";

/**
 * Renders pages in Signpost's design: an illustration above a few lines of text. Used for error pages and
 * password forms.
 */

/** HTML document and its inline style sheet. The Content-Security-Policy contains the style sheet's hash. */
export interface HtmlDocument {
  html: string;
  css: string;
  /** True if the page loads a script of its own host. */
  hasScript?: boolean;
  /** BCP 47 tag of the document's language. */
  language: string;
}

/** Colours of pages in Signpost's design, the same as in the "auto" theme of bio pages. Pages print in light colours. */
export const COLOURS_CSS = `
:root {
  color-scheme: light dark;
  --ground: #f6f6f3;
  --halo: #d7daee;
  --text: #1a1c21;
  --muted: #5b5f68;
  --surface: #fff;
  --line: #e1e1da;
  --accent: #3346d3;
  --on-accent: #f6f6f3;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #0f1115;
    --halo: #272b3a;
    --text: #eef0f4;
    --muted: #a3a9b5;
    --surface: #1a1d24;
    --line: #2b303a;
    --accent: #a8b6ff;
    --on-accent: #0f1115;
  }
}
`.replace(/\n\s*/g, "");

const CSS =
  COLOURS_CSS +
  `
*, ::before { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body {
  display: grid;
  min-height: 100vh;
  min-height: 100svh;
  margin: 0;
  background: radial-gradient(60rem 24rem at 50% 0, var(--halo), transparent 75%) no-repeat var(--ground);
  color: var(--text);
  font: 1.0625rem/1.5 Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  overflow-wrap: anywhere;
}
main {
  display: flex;
  flex-direction: column;
  align-items: center;
  justify-content: center;
  width: 100%;
  max-width: 38rem;
  margin: 0 auto;
  padding: 3rem 1.25rem;
  text-align: center;
}
svg { width: min(100%, 20rem); margin-bottom: 1.5rem }
h1, p { margin: 0; text-wrap: balance }
h1 { font-size: clamp(1.75rem, 1.4rem + 2vw, 2.375rem); font-weight: 700; letter-spacing: -.03em; line-height: 1.15 }
:is(:lang(ar), :lang(hi)) h1 { letter-spacing: normal; line-height: 1.4 }
p { max-width: 26rem; margin-top: .625rem; color: var(--muted) }
.report { font-size: .875rem; margin-top: 2rem }
.report a { color: inherit }
.ground { fill: none; stroke: var(--line); stroke-width: 3; stroke-linecap: round }
.post { fill: var(--muted) }
.board { fill: var(--accent) }
.blank { fill: var(--surface); stroke: var(--muted); stroke-width: 3; stroke-linejoin: round }
.mark { fill: none; stroke: var(--on-accent); stroke-width: 5; stroke-linecap: round }
`.replace(/\n\s*/g, "");

const SCENE = SIGNPOST_SCENE.map(({ path, part }) => `<path class="${part}" d="${path}"/>`).join("");

/** Parts of a page, as HTML. */
interface Plate {
  title: string;
  body: string;
  /** Texts of the page's language. Without them, the page is in English. */
  texts?: VisitorTexts;
  /** URI for reporting abuse of the link that the page belongs to. Null if there is no contact. */
  report?: string | null;
  /** Additional rules for the style sheet. */
  css?: string;
}

export function renderPlate({
  title,
  body,
  texts = english,
  report = null,
  css: extraCss = "",
}: Plate): HtmlDocument {
  const css = CSS + extraCss;
  const foot =
    report === null
      ? ""
      : `\n<p class="report"><a href="${escapeHtml(report)}" rel="nofollow">${escapeHtml(texts.report)}</a></p>`;
  const html = `<!doctype html>
<html lang="${texts.tag}"${isRightToLeft(texts.tag) ? ' dir="rtl"' : ""}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${css}</style>
</head>
<body>
<main>
<svg viewBox="0 0 240 190" aria-hidden="true">${SCENE}</svg>
${body}${foot}
</main>
</body>
</html>
`;
  return { html, css, language: texts.tag };
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for use in element content and attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

/**
 * Returns the Content-Security-Policy directive that allows only this inline style sheet, by its hash
 * (https://www.w3.org/TR/CSP3/#grammardef-hash-source).
 */
export async function buildStyleDirective(css: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(css)));
  return `style-src 'sha256-${btoa(String.fromCharCode(...hash))}'`;
}
