import { logRecurringError } from "./caching/recurring-errors.ts";
import { normalizeHostname } from "./core/hosts.ts";
import { generateUuidv7 } from "./core/id.ts";
import { HSTS, isPlainHttp, isSecure } from "./core/transport.ts";
import { getSettings, type Settings } from "./env.ts";
import { isWellKnown, redirect } from "./redirect/redirect.ts";
import { API_PATHS, API_SEGMENTS } from "./routing/api-paths.ts";
import { decodeUnreserved } from "./routing/request-path.ts";
import { countRequest } from "./status/request-counter.ts";
import { isApiHost, isAppHost } from "./tenant/own-hosts.ts";

type Surface = "api" | "app" | "bio" | "cdn" | "report" | "scim" | "short";

const SCIM_ROOT = "/scim";
/** Path of shared reports on the app host. */
const REPORT_PATH = "/reports/";
const ROBOTS_PATH = "/robots.txt";
/**
 * Path of the status on the API host. Visitors don't send `Authorization`, so a link on this host may have the same code.
 */
const STATUS_PATH = "/status";
const SECURITY_TEXT_PATH = "/.well-known/security.txt";

/**
 * Entry point of all HTTP requests: picks the surface (redirect, API, app, bio, CDN, SCIM) by host. Only the
 * redirect is imported statically. The other surfaces are imported on first use, so that they don't slow down
 * the first redirect of a cold isolate.
 */
export async function handle(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
  const url = new URL(request.url);
  if (url.pathname.includes("%")) url.pathname = decodeUnreserved(url.pathname);
  // Read once, because each read of a part of a URL makes a new string.
  const { pathname } = url;
  const settings = getSettings(env);
  const hostname = normalizeHostname(url.hostname);
  const surface = findSurface(hostname, pathname, settings);
  const startMs = Date.now();
  let status = 500;
  try {
    const response = await serve({ request, url, pathname, hostname, settings, surface }, env, context);
    status = response.status;
    if (status >= 500) logFailedVisit(surface, response, Date.now() - startMs);
    return response;
  } finally {
    countRequest(env.DIRECTORY, surface, status, context);
  }
}

/** Request, and the surface that serves it. */
interface Visit {
  request: Request;
  url: URL;
  pathname: string;
  hostname: string;
  settings: Settings;
  surface: Surface;
}

/** Logs a failed request of a surface that doesn't log each failed request itself. */
function logFailedVisit(surface: Surface, { status, headers }: Response, durationMs: number): void {
  if (surface === "api" || surface === "scim") return;
  const request_id = headers.get("X-Request-Id") ?? undefined;
  const facts = { request_id, operation: surface, status, duration_ms: durationMs };
  logRecurringError("a visit failed", undefined, facts);
}

async function serve(visit: Visit, env: Env, context: ExecutionContext): Promise<Response> {
  const { request, url, pathname, hostname, settings, surface } = visit;
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (isRead && pathname === ROBOTS_PATH) {
    const { serveRobots } = await import("./robots.ts");
    return serveRobots(request, findHostSurface(hostname, settings));
  }
  if (isRead && pathname === SECURITY_TEXT_PATH) {
    const { serveSecurityText } = await import("./safety/security-text.ts");
    return serveSecurityText(request, settings, Date.now());
  }
  if (isRead && pathname === "/" && findHostSurface(hostname, settings) === "api") {
    return isPlainHttp(request.url, settings.apiUrl) ? redirectToHttps(url) : redirectHome(request, settings);
  }
  if (pathname === STATUS_PATH && isApiHost(settings, hostname) && request.headers.has("Authorization")) {
    const { serveStatus } = await import("./status/serve-status.ts");
    return serveStatus(request, env);
  }
  if (surface === "short") {
    const respond = isRead && isWellKnown(pathname) ? serveWellKnown : redirect;
    const response = await respond(visit, env, context);
    // Sets the header in place, because copying the response would slow down every redirect.
    if (isSecure(request.url, settings.apiUrl)) response.headers.set(...HSTS);
    return response;
  }
  if (surface === "cdn") {
    const { serveFile } = await import("./assets/cdn.ts");
    return serveFile(request, url, env, settings, context);
  }
  if (surface === "bio") return serveBioHost(request, url, settings, env, context);
  if (surface === "app") {
    const { serveApp } = await import("./sign-in/app-host.ts");
    return addHsts(request, settings.appUrl, await serveApp(request, url, settings, env));
  }
  if (surface === "report") {
    const { serveReport } = await import("./reports/serve-report.ts");
    return addHsts(request, settings.appUrl, await serveReport(request, url, settings, env, context));
  }
  if (surface === "scim") {
    const { serveScim } = await import("./scim/serve-scim.ts");
    const response = await serveScim(request, url, {
      settings,
      directory: env.DIRECTORY,
      limiters: env.LIMITER,
      unknownLimiter: env.UNKNOWN_LIMIT,
    });
    return addHsts(request, settings.apiUrl, response);
  }
  const { api } = await import("./api.ts");
  return api.fetch(request, env, context);
}

/** Responds with a well-known document of a short host, or with 404. */
async function serveWellKnown(
  visit: Parameters<typeof redirect>[0],
  env: Env,
  context: ExecutionContext,
): Promise<Response> {
  const { serveDocument } = await import("./domains/serve-document.ts");
  return (await serveDocument(visit, env, context)) ?? redirect(visit, env, context);
}

/** Serves the bio host. Redirects plain HTTP to HTTPS if the host is configured with HTTPS. */
async function serveBioHost(
  request: Request,
  url: URL,
  settings: Settings,
  env: Env,
  context: ExecutionContext,
): Promise<Response> {
  if (isPlainHttp(request.url, settings.bioUrl)) return redirectToHttps(url);
  const { serveBio } = await import("./bio/public.ts");
  return addHsts(request, settings.bioUrl, await serveBio(request, url, env, context));
}

/** Adds HSTS to HTTPS responses of a surface that is configured with HTTPS. */
function addHsts(request: Request, surfaceUrl: string, response: Response): Response {
  if (!isSecure(request.url, surfaceUrl)) return response;
  const secured = new Response(response.body, response);
  secured.headers.set(...HSTS);
  return secured;
}

function redirectToHttps(url: URL): Response {
  const location = new URL(url);
  location.protocol = "https:";
  location.port = "";
  return new Response(null, { status: 308, headers: { Location: location.href } });
}

/**
 * Returns the surface that serves a path. On the API host, all paths outside `API_SEGMENTS` are short codes.
 * On the app host, paths below `/v1` are operations of the API, and paths below `/reports/` shared reports.
 */
function findSurface(hostname: string, path: string, settings: Settings): Surface {
  if (hostname === settings.cdnHost) return "cdn";
  if (isAppHost(settings, hostname)) {
    if (path.startsWith(REPORT_PATH)) return "report";
    return isOperation(path) ? "api" : "app";
  }
  const segment = path.split("/", 2)[1] ?? "";
  if (isApiHost(settings, hostname) && API_SEGMENTS.has(segment)) {
    return `/${segment}` === SCIM_ROOT ? "scim" : "api";
  }
  return hostname === settings.bioHost ? "bio" : "short";
}

function isOperation(path: string): boolean {
  return path === API_PATHS.operations || path.startsWith(`${API_PATHS.operations}/`);
}

/** Returns the surface that a host as a whole belongs to, ignoring the path. */
function findHostSurface(hostname: string, settings: Settings): Exclude<Surface, "report" | "scim"> {
  if (hostname === settings.cdnHost) return "cdn";
  if (hostname === settings.bioHost) return "bio";
  if (isAppHost(settings, hostname)) return "app";
  return isApiHost(settings, hostname) ? "api" : "short";
}

/**
 * Redirects `/` of the API host: browsers, detected by `Accept: text/html`, to the dashboard, other clients
 * to the API reference.
 */
function redirectHome(request: Request, settings: Settings): Response {
  const isBrowser = /\btext\/html\b/i.test(request.headers.get("Accept") ?? "");
  return new Response(null, {
    status: 302,
    headers: {
      Location: isBrowser ? `${settings.appUrl}/` : API_PATHS.docs,
      Vary: "Accept",
      "Cache-Control": "public, max-age=60",
      "X-Request-Id": generateUuidv7(Date.now()),
    },
  });
}
