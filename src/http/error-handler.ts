import { HTTPException } from "hono/http-exception";
import { matchedRoutes } from "hono/route";
import { formatChallenge } from "../core/bearer-challenge.ts";
import { ApiError, createNotFoundError, createValidationError } from "../core/error.ts";
import { logError } from "../core/log.ts";
import { isTransient } from "../db/retry.ts";
import { createMovingError, isMoving } from "../tenant/moving.ts";
import { createBudgetError, isBudgetExceeded } from "../tenant/write-budget.ts";
import type { ApiContext } from "./context.ts";
import { buildErrorEnvelope } from "./envelope.ts";

/** Time after which clients retry when storage has failed. */
const RETRY_AFTER_SECONDS = 2;

/**
 * Converts an error to a response. Unexpected errors are logged, and the client gets a general message,
 * because the error may contain internals.
 */
export function respondWithError(error: unknown, c: ApiContext): Response {
  const apiError = toApiError(error, c);
  if (apiError.status >= 500) logFailure(error, apiError, c);
  const name = c.var.errorNames?.[apiError.code];
  if (apiError.status === 401) {
    const challenge = formatChallenge("Signpost", c.req.header("Authorization") ?? null);
    c.header("WWW-Authenticate", challenge);
  }
  return c.json(
    buildErrorEnvelope(c.var.requestId, apiError, name),
    apiError.status as 400,
    apiError.headers,
  );
}

function logFailure(error: unknown, { code, status }: ApiError, c: ApiContext): void {
  const { requestId, nowMs, operation, workspace } = c.var as Partial<ApiContext["var"]>;
  const route = matchedRoutes(c).find(({ path }) => !path.includes("*"));
  logError("a request failed", code === "WORKSPACE_MOVING" ? undefined : error, {
    request_id: requestId,
    workspace: workspace?.id,
    operation: operation ?? (route && `${c.req.method} ${route.path}`),
    ...{ status, code },
    ...(nowMs !== undefined && { duration_ms: Date.now() - nowMs }),
  });
}

/** Returns the response for a path that doesn't exist. */
export function respondWithNotFound(c: ApiContext): Response {
  return respondWithError(createNotFoundError("path"), c);
}

function toApiError(error: unknown, { var: { workspace, nowMs } }: ApiContext): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HTTPException && error.status === 400) {
    return createValidationError({ field: "body", message: "must be valid JSON" });
  }
  if (isMoving(error)) return createMovingError();
  if (isBudgetExceeded(error)) return createBudgetError(workspace, nowMs);
  if (isTransient(error)) {
    const headers = { "Retry-After": String(RETRY_AFTER_SECONDS) };
    return new ApiError("SERVICE_UNAVAILABLE", "The service can't reach its storage. Try again.", {
      headers,
    });
  }
  return new ApiError(
    "INTERNAL_ERROR",
    "An unexpected error occurred. Include the request_id when you report it.",
  );
}
