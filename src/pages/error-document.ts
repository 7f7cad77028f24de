import { SIGNPOST_SCENE } from "./signpost-art.ts";

/** HTML document with its inline style sheet, whose hash is needed for the Content-Security-Policy. */
export interface HtmlDocument {
  html: string;
  css: string;
}

/** Plain texts of an error page. `{name}` stands for the name that {@link renderErrorDocument} is given. */
export interface ErrorTexts {
  title: string;
  text: string;
}

// The colours are those of the theme "auto" of bio pages.
const CSS = `
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
@media (prefers-color-scheme: dark) {
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
p { max-width: 26rem; margin-top: .625rem; color: var(--muted) }
.ground { fill: none; stroke: var(--line); stroke-width: 3; stroke-linecap: round }
.post { fill: var(--muted) }
.board { fill: var(--accent) }
.blank { fill: var(--surface); stroke: var(--muted); stroke-width: 3; stroke-linejoin: round }
.mark { fill: none; stroke: var(--on-accent); stroke-width: 5; stroke-linecap: round }
`.replace(/\n\s*/g, "");

const SCENE = SIGNPOST_SCENE.map(({ path, part }) => `<path class="${part}" d="${path}"/>`).join("");

/** Renders an error page in the look of Signpost. Texts and name are escaped. */
export function renderErrorDocument({ title, text }: ErrorTexts, name = ""): HtmlDocument {
  // The document title is plain text; in the page, the name may be written in another direction than the sentence.
  const plainName = escapeHtml(name);
  const fill = (template: string, filling: string) =>
    escapeHtml(template).replaceAll("{name}", () => filling);
  const isolatedName = `<bdi>${plainName}</bdi>`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${fill(title, plainName)}</title>
<style>${CSS}</style>
</head>
<body>
<main>
<svg viewBox="0 0 240 190" aria-hidden="true">${SCENE}</svg>
<h1>${fill(title, isolatedName)}</h1>
<p>${fill(text, isolatedName)}</p>
</main>
</body>
</html>
`;
  return { html, css: CSS };
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

/**
 * Returns the directive of a Content-Security-Policy that allows an inline style sheet, and no other, by its hash
 * (https://www.w3.org/TR/CSP3/#grammardef-hash-source).
 */
export async function buildStyleDirective(css: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(css)));
  return `style-src 'sha256-${btoa(String.fromCharCode(...hash))}'`;
}
