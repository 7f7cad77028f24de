import type { Settings } from "../env.ts";

/** Path of the empty document for previews of bio pages. The path contains no content hash. */
export const PREVIEW_PATH = "/static/preview";

/** Empty document. The dashboard writes the elements of the previewed page into it. */
const DOCUMENT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Preview</title>
</head>
<body></body>
</html>
`;

/** Browser cache lifetime. The list of bio pages loads the document once for each bio page. */
const MAX_AGE_S = 3_600;

/**
 * Serves the document for previews. It has the Content-Security-Policy of a public page, which allows images
 * from any https host and no scripts. The dashboard's policy would block those images, and a document without
 * its own URL would inherit that policy. Only the dashboard may frame it.
 */
export function servePreviewFrame(request: Request, { cdnUrl }: Settings): Response {
  return new Response(request.method === "HEAD" ? null : DOCUMENT, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": `public, max-age=${MAX_AGE_S}`,
      "Content-Security-Policy": [
        "default-src 'none'",
        `img-src https: ${cdnUrl}`,
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
        "sandbox allow-same-origin",
      ].join("; "),
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "SAMEORIGIN",
      "X-Robots-Tag": "noindex",
      "Referrer-Policy": "no-referrer",
      "Cross-Origin-Resource-Policy": "same-origin",
    },
  });
}
