import { Hono } from "hono";
import { cors } from "hono/cors";
import { analyticsRoutes } from "./analytics/analytics.routes.ts";
import { assetRoutes } from "./assets/assets.routes.ts";
import { receiveUpload } from "./assets/upload.ts";
import { bioRoutes } from "./bio/bio.routes.ts";
import { ApiError } from "./core/error.ts";
import { uuidv7 } from "./core/id.ts";
import { getSettings } from "./env.ts";
import { authenticate } from "./http/authenticate.ts";
import type { ApiEnv } from "./http/context.ts";
import { respondWithError, respondWithNotFound } from "./http/error-handler.ts";
import { buildHandlers, type Route } from "./http/operation.ts";
import { rateLimit } from "./http/rate-limit.ts";
import { linkRoutes } from "./links/links.routes.ts";
import { qrRoutes } from "./qr/qr.routes.ts";
import { webhookRoutes } from "./webhooks/webhooks.routes.ts";
import { workspaceRoutes } from "./workspace/workspace.routes.ts";

/** Every operation of the API. */
export const routes: readonly Route[] = [
  ...linkRoutes,
  ...qrRoutes,
  ...bioRoutes,
  ...assetRoutes,
  ...analyticsRoutes,
  ...webhookRoutes,
  ...workspaceRoutes,
];

const operations = routes.map(({ operation }) => operation);

/** The API surface: `/v1`, and what else its host serves. */
export const api = new Hono<ApiEnv>();

api.use(async (c, next) => {
  const nowMs = Date.now();
  c.set("nowMs", nowMs);
  c.set("requestId", uuidv7(nowMs));
  c.set("settings", getSettings(c.env));
  c.header("X-Request-Id", c.var.requestId);
  await next();
});
api.use(
  cors({
    origin: "*",
    allowMethods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
    allowHeaders: ["Authorization", "Content-Type", "Idempotency-Key", "If-None-Match"],
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
      "X-QR-Error-Correction",
      "X-QR-Version",
      "X-QR-Warning",
    ],
    maxAge: 86_400,
  }),
);
api.onError(respondWithError);
api.notFound(respondWithNotFound);

api.get("/healthz", (c) => c.json({ status: "ok" })).all(allowOnly("GET"));
api
  .get("/openapi.json", async (c) => {
    const { serializeDocument: documentJson } = await import("./openapi/document-json.ts");
    return c.body(documentJson(c.var.settings.apiUrl, operations), 200, {
      "Content-Type": "application/json",
      "Cache-Control": "public, max-age=60",
    });
  })
  .all(allowOnly("GET"));
api
  .get("/docs", async (c) => {
    const { serveDocs } = await import("./docs/serve.tsx");
    return serveDocs(c, operations);
  })
  .all(allowOnly("GET"));
api
  .put("/uploads/:workspace_id/:asset_id", async (c) => {
    await receiveUpload(c.req.raw, c.env, c.var.nowMs);
    return c.body(null, 200);
  })
  .all(allowOnly("PUT"));
api.use("/v1/*", authenticate, rateLimit);
for (const [path, ofPath] of Map.groupBy(routes, ({ operation }) => operation.path)) {
  for (const route of ofPath) api.on(route.operation.method, [path], ...buildHandlers(route));
  // Before the next path is mounted: one with a parameter would take `/v1/links/bulk` for an id.
  api.all(path, allowOnly(...ofPath.map(({ operation }) => operation.method.toUpperCase())));
}

/** What any other method on a path is answered. */
function allowOnly(...methods: string[]): () => never {
  const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
  return () => {
    throw new ApiError("METHOD_NOT_ALLOWED", `This path answers ${allow}.`, { headers: { Allow: allow } });
  };
}
