// Pure: no I/O, clock or randomness.
import type { Theme } from "../theme-types.ts";

/** Theme that looks like a printed page, light or dark: serif text, and links like a table of contents. */
export const paper: Theme = {
  schemes: [
    {
      isDark: false,
      grounds: ["#f5efe2"],
      text: "#2b221a",
      accent: "#8f2d1c",
      surface: "#fbf7ee",
      line: "#d3c6ae",
      muted: "#69594a",
      extra: { "--grain": "#7a5c2e0b" },
    },
    {
      isDark: true,
      grounds: ["#1d1814"],
      text: "#efe5d4",
      accent: "#e8977f",
      surface: "#272019",
      line: "#4a3f33",
      muted: "#b9aa96",
      extra: { "--grain": "#ffe6c006" },
    },
  ],
  font: '"Iowan Old Style", "Palatino Linotype", Palatino, "URW Palladio L", "Book Antiqua", Georgia, serif',
  radius: "0",
  css: `
body { background-image: repeating-linear-gradient(var(--grain, transparent) 0 1px, transparent 1px 4px) }
header { padding-bottom: 1.75rem; border-bottom: 4px double var(--text); text-align: center }
.avatar { border-radius: 0 }
.initial {
  padding: .3rem;
  border: 1px solid var(--text);
  background: none;
  color: var(--text);
  font-size: 3.25rem;
  font-weight: 400;
}
h1 { --size: clamp(2.25rem, 1.5rem + 4vw, 3.5rem); --letter: .56; font-weight: 400; letter-spacing: -.015em; line-height: 1.05 }
.about { font-size: 1.1875rem; font-style: italic }
h2 {
  display: flex;
  align-items: center;
  gap: 1rem;
  font-size: 1.1875rem;
  font-weight: 400;
  text-align: center;
  font-variant-caps: all-small-caps;
  letter-spacing: .14em;
  color: var(--accent-text);
}
h2:lang(ja), h2:lang(ko), h2:lang(zh) { font-variant-caps: normal }
h2::before, h2::after { content: ""; flex: 1; min-width: 1rem; border-top: 1px solid var(--line) }
@media (min-width: 62rem) {
  main:not(.many) { max-width: 66rem; display: grid; grid-template-columns: 2fr 3fr; column-gap: 5rem; align-items: start }
  main:not(.many) header { position: sticky; top: 5rem; border-top: 4px double var(--text); padding-block: 1.75rem }
  main:not(.many) .links { margin-top: 0 }
}
`,
  links: `
.links { counter-reset: entry }
.link {
  counter-increment: entry;
  --link: none;
  --link-text: var(--text);
  --link-line: transparent;
  align-items: baseline;
  justify-content: flex-start;
  gap: .625rem;
  padding: .9rem .25rem;
  font-size: 1.25rem;
  font-weight: 400;
  text-align: start;
}
.links ul { gap: 0 3rem }
.links li { align-items: center; border-bottom: 1px solid var(--line) }
.links li:has(.strong) { border: 0 }
.link::before {
  content: counter(entry);
  content: counter(entry) / "";
  min-width: 1.75rem;
  font-style: italic;
  font-variant-numeric: oldstyle-nums;
  color: var(--accent-text);
}
.link::after {
  content: "";
  flex: 1;
  border-bottom: 2px dotted var(--line);
}
.link:hover { --link-text: var(--accent-text) }
.link:hover::after { border-color: var(--accent-text) }
.strong {
  --link: var(--accent);
  --link-text: var(--on-accent);
  margin: .75rem 0;
  padding-inline: 1.25rem;
  outline: 1px solid var(--on-accent);
  outline-offset: -.375rem;
}
.strong:hover { --link-text: var(--on-accent); text-decoration: underline }
.strong::before { color: inherit }
.strong::after { border: 0 }
@media (min-width: 62rem) { main:not(.many) .links { margin-top: -.75rem } }
`,
};
