// Pure: no I/O, clock or randomness.
import type { Palette } from "./palette.ts";
import type { BUTTONS, PageStyle, RADII, Theme } from "./theme-types.ts";

/** CSS rules for every theme: one column, touch targets of at least 44 px (WCAG 2.5.5), visible focus. */
const BASE = `
*, ::before, ::after { box-sizing: border-box }
html { --mirror: 1; -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
[dir=rtl] { --mirror: -1 }
body {
  display: flex;
  flex-direction: column;
  min-height: 100vh;
  min-height: 100svh;
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font: 1.0625rem/1.5 var(--font);
  overflow-wrap: anywhere;
  font-synthesis-style: none;
}
:lang(ja) { word-break: auto-phrase }
:lang(ko) { word-break: keep-all }
header { container-type: inline-size }
main { flex: 1; width: 100%; max-width: 38rem; margin: 0 auto; padding: clamp(2.5rem, 9vw, 5rem) 1.25rem 3rem }
.avatar {
  display: inline-grid;
  place-items: center;
  width: 6.5rem;
  height: 6.5rem;
  margin-bottom: 1.25rem;
  border-radius: 50%;
  object-fit: cover;
}
.initial { background: var(--accent); color: var(--on-accent); font-size: 2.5rem; font-weight: 600; line-height: 1 }
h1, h2, .about { margin: 0; text-wrap: balance }
h1 {
  --size: clamp(1.75rem, 1.4rem + 2vw, 2.375rem);
  --letter: .62;
  font-size: clamp(1.375rem, 100cqi/(var(--longest)*var(--letter)), var(--size));
  line-height: 1.15;
}
h2 { margin: 2.25rem 0 .875rem; font-size: 1.0625rem; line-height: 1.4 }
.about { margin-top: .625rem; color: var(--muted); white-space: pre-line }
ul { display: grid; gap: .875rem; margin: 0; padding: 0; list-style: none }
.socials { display: flex; flex-wrap: wrap; gap: .25rem; justify-content: center; margin-top: 1rem }
.socials a { display: grid; place-items: center; width: 2.75rem; height: 2.75rem; border-radius: .5rem; color: var(--text) }
.socials a:hover { color: var(--accent-text) }
.socials svg { width: 1.375rem; height: 1.375rem; fill: currentColor }
.links { margin-top: 2rem }
.links h2:first-child { margin-top: 0 }
.links li { display: grid }
@media (min-width: 50rem) {
  .many { max-width: 56rem }
  .many .links ul { grid-template-columns: repeat(2, minmax(0, 1fr)) }
  .many .links li:last-child:nth-child(odd) { grid-column: 1/-1 }
}
.link {
  display: flex;
  align-items: center;
  justify-content: center;
  min-height: 3.375rem;
  padding: .75rem 1.25rem;
  border: 1px solid var(--link-line);
  border-radius: var(--radius);
  background: var(--link);
  color: var(--link-text);
  font-weight: 550;
  line-height: 1.35;
  text-align: center;
  text-decoration: none;
  text-wrap: balance;
}
:focus-visible { outline: 3px solid var(--text); outline-offset: 3px }
.made {
  display: flex;
  align-items: center;
  justify-content: center;
  gap: .375rem;
  padding: 1rem 1.25rem 1.75rem;
  color: var(--muted);
  font-size: .8125rem;
}
.made svg { width: 1rem; height: 1rem; fill: currentColor }
@media (prefers-reduced-motion: no-preference) {
  .link { transition: background-color .15s, border-color .15s, color .15s, transform .15s, box-shadow .15s }
}
@media (forced-colors: active) { .link { border-color: LinkText } }
`;

type Button = (typeof BUTTONS)[number];
type Radius = (typeof RADII)[number];

const FILLED = "{ --link: var(--accent); --link-text: var(--on-accent); --link-line: var(--edge) }";

/** CSS rules for links in the button style that the owner chose. They replace the theme's rules. */
const LINKS: Record<Button, string> = {
  solid: `
.link ${FILLED}
.link:hover { box-shadow: 0 0 0 2px var(--ground), 0 0 0 4px var(--edge) }
.strong { --link: var(--text); --link-text: var(--ground); --link-line: var(--text) }
`,
  outline: `
.link { --link: transparent; --link-text: var(--text); --link-line: var(--edge); border-width: 2px }
.link:hover { --link: var(--soft) }
.strong, .strong:hover ${FILLED}
`,
  soft: `
.link { --link: var(--soft); --link-text: var(--text); --link-line: transparent }
.link:hover { --link-line: var(--edge) }
.strong, .strong:hover ${FILLED}
`,
};

const RADIUS: Record<Radius, string> = { none: "0", md: ".75rem", full: "2rem" };

/** CSS rules for right-to-left scripts, which have no italics or letter spacing. Used with every theme. */
const RIGHT_TO_LEFT = `
:dir(rtl), :dir(rtl)::before { font-style: normal; font-variant-caps: normal; letter-spacing: normal }
`;

/** CSS rules for pages with a set language. Hyphenates only long words, because headings are short. */
const HYPHENS = `
main { -webkit-hyphens: auto; hyphens: auto; hyphenate-limit-chars: 10 4 4 }
`;

/** Properties of a page's text that its style sheet depends on. */
export interface PageText {
  /** Letters in the title's longest word. The title's font size is reduced until it fits on a line. */
  longestWord: number;
  /** True if the owner set the language, so that words can be hyphenated by its rules. */
  hasLanguage: boolean;
}

/**
 * Returns the style sheet of a page. The only values from the owner are validated colours and names from
 * fixed lists, so CSS injection isn't possible.
 */
export function buildStyleSheet(
  theme: Theme,
  schemes: readonly Palette[],
  style: PageStyle,
  text: PageText,
): string {
  const { font, css, links } = theme;
  const radius = style.radius === undefined ? theme.radius : RADIUS[style.radius];
  const sheet = [
    buildRootRule([`--font: ${font}`, `--radius: ${radius}`, `--longest: ${text.longestWord}`]),
    ...buildColourRules(schemes),
    BASE,
    css,
    style.button === undefined ? links : LINKS[style.button],
    style.radius === undefined ? "" : `ul .link.link { border-radius: var(--radius) }`,
    RIGHT_TO_LEFT,
    text.hasLanguage ? HYPHENS : "",
  ];
  return sheet.join("").replace(/\n\s*/g, "");
}

/** Returns the rules that set the colours. `color-scheme` also applies to scroll bars and the canvas. */
function buildColourRules(schemes: readonly Palette[]): string[] {
  const [first, other] = schemes;
  if (first === undefined) return [];
  const getMode = (palette: Palette) => (palette.isDark ? "dark" : "light");
  const modes = other === undefined ? getMode(first) : "light dark";
  return [
    buildRootRule([`color-scheme: ${modes}`, ...listVariables(first)]),
    ...(other === undefined
      ? []
      : [`@media (prefers-color-scheme: ${getMode(other)}) { ${buildRootRule(listVariables(other))} }`]),
  ];
}

function listVariables(palette: Palette): string[] {
  const { ground, ...colours } = { ground: palette.grounds[0], ...palette };
  return [
    `--ground: ${ground}`,
    `--text: ${colours.text}`,
    `--muted: ${colours.muted}`,
    `--surface: ${colours.surface}`,
    `--line: ${colours.line}`,
    `--accent: ${colours.accent}`,
    `--on-accent: ${colours.onAccent}`,
    `--accent-text: ${colours.accentText}`,
    `--edge: ${colours.edge}`,
    `--soft: ${colours.soft}`,
    `--halo: ${colours.halo}`,
    ...Object.entries(colours.extra).map(([name, value]) => `${name}: ${value}`),
  ];
}

function buildRootRule(declarations: readonly string[]): string {
  return `:root { ${declarations.join("; ")} }`;
}
