import { entries, files } from "../../dist/dashboard/files.js";
import { generateUuidv7 } from "../core/id.ts";
import type { Settings } from "../env.ts";
import { API_PATHS } from "../routing/api-paths.ts";
import { PREVIEW_PATH, servePreviewFrame } from "./preview-frame.ts";
import { renderShell, type Shell } from "./shell-document.ts";

/** Serves the dashboard on the app host: one page for all screens, and the files that it loads. */

/** First path segment of all files. No screen uses it. */
export const STATIC_PATH = "/static/";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

let shell: Promise<Shell> | undefined;

/** Returns the page, which is rendered once per isolate, by the first request. */
function getShell(): Promise<Shell> {
  shell ??= renderShell(entries, STATIC_PATH);
  return shell;
}

/** Serves a dashboard file, the preview frame or, for any other path, the page. */
export async function serveDashboard(request: Request, path: string, settings: Settings): Promise<Response> {
  if (path === PREVIEW_PATH) return servePreviewFrame(request, settings);
  return path.startsWith(STATIC_PATH)
    ? serveFile(request, path.slice(STATIC_PATH.length))
    : servePage(request, settings);
}

async function serveFile(request: Request, name: string): Promise<Response> {
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  // A page loaded before the last deployment requests files that no longer exist.
  if (file === undefined) {
    return new Response(null, { status: 404, headers: { "Cache-Control": "no-store" } });
  }
  const headers = {
    "Content-Type": MEDIA_TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "text/plain; charset=utf-8",
    // The name contains a hash of the content.
    "Cache-Control": "public, max-age=31536000, immutable",
    ETag: file.etag,
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
  };
  if (request.headers.get("If-None-Match") === file.etag) return new Response(null, { status: 304, headers });
  const body = request.method === "HEAD" ? null : (await file.load()).default;
  return new Response(body, { headers });
}

/** Serves the page. It is the same for every screen and contains no workspace data. */
async function servePage(request: Request, settings: Settings): Promise<Response> {
  const { html, etag } = await getShell();
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-cache",
    ETag: etag,
    "Content-Security-Policy": buildPolicy(settings),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Request-Id": generateUuidv7(Date.now()),
  };
  if (request.headers.get("If-None-Match") === etag) return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : html, { headers });
}

/**
 * Returns the page's Content-Security-Policy. The policy allows scripts, styles and frames from the page's
 * own origin, images from the CDN and uploads to the API host, but no inline scripts or styles.
 */
function buildPolicy({ apiUrl, cdnUrl }: Settings): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob: ${cdnUrl}`,
    `connect-src 'self' ${apiUrl}${API_PATHS.uploads}/`,
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
