import { HTTPException } from "hono/http-exception";
import { ApiError, invalid, notFound } from "../core/error.ts";
import type { ApiContext } from "./context.ts";
import { errorEnvelope } from "./envelope.ts";

/** The answer to whatever a handler threw. What was not meant for the client is logged and stays unsaid. */
export function respondWithError(error: unknown, c: ApiContext): Response {
  const known = toApiError(error);
  if (known.code === "INTERNAL_ERROR") console.error(`request ${c.var.requestId} failed`, error);
  const name = c.var.errorNames?.[known.code];
  return c.json(errorEnvelope(c.var.requestId, known, name), known.status as 400, known.headers);
}

/** The answer to a path the API does not have. */
export function respondWithNotFound(c: ApiContext): Response {
  return respondWithError(notFound(), c);
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HTTPException && error.status === 400) {
    return invalid({ field: "body", message: "must be valid JSON" });
  }
  return new ApiError(
    "INTERNAL_ERROR",
    "Something went wrong on our side. Name the request_id when you ask about it.",
  );
}
