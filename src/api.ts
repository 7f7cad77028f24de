import { Hono } from "hono";
import { cors } from "hono/cors";
import { analyticsRoutes } from "./analytics/analytics.routes.ts";
import { assetRoutes } from "./assets/assets.routes.ts";
import { receiveUpload } from "./assets/upload.ts";
import { auditRoutes } from "./audit/audit.routes.ts";
import { authenticateKey } from "./auth/authenticate.ts";
import { authenticatePerson } from "./auth/authenticate-person.ts";
import { countMessage, enforceRateLimit } from "./auth/rate-limit.ts";
import { bioRoutes } from "./bio/bio.routes.ts";
import { ApiError } from "./core/error.ts";
import { normalizeHostname } from "./core/hosts.ts";
import { generateUuidv7 } from "./core/id.ts";
import { HSTS, isPlainHttp, isSecure } from "./core/transport.ts";
import { domainRoutes } from "./domains/domains.routes.ts";
import { getSettings } from "./env.ts";
import type { ApiContext, ApiEnv } from "./http/context.ts";
import { respondWithError, respondWithNotFound } from "./http/error-handler.ts";
import { readJson } from "./http/json-body.ts";
import { buildHandlers, type Route } from "./http/operation.ts";
import { keyRoutes } from "./keys/keys.routes.ts";
import { linkRoutes } from "./links/links.routes.ts";
import { memberRoutes } from "./members/members.routes.ts";
import { peopleRoutes } from "./people/people.routes.ts";
import { qrRoutes } from "./qr/qr.routes.ts";
import { reportRoutes } from "./reports/reports.routes.ts";
import { API_PATHS } from "./routing/api-paths.ts";
import { passkeyRoutes } from "./sign-in/passkeys.routes.ts";
import { sessionRoutes } from "./sign-in/session.routes.ts";
import { isAppHost } from "./tenant/own-hosts.ts";
import { webhookRoutes } from "./webhooks/webhooks.routes.ts";
import { workspaceRoutes } from "./workspace/workspace.routes.ts";

export const routes: readonly Route[] = [
  ...linkRoutes,
  ...qrRoutes,
  ...bioRoutes,
  ...assetRoutes,
  ...analyticsRoutes,
  ...reportRoutes,
  ...webhookRoutes,
  ...workspaceRoutes,
  ...memberRoutes,
  ...peopleRoutes,
  ...domainRoutes,
  ...auditRoutes,
  ...sessionRoutes,
  ...passkeyRoutes,
  ...keyRoutes,
];

const operations = routes.map(({ operation }) => operation);

/**
 * Hono app of the API host: all operations below `/v1` and the other paths of `API_PATHS`. The app host
 * serves the same operations, authenticated by session instead of by API key.
 */
export const api = new Hono<ApiEnv>();

api.use(async (c, next) => {
  const nowMs = Date.now();
  c.set("nowMs", nowMs);
  c.set("requestId", generateUuidv7(nowMs));
  c.set("settings", getSettings(c.env));
  c.set("isAppHost", isAppHost(c.var.settings, normalizeHostname(new URL(c.req.url).hostname)));
  c.header("X-Request-Id", c.var.requestId);
  // Prevents shared or browser caches from showing a person's data after sign-out.
  if (c.var.isAppHost) c.header("Cache-Control", "private, no-store");
  if (isSecure(c.req.url, findSurfaceUrl(c))) c.header(...HSTS);
  await next();
});
const allowAnyOrigin = cors({
  origin: "*",
  allowMethods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
  allowHeaders: [
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-None-Match",
    "traceparent",
    "tracestate",
    "Last-Event-ID",
    "Mcp-Method",
    "Mcp-Name",
    "Mcp-Protocol-Version",
    "Mcp-Session-Id",
  ],
  exposeHeaders: [
    "X-Request-Id",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "X-RateLimit-Burst-Limit",
    "X-RateLimit-Burst-Remaining",
    "Retry-After",
    "Idempotency-Replayed",
    "Allow",
    "Content-Disposition",
    "ETag",
    "Link",
    "WWW-Authenticate",
    "X-QR-Error-Correction",
    "X-QR-Version",
    "X-QR-Warning",
  ],
  maxAge: 86_400,
});
// The app host sends no CORS headers, so browsers block other origins from reading its responses.
api.use((c, next) => (c.var.isAppHost ? next() : allowAnyOrigin(c, next)));
// Rejects plain HTTP without reading the key, because the key may have been intercepted on its way.
api.use(async (c, next) => {
  const surfaceUrl = findSurfaceUrl(c);
  if (!isPlainHttp(c.req.url, surfaceUrl)) return next();
  throw new ApiError("HTTPS_REQUIRED", `The API is served over https only, at ${surfaceUrl}.`);
});
api.onError(respondWithError);
api.notFound(respondWithNotFound);

api.get(API_PATHS.health, (c) => c.json({ status: "ok" })).all(allowOnly("GET"));
api
  .get(API_PATHS.document, async (c) => {
    const { serializeDocument } = await import("./openapi/document-json.ts");
    return c.body(serializeDocument(c.var.settings, operations), 200, {
      "Content-Type": "application/json",
      "Cache-Control": "public, max-age=60",
    });
  })
  .all(allowOnly("GET"));
api
  .get(API_PATHS.docs, async (c) => {
    const { serveDocs } = await import("./docs/serve.tsx");
    return serveDocs(c, operations);
  })
  .all(allowOnly("GET"));
api
  .get(API_PATHS.linksFileSchema, async (c) => {
    const { serializeLinksFileSchema } = await import("./openapi/links-file-document.ts");
    return c.body(serializeLinksFileSchema(c.var.settings.apiUrl), 200, {
      "Content-Type": "application/schema+json",
      "Cache-Control": "public, max-age=60",
    });
  })
  .all(allowOnly("GET"));
api
  .put(`${API_PATHS.uploads}/:workspace_id/:asset_id`, async (c) => {
    await receiveUpload(c.req.raw, c.env, c.var.nowMs);
    return c.body(null, 200);
  })
  .all(allowOnly("PUT"));
api
  .post(API_PATHS.mcp, authenticateKey, async (c) => {
    const { serveMcp } = await import("./mcp/serve-mcp.ts");
    const message = {
      request: c.req.raw,
      settings: c.var.settings,
      getSender: () => c.var,
      readBody: () => readJson(c),
      count: () =>
        countMessage(c).then(
          () => null,
          (error) => respondWithError(error, c),
        ),
      callApi: async (request: Request) => api.fetch(request, c.env, c.executionCtx),
    };
    return serveMcp(message, operations);
  })
  .all(allowOnly("POST"));
api.use(
  `${API_PATHS.operations}/*`,
  (c, next) => (c.var.isAppHost ? authenticatePerson(c, next) : authenticateKey(c, next)),
  enforceRateLimit,
);
for (const [path, pathRoutes] of Map.groupBy(routes, ({ operation }) => operation.path)) {
  for (const route of pathRoutes) api.on(route.operation.method, [path], ...buildHandlers(route));
  // Registers 405 handlers before the next path, because `/v1/links/:id` would also match `/v1/links/bulk`.
  api.all(path, allowOnly(...pathRoutes.map(({ operation }) => operation.method.toUpperCase())));
}

/** Returns the configured URL of the requested host, which is either the API host or the app host. */
function findSurfaceUrl({ var: { isAppHost: isApp, settings } }: ApiContext): string {
  return isApp ? settings.appUrl : settings.apiUrl;
}

/** Returns a handler that rejects all methods not listed with 405 and an `Allow` header. */
function allowOnly(...methods: string[]): () => never {
  const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
  return () => {
    throw new ApiError("METHOD_NOT_ALLOWED", `This path supports ${allow}.`, { headers: { Allow: allow } });
  };
}
