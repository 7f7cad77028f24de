// Pure: no I/O, clock or randomness.
import type { Theme } from "../theme-types.ts";

/** Theme with a sun and hills in the background: dawn for visitors who prefer light, dusk for dark. */
export const sunrise: Theme = {
  schemes: [
    {
      isDark: false,
      grounds: ["#ffd3a3", "#ffe9bf", "#ffb9a6", "#f5b1c4", "#f0a3ad", "#e793ae"],
      text: "#3f1134",
      accent: "#a31852",
      surface: "#fff1e6",
      line: "#e9a9a0",
      muted: "#5c2a4c",
      extra: {
        "--sky": "linear-gradient(#ffe0ad, #ffd3a3 18rem, #ffb9a6 60%, #f5b1c4)",
        "--glow": "#fff3cf",
        "--hill": "#f0a3ad",
        "--near-hill": "#e793ae",
      },
    },
    {
      isDark: true,
      grounds: ["#22123f", "#2e174e", "#57204f", "#7a2c4b", "#4c1a45", "#3a1339"],
      text: "#fff0e4",
      accent: "#ffc46b",
      surface: "#5c2e6a",
      line: "#8a5686",
      muted: "#f0cfd0",
      extra: {
        "--sky": "linear-gradient(#1d1039, #2e174e 30%, #57204f 70%, #7a2c4b)",
        "--glow": "#7a2c4b",
        "--hill": "#4c1a45",
        "--near-hill": "#3a1339",
      },
    },
  ],
  font: 'ui-rounded, "SF Pro Rounded", "Hiragino Maru Gothic ProN", Quicksand, Nunito, "Varela Round", Ubuntu, "Segoe UI", system-ui, sans-serif',
  radius: "2rem",
  css: `
body { position: relative; background: var(--sky, var(--ground)) }
body::before {
  content: "";
  position: absolute;
  top: -6rem;
  left: 50%;
  width: min(30rem, 100%);
  aspect-ratio: 1;
  transform: translateX(-50%);
  background: radial-gradient(closest-side, var(--glow, transparent) 38%, transparent);
}
body::after {
  content: "";
  position: absolute;
  inset: auto 0 0;
  height: 9rem;
  transform: scaleX(var(--mirror));
  background:
    radial-gradient(70% 90% at 12% 100%, var(--near-hill, transparent) 99%, transparent),
    radial-gradient(75% 70% at 82% 100%, var(--hill, transparent) 99%, transparent);
}
main, .made { position: relative; z-index: 1 }
main { text-align: center; padding-bottom: 6rem }
.avatar { filter: drop-shadow(0 0 2rem var(--glow, transparent)) }
.initial { box-shadow: 0 0 0 .35rem var(--surface) }
h1 { font-weight: 700; letter-spacing: -.02em }
h2 { font-size: 1.0625rem; font-weight: 700; color: var(--accent-text) }
`,
  links: `
.link {
  --link: var(--surface);
  --link-text: var(--text);
  --link-line: transparent;
  box-shadow: 0 .5rem 1.5rem -.5rem rgb(70 10 50/.28);
}
.link:hover { --link-line: var(--accent-text) }
.strong { --link: var(--accent); --link-text: var(--on-accent) }
.strong:hover { --link-line: var(--text) }
`,
};
