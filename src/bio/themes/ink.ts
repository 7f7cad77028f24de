import type { Theme } from "../theme.ts";

/** Strokes of a pen on midnight blue; the same for every visitor. */
export const ink: Theme = {
  schemes: [
    {
      isDark: true,
      grounds: ["#0b1324", "#16284a"],
      text: "#edf2fb",
      accent: "#8fc7ff",
      surface: "#13203a",
      line: "#3b4f74",
      muted: "#a9bad6",
      extra: { "--wash": "#16284a" },
    },
  ],
  font: 'Optima, Candara, "Gill Sans Nova", "Gill Sans", "Noto Sans", source-sans-pro, sans-serif',
  radius: "15rem 1rem 14rem 1rem/1rem 14rem 1rem 15rem",
  css: `
body::before {
  content: "";
  position: absolute;
  inset: 0 0 auto;
  height: 34rem;
  max-height: 100%;
  background:
    radial-gradient(22rem 26rem at 88% -2rem, var(--wash, transparent) 0 58%, transparent 60%),
    radial-gradient(5rem 4.5rem at calc(88% - 21rem) 9rem, var(--wash, transparent) 0 58%, transparent 60%),
    radial-gradient(2.5rem 2.5rem at calc(88% - 16rem) 17rem, var(--wash, transparent) 0 58%, transparent 60%);
}
main { position: relative }
.avatar { border-radius: 58% 42% 55% 45%/48% 60% 40% 52%; outline: 2px solid var(--edge); outline-offset: .3rem }
h1 { font-size: clamp(2.25rem, 1.6rem + 3.4vw, 3.25rem); font-weight: 400; letter-spacing: -.01em }
h1::after {
  content: "";
  display: block;
  width: 7rem;
  height: .75rem;
  border-bottom: .25rem solid var(--edge);
  border-radius: 0 0 70% 30%/0 0 100% 60%;
}
.socials { justify-content: start; margin-inline-start: -.6875rem }
h2 { font-size: 1.25rem; font-weight: 400; font-style: italic; color: var(--accent-text) }
`,
  links: `
.link {
  --link: transparent;
  --link-text: var(--text);
  --link-line: var(--edge);
  border-width: 2px 1.5px 1.5px 2px;
  justify-content: flex-start;
  padding-inline: 1.75rem;
  text-align: start;
}
li:nth-child(even) .link { border-radius: 1rem 13rem 1rem 16rem/14rem 1rem 16rem 1rem }
.link:hover, .strong { --link: var(--accent); --link-text: var(--on-accent); --link-line: var(--accent) }
.strong:hover { --link: var(--text); --link-text: var(--ground); --link-line: var(--text) }
`,
};
