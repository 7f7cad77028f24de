import { ApiError } from "../core/error.ts";
import type { BulkError, BulkUpdateError } from "./links.schema.ts";

const ITEM_ERRORS: Partial<Record<ApiError["code"], (BulkError | BulkUpdateError)["error"]>> = {
  VALIDATION_ERROR: "validation_error",
  FEATURE_NOT_AVAILABLE: "feature_not_available",
  PLAN_LIMIT_EXCEEDED: "plan_limit_exceeded",
  RESOURCE_NOT_FOUND: "not_found",
  LINK_BANNED: "link_banned",
  SLUG_TAKEN: "conflict",
  ALIAS_TAKEN: "conflict",
  ALIAS_LIMIT_EXCEEDED: "conflict",
  EXTERNAL_ID_TAKEN: "conflict",
};

/** Errors whose message is about a whole item. Other messages start with a field. */
const WITHOUT_FIELD: ReadonlySet<ApiError["code"]> = new Set([
  "PLAN_LIMIT_EXCEEDED",
  "RESOURCE_NOT_FOUND",
  "LINK_BANNED",
]);

/** Result of an item that isn't written. */
export interface RefusedItem {
  status: "refused";
  error: ApiError;
}

export function refuse(error: ApiError): RefusedItem {
  return { status: "refused", error };
}

/** Returns the error of a check, or null. Rethrows other errors. */
export function findProblem(check: () => void): ApiError | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Refuses an item because of an error. Rethrows other errors. */
export function refuseOrThrow(error: unknown): RefusedItem {
  if (error instanceof ApiError) return refuse(error);
  throw error;
}

/** Converts the error of one item to an item of `errors`. */
export function toItemError<Item extends BulkError | BulkUpdateError>(index: number, error: ApiError): Item {
  const [problem] = error.details ?? [];
  const hasField = problem?.field !== "body" && !WITHOUT_FIELD.has(error.code);
  return {
    index,
    error: ITEM_ERRORS[error.code] ?? "validation_error",
    message: hasField
      ? `links[${index}].${error.message}`
      : `links[${index}]: ${problem?.message ?? error.message}`,
  } as Item;
}
