import { isLoopbackAddress, normalizeHostname } from "./core/hosts.ts";
import { getSettings, type Settings } from "./env.ts";
import { redirect } from "./redirect/redirect.ts";

/** First path segments that the API's own host serves; every other path there is a short code. */
const API_SEGMENTS = new Set(["v1", "docs", "openapi.json", "healthz", "uploads"]);

type Surface = "api" | "bio" | "cdn" | "short";

/**
 * Hands a request to the surface that its host names (decisions section 0). The redirect is at hand at once; the other
 * surfaces are evaluated by the first request that needs them, so that none of them delays a cold redirect.
 */
export async function handle(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
  const url = new URL(request.url);
  const settings = getSettings(env);
  const hostname = normalizeHostname(url.hostname);
  const surface = findSurface(hostname, url.pathname, settings);
  if (surface === "short") return redirect({ request, url, hostname, settings }, env, context);
  if (surface === "cdn") {
    const { serveFile } = await import("./assets/cdn.ts");
    return serveFile(request, url, env.PUBLIC_FILES);
  }
  if (surface === "bio") return (await import("./bio/public.ts")).serveBio(request, url, env, context);
  const { api } = await import("./api.ts");
  return api.fetch(request, env, context);
}

function findSurface(hostname: string, path: string, settings: Settings): Surface {
  if (hostname === settings.cdnHost) return "cdn";
  // Who types the address instead of the name `localhost` means the same service.
  const isApiHost = hostname === settings.apiHost || (settings.allowLoopback && isLoopbackAddress(hostname));
  if (isApiHost && API_SEGMENTS.has(path.split("/", 2)[1] ?? "")) return "api";
  return hostname === settings.bioHost ? "bio" : "short";
}
