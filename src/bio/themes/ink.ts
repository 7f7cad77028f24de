// Pure: no I/O, clock or randomness.
import type { Theme } from "../theme-types.ts";

/** Dark blue theme with outlines that look hand-drawn. It has one scheme for all visitors. */
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
  height: 26rem;
  transform: scaleX(var(--mirror));
  --x: min(100% - 1rem, 50% + 24rem);
  background:
    radial-gradient(13rem 12rem at var(--x) 1.5rem, transparent 10%, var(--wash, transparent) 99%, transparent),
    radial-gradient(15rem 10.5rem at calc(var(--x) + 2.5rem) 2rem, transparent 40%, var(--wash, transparent) 99%, transparent),
    radial-gradient(2.25rem 2rem at calc(var(--x) - 2rem) 17.5rem, transparent, var(--wash, transparent) 98%, transparent),
    radial-gradient(.75rem .625rem at calc(var(--x) - 5.5rem) 20rem, var(--wash, transparent) 97%, transparent);
}
main { position: relative }
.avatar { border-radius: 58% 42% 55% 45%/48% 60% 40% 52% }
.initial { outline: 2px solid var(--edge); outline-offset: .3rem }
h1 { --size: clamp(2.25rem, 1.6rem + 3.4vw, 3.25rem); --letter: .58; font-weight: 400; letter-spacing: -.01em }
h1::after {
  content: "";
  display: block;
  width: 7rem;
  height: .75rem;
  margin-top: .5rem;
  border-bottom: .25rem solid var(--edge);
  border-radius: 0 0 70% 30%/0 0 100% 60%;
  transform: scaleX(var(--mirror));
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
  font-weight: 500;
  text-align: start;
}
li:nth-child(even) .link { border-radius: 1rem 13rem 1rem 16rem/14rem 1rem 16rem 1rem }
.link:hover, .strong { --link: var(--accent); --link-text: var(--on-accent); --link-line: var(--accent) }
.strong:hover { --link: var(--text); --link-text: var(--ground); --link-line: var(--text) }
`,
};
