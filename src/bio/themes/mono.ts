// Pure: no I/O, clock or randomness.
import type { Theme } from "../theme-types.ts";

/** Monospaced theme, light or dark: borders of equal width and shadows without blur. */
export const mono: Theme = {
  schemes: [
    {
      isDark: false,
      grounds: ["#f7f7f4"],
      text: "#0c0c0c",
      accent: "#0c0c0c",
      surface: "#ffffff",
      muted: "#4b4b4b",
    },
    {
      isDark: true,
      grounds: ["#0d0d0d"],
      text: "#f1f1ee",
      accent: "#f1f1ee",
      surface: "#000000",
      muted: "#b4b4b0",
    },
  ],
  font: 'ui-monospace, "Cascadia Code", "JetBrains Mono", "Source Code Pro", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  radius: "0",
  css: `
:root { --offset: calc(4px*var(--mirror)) }
.avatar { border-radius: 0; filter: drop-shadow(var(--offset) 4px 0 var(--edge)) }
.initial { border: 2px solid var(--text); background: var(--surface); color: var(--text); font-weight: 400 }
h1 { --size: clamp(1.5rem, 1.1rem + 2vw, 2.25rem); --letter: .57; font-weight: 700; letter-spacing: -.04em }
h1::after {
  content: "\\a0";
  content: "\\a0" / "";
  margin-inline-start: .15em;
  background: var(--edge);
}
.about { font-size: .9375rem }
.socials { justify-content: start; margin-inline-start: -.6875rem }
.links ul { gap: 1.125rem }
h2 { display: flex; align-items: center; gap: 1ch; font-size: 1rem; font-weight: 700 }
h2::before { content: "##"; content: "##" / ""; color: var(--muted); font-weight: 400 }
h2::after { content: ""; flex: 1; min-width: 2ch; border-top: 2px dashed var(--text) }
`,
  links: `
.link {
  --link: var(--surface);
  --link-text: var(--text);
  --link-line: var(--text);
  border-width: 2px;
  justify-content: space-between;
  gap: 2ch;
  text-align: start;
  font-size: .9375rem;
  font-weight: 600;
  box-shadow: var(--offset) 4px 0 var(--edge);
}
.link::after { content: "->"; content: "->" / ""; font-weight: 400; white-space: nowrap }
.link:hover { transform: translate(var(--offset), 4px); box-shadow: 0 0 0 var(--edge) }
.strong { --link: var(--accent); --link-text: var(--on-accent); --link-line: var(--accent) }
.strong { box-shadow: var(--offset) 4px 0 var(--ground), var(--offset) 4px 0 2px var(--text) }
`,
};
