/** Surface of a host, as seen by crawlers. In local development, the API host serves short links too. */
export type CrawledSurface = "api" | "app" | "bio" | "cdn" | "short";

/**
 * Robots rules of each surface. Short links are allowed for two reasons: crawlers must be able to read
 * `X-Robots-Tag: noindex`, and link preview fetchers that respect `robots.txt` must reach the destination.
 * Click URLs of bio pages (`/l/`) are disallowed, because each page links to the same destinations anyway.
 */
const RULES: Record<CrawledSurface, readonly string[]> = {
  api: ["Allow: /$", "Allow: /docs$", "Disallow: /"],
  app: ["Disallow: /"],
  bio: ["Disallow: /*/l/"],
  cdn: ["Allow: /"],
  short: ["Allow: /"],
};

/** Serves the `robots.txt` of a host to GET and HEAD (RFC 9309). */
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
