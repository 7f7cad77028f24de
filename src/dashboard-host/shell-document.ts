import { SIGNPOST_MARK } from "../pages/signpost-art.ts";

/** Names of the files that the page loads. */
export interface ShellEntries {
  app: string;
  style: string;
  theme: string;
  preloads: readonly string[];
  licences: string;
}

/** Page as HTML, with its strong entity tag. */
export interface Shell {
  html: string;
  etag: string;
}

const ICON = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><style>path{fill:#3346d3}@media(prefers-color-scheme:dark){path{fill:#a8b6ff}}</style><path d="${SIGNPOST_MARK}"/></svg>`,
)}`;

/**
 * Renders the page that loads the dashboard. The theme script is small and blocks rendering, so that no
 * screen is first painted in the wrong colours.
 */
export async function renderShell(entries: ShellEntries, filesPath: string): Promise<Shell> {
  const { app, style, theme, preloads, licences } = entries;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>Signpost</title>
<link rel="license" href="${filesPath}${licences}">
<link rel="icon" href="${ICON}">
<script src="${filesPath}${theme}"></script>
<link rel="stylesheet" href="${filesPath}${style}">
<script type="module" src="${filesPath}${app}"></script>
${preloads.map((name) => `<link rel="modulepreload" href="${filesPath}${name}">`).join("\n")}
</head>
<body>
<div id="app"></div>
<noscript><p>The Signpost dashboard requires JavaScript. The API works without it.</p></noscript>
</body>
</html>
`;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(html)));
  return {
    html,
    etag: `"${[...digest.slice(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}"`,
  };
}
