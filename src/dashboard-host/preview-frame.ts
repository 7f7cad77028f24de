import type { Settings } from "../env.ts";

/** Path of the empty document that the dashboard shows pages in, within a frame. It is no file with a hash. */
export const PREVIEW_PATH = "/static/preview";

/** Document without content. The dashboard writes the elements of a page into it. */
const DOCUMENT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Preview</title>
</head>
<body></body>
</html>
`;

/** Time that a browser keeps the document. A list of pages opens it once for each. */
const MAX_AGE_S = 3_600;

/**
 * Serves the document of previews. Its policy is that of a public page, which allows pictures of any https host and no
 * script. The policy of the dashboard would forbid those pictures, and a document without an address of its own would
 * inherit it. Only the dashboard may frame it.
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
