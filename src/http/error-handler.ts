import { HTTPException } from "hono/http-exception";
import { ApiError, createNotFoundError, createValidationError } from "../core/error.ts";
import { logError } from "../core/log.ts";
import { createMovingError, isMoving } from "../tenant/moving.ts";
import { createBudgetError, isBudgetExceeded } from "../tenant/write-budget.ts";
import type { ApiContext } from "./context.ts";
import { buildErrorEnvelope } from "./envelope.ts";

/**
 * Converts an error to a response. Unexpected errors are logged, and the client gets a general message,
 * because the error may contain internals.
 */
export function respondWithError(error: unknown, c: ApiContext): Response {
  const apiError = toApiError(error, c);
  if (apiError.code === "INTERNAL_ERROR") logError(`request ${c.var.requestId} failed`, error);
  const name = c.var.errorNames?.[apiError.code];
  if (apiError.status === 401) c.header("WWW-Authenticate", formatChallenge(c.req.header("Authorization")));
  return c.json(
    buildErrorEnvelope(c.var.requestId, apiError, name),
    apiError.status as 400,
    apiError.headers,
  );
}

/** Formats the challenge of a response with 401. Without a bearer token it contains no error (RFC 6750). */
function formatChallenge(authorization = ""): string {
  return `Bearer realm="Signpost"${/^bearer\b/i.test(authorization) ? ', error="invalid_token"' : ""}`;
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
  return new ApiError(
    "INTERNAL_ERROR",
    "An unexpected error occurred. Include the request_id when you report it.",
  );
}
