// Pure: no I/O, clock or randomness.
import type { Theme } from "../theme-types.ts";

/** High-contrast theme, light or dark: large bold text and thick borders in black, white and yellow. */
export const contrast: Theme = {
  schemes: [
    {
      isDark: false,
      grounds: ["#ffffff"],
      text: "#000000",
      accent: "#ffd400",
      surface: "#ffffff",
      line: "#000000",
      muted: "#000000",
    },
    {
      isDark: true,
      grounds: ["#000000"],
      text: "#ffffff",
      accent: "#ffd400",
      surface: "#000000",
      line: "#ffffff",
      muted: "#ffffff",
    },
  ],
  font: '"Atkinson Hyperlegible", Verdana, "DejaVu Sans", "Segoe UI", system-ui, sans-serif',
  radius: "0",
  css: `
body { font-size: 1.1875rem }
main { padding-top: 0 }
header {
  padding: clamp(2rem, 7vw, 4rem) 0 2.5rem;
  border-image: linear-gradient(var(--accent) calc(100% - .5rem), var(--text) 0) 0 fill/0/0 100vmax;
  color: var(--on-accent);
}
header .about, header .socials a { color: inherit }
header .socials a:hover { color: inherit; outline: 3px solid }
.avatar { width: 8rem; height: 8rem; border-radius: 0 }
.initial { background: var(--on-accent); color: var(--accent) }
h1 { --size: clamp(2rem, 1.4rem + 4vw, 3.5rem); --letter: .7; font-weight: 900; letter-spacing: -.02em; line-height: 1.05 }
.about { font-size: 1.25rem; font-weight: 500; text-wrap: pretty }
.socials { justify-content: start; margin-inline-start: -.6875rem }
h2 { font-size: 1.5rem; font-weight: 900 }
:focus-visible { outline-width: 5px }
header :focus-visible { outline-color: var(--on-accent) }
`,
  links: `
.link {
  --link: var(--text);
  --link-text: var(--ground);
  --link-line: var(--text);
  border-width: 4px;
  justify-content: flex-start;
  min-height: 4rem;
  font-size: 1.25rem;
  font-weight: 700;
  text-align: start;
}
.link:hover { --link: var(--ground); --link-text: var(--text); text-decoration: underline; text-decoration-thickness: 3px }
.strong, .strong:hover { --link: var(--accent); --link-text: var(--on-accent) }
`,
};
