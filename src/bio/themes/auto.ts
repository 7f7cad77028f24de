// Pure: no I/O, clock or randomness.
import type { Theme } from "../theme-types.ts";

/** Default theme, light or dark as the visitor prefers: cards, and a faint accent gradient at the top. */
export const auto: Theme = {
  schemes: [
    {
      isDark: false,
      grounds: ["#f6f6f3"],
      text: "#1a1c21",
      accent: "#3346d3",
      surface: "#ffffff",
      line: "#e1e1da",
      muted: "#5b5f68",
    },
    {
      isDark: true,
      grounds: ["#0f1115"],
      text: "#eef0f4",
      accent: "#a8b6ff",
      surface: "#1a1d24",
      line: "#2b303a",
      muted: "#a3a9b5",
    },
  ],
  font: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  radius: "1rem",
  css: `
body::before {
  content: "";
  position: absolute;
  inset: 0 0 auto;
  height: 24rem;
  background: radial-gradient(60rem 100% at 50% 0, var(--halo), transparent 75%);
}
main { position: relative; text-align: center }
.avatar { filter: drop-shadow(0 .5rem 1rem rgb(0 0 0/.16)) }
.initial { box-shadow: 0 0 0 .3rem var(--surface) }
h1 { font-weight: 700; letter-spacing: -.03em }
h2 { font-weight: 600; color: var(--muted) }
`,
  links: `
.link {
  --link: var(--surface);
  --link-text: var(--text);
  --link-line: var(--line);
  box-shadow: 0 1px 2px rgb(0 0 0/.05), 0 .5rem 1.25rem -.75rem rgb(0 0 0/.12);
}
.link:hover { --link-line: var(--edge) }
.strong { --link: var(--accent); --link-text: var(--on-accent); --link-line: var(--accent) }
.strong:hover { --link-line: var(--text) }
`,
};
