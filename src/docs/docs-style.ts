import { LANGUAGES } from "./request-code.ts";

/** Selector for the examples in the selected language. */
const SHOWN_EXAMPLE = LANGUAGES.map(
  ({ id }) => `.request:has([value="${id}"]:checked) > [data-language="${id}"]`,
).join(",\n");

/** Style sheet of the reference page, for light and dark mode. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fbfaf7, #14171a);
  --raised: light-dark(#ffffff, #1b1f23);
  --ink: light-dark(#1d2327, #e6e8ea);
  --quiet: light-dark(#59636b, #9aa5ae);
  --line: light-dark(#e3e0d8, #2b3137);
  --accent: light-dark(#0b6a5c, #5fc9b6);
  --tint: light-dark(#e8f2ef, #17302c);
  --code: light-dark(#1c2529, #101315);
  --code-ink: #dfe7e9;
  --get: light-dark(#0b6a5c, #5fc9b6);
  --post: light-dark(#8a4b08, #f0b46a);
  --patch: light-dark(#5b3f9e, #b8a2f2);
  --put: light-dark(#5b3f9e, #b8a2f2);
  --delete: light-dark(#a8293a, #f58d99);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  display: grid; grid-template: "head head" 3.5rem "nav main" 1fr / 17rem minmax(0, 1fr);
}
a { color: var(--accent); text-underline-offset: .2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
code, pre, textarea, .method, .status { font-family: var(--mono); font-size: .86em; }
p code, li code, td code { background: var(--tint); border-radius: 3px; padding: .1em .3em; overflow-wrap: anywhere; }
td code { overflow-wrap: break-word; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: 1rem; background: var(--raised); padding: .5rem 1rem; z-index: 9; }

header {
  grid-area: head; position: sticky; top: 0; z-index: 5; display: flex; align-items: center; gap: 1.5rem;
  padding: 0 1.5rem; background: var(--raised); border-bottom: 1px solid var(--line);
}
.brand { display: flex; align-items: center; gap: .5rem; color: var(--ink); font-weight: 650; text-decoration: none; }
.brand svg { fill: var(--quiet); }
.brand .sign { fill: var(--accent); }
.brand .faint { opacity: .55; }
.brand small { color: var(--quiet); font-weight: 400; }
.key { margin-left: auto; display: flex; align-items: center; gap: .6rem; font-size: .85rem; color: var(--quiet); }
.key input { width: 16rem; }
.document { font-size: .85rem; }

input, textarea, button {
  font: inherit; font-size: .88rem; color: inherit; background: var(--raised);
  border: 1px solid light-dark(#8d959b, #66717a); border-radius: 5px; padding: .35rem .6rem;
}
textarea { width: 100%; resize: vertical; font-family: var(--mono); }
button { cursor: pointer; }
dialog { max-width: min(30rem, calc(100vw - 2rem)); padding: 1rem 1.5rem 1.5rem; color: inherit; background: var(--paper); border: 1px solid; border-radius: .5rem; }
dialog::backdrop { background: #0008; }
dialog h2 { margin: 0; }
dialog button { padding: .4rem .9rem; margin-right: .5rem; }

nav {
  grid-area: nav; position: sticky; top: 3.5rem; height: calc(100vh - 3.5rem); overflow-y: auto;
  padding: 0 1rem 3rem 1.5rem; border-right: 1px solid var(--line); font-size: .87rem; line-height: 1.35;
}
.search { position: sticky; top: 0; z-index: 1; padding: 1rem 0 .5rem; background: var(--paper); }
.search input { width: 100%; }
.search::after { content: "/" / ""; position: absolute; right: .7rem; top: 1.4rem; color: var(--quiet); font-family: var(--mono); font-size: .8rem; pointer-events: none; }
.search:has(:focus, input:not(:placeholder-shown))::after { content: none; }
.search p { margin: .4rem 0 0; color: var(--quiet); font-size: .8rem; overflow-wrap: anywhere; }
.search p:empty { margin: 0; }
nav h2 { margin: 1.4rem 0 .35rem; font-size: .72rem; letter-spacing: .07em; text-transform: uppercase; color: var(--quiet); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: flex; flex-wrap: wrap; gap: 0 .5rem; padding: .3rem .5rem; margin: 0 -.5rem; border-radius: 5px; color: var(--ink); text-decoration: none; }
nav a:hover { background: var(--tint); }
nav a[aria-current] { background: var(--tint); color: var(--accent); font-weight: 600; }
nav .summary { flex: 1; }
nav .summary + small { padding-left: 3.6rem; }
nav small { width: 100%; color: var(--quiet); font-family: var(--mono); font-size: .72rem; font-weight: 400; overflow-wrap: anywhere; }
nav .method { flex: none; width: 3.1rem; font-size: .66rem; line-height: 1.8; }
[hidden] { display: none !important; }

.method { font-weight: 700; letter-spacing: .02em; }
.get { color: var(--get); } .post { color: var(--post); } .patch { color: var(--patch); }
.put { color: var(--put); } .delete { color: var(--delete); }

main { grid-area: main; padding: 2.5rem clamp(1.25rem, 3vw, 3rem) 6rem; max-width: 82rem; }
main > section { margin-bottom: 3.5rem; }
h1 { font-size: 2.1rem; line-height: 1.2; letter-spacing: -.02em; margin: 0 0 .75rem; }
main h2 { font-size: 1.5rem; letter-spacing: -.01em; margin: 0 0 .5rem; }
h3 { font-size: 1.12rem; margin: 0 0 .25rem; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
h4 { font-size: .78rem; letter-spacing: .06em; text-transform: uppercase; color: var(--quiet); margin: 1.6rem 0 .4rem; }
.intro, .guide { max-width: 46rem; }
.base { display: inline-flex; gap: .75rem; align-items: center; padding: .4rem .9rem; margin: 0 0 .5rem; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; }
.base span { color: var(--quiet); font-size: .85rem; }
.guide li { margin: .35rem 0; }
.guide { padding-top: 1.5rem; border-top: 1px solid var(--line); }
.group > h2 { padding-top: 2rem; border-top: 3px solid var(--ink); }
.group:empty { display: none; }

.operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 27rem); gap: 1rem 2.5rem; padding: 2rem 0; border-top: 1px solid var(--line); }
.address { margin: 0 0 .6rem; overflow-wrap: anywhere; }
.address code { background: none; padding: 0; font-size: .9rem; }
.scope { color: var(--quiet); font-size: .88rem; }
.examples { display: flex; flex-direction: column; gap: 1rem; }
.examples > :first-child { position: static; }

.fields { list-style: none; margin: 0; padding: 0; }
.fields > li { padding: .6rem 0; border-top: 1px solid var(--line); font-size: .92rem; }
.fields > li:first-child { border-top: 0; }
.fields p { margin: .15rem 0 0; }
.fields .name { background: none; padding: 0; font-weight: 600; }
.type, .limits { color: var(--quiet); font-size: .84rem; overflow-wrap: anywhere; }
.required { margin-left: .5rem; color: var(--post); font-size: .78rem; font-weight: 600; }
.fields .fields { padding-left: .9rem; border-left: 2px solid var(--line); }
summary { cursor: pointer; color: var(--accent); font-size: .86rem; }
.response { border-top: 1px solid var(--line); padding: .45rem 0; }
.response > summary { color: var(--ink); }
.response .status { font-weight: 700; color: var(--delete); }
.response.success .status { color: var(--get); }
.codes { color: var(--quiet); font-family: var(--mono); font-size: .78rem; overflow-wrap: anywhere; }
.response > p { font-size: .9rem; margin: .5rem 0; }

.code { margin: 1rem 0; background: var(--code); color: var(--code-ink); border-radius: 8px; border: 1px solid light-dark(transparent, var(--line)); overflow: hidden; }
.examples .code { margin: 0; }
.code figcaption { display: flex; justify-content: space-between; align-items: center; padding: .35rem .5rem .35rem .9rem; font-size: .78rem; color: #a8b4b9; border-bottom: 1px solid #ffffff1f; }
.code button { color: inherit; background: none; border-color: #ffffff40; font-size: .74rem; padding: .1rem .55rem; }
.request > pre { display: none; }
${SHOWN_EXAMPLE} { display: block; }
.languages { display: flex; flex-wrap: wrap; min-width: 0; margin: 0; padding: 0; border: 0; }
.languages legend { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; white-space: nowrap; }
.languages label { position: relative; }
.languages input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer; }
.languages span { display: block; padding: .15rem .6rem; line-height: 1.2rem; border-radius: 4px; }
.languages :checked + span { background: #ffffff1f; color: #fff; }
.languages :focus-visible + span { outline: 2px solid #fff; outline-offset: -1px; }
.code pre { margin: 0; padding: .85rem .9rem; overflow: auto; max-height: 26rem; line-height: 1.5; font-size: .92rem; }

.try { border: 1px solid var(--line); border-radius: 8px; background: var(--raised); }
.try > summary { padding: .6rem .9rem; font-weight: 600; }
.try form { display: grid; gap: .7rem; padding: 0 .9rem .9rem; }
.try label span { display: block; font-size: .8rem; color: var(--quiet); font-family: var(--mono); }
.try input { width: 100%; }
.try button { justify-self: start; background: var(--accent); color: var(--paper); border-color: transparent; font-weight: 600; padding: .35rem 1.1rem; }
.try output { display: block; font-size: .85rem; min-width: 0; }
.try output pre { margin: .4rem 0 0; padding: .7rem; border-radius: 6px; background: var(--code); color: var(--code-ink); overflow: auto; max-height: 24rem; }
.try output img { display: block; margin-top: .5rem; max-width: 100%; background: #fff; border-radius: 6px; }

.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th { text-align: left; font-size: .78rem; color: var(--quiet); }
th, td { padding: .4rem 1rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }

@media (max-width: 75rem) { .operation { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 52rem) {
  body { display: block; }
  header { flex-wrap: wrap; gap: .4rem 1rem; padding: .6rem 1.25rem; position: static; }
  .key { margin: 0; width: 100%; order: 3; } .key input { flex: 1; width: auto; }
  .document { margin-left: auto; }
  nav { position: static; height: auto; max-height: 40vh; padding: 0 1.25rem 2rem; border-right: 0; border-bottom: 1px solid var(--line); }
  html { scroll-padding-top: 1rem; }
}
@media (max-width: 24rem) { td code { overflow-wrap: anywhere; } }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`;
