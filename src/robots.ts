/** Surface of a host as crawlers see it. The API host of a local start also serves short links. */
export type CrawledSurface = "api" | "app" | "bio" | "cdn" | "short";

/**
 * Rules by surface. Short links may be fetched: crawlers must read the `X-Robots-Tag: noindex` of their responses, and
 * fetchers of link previews that obey this file must reach the destination. A click address leads to what its page
 * links to anyway.
 */
const RULES: Record<CrawledSurface, readonly string[]> = {
  api: ["Allow: /$", "Allow: /docs$", "Disallow: /"],
  app: ["Disallow: /"],
  bio: ["Disallow: /*/l/"],
  cdn: ["Allow: /"],
  short: ["Allow: /"],
};

/** Responds to GET or HEAD for the `robots.txt` of a host (RFC 9309). */
export function serveRobots(request: Request, surface: CrawledSurface): Response {
  const text = ["User-agent: *", ...RULES[surface], ""].join("\n");
  return new Response(request.method === "HEAD" ? null : text, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "public, max-age=3600",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
