import type { ErrorCode } from "../core/error.ts";

/** Error response to name. */
export interface NamedResponse {
  status: number;
  codes: readonly ErrorCode[];
  /** True if the operation uses other (lower-case) names for the codes. */
  hasLowercaseCodes: boolean;
  /** True if the operation needs no API key. Its responses have no quota headers. */
  isKeyless: boolean;
  /** True if the response may be a replay of an earlier one. */
  isReplayable: boolean;
}

/** Reason phrases (RFC 9110 section 15, RFC 6585 section 4). */
const REASON_PHRASES: Record<number, string> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  409: "Conflict",
  413: "ContentTooLarge",
  415: "UnsupportedMediaType",
  422: "UnprocessableContent",
  429: "TooManyRequests",
  500: "InternalServerError",
  503: "ServiceUnavailable",
};

/** Codes that most operations return with a status. Component names leave these codes out. */
const USUAL_CODES: readonly ErrorCode[] = [
  "VALIDATION_ERROR",
  "INVALID_API_KEY",
  "REVOKED_API_KEY",
  "EXPIRED_API_KEY",
  "INVALID_SESSION",
  "HTTPS_REQUIRED",
  "INSUFFICIENT_SCOPE",
  "INSUFFICIENT_ROLE",
  "NOT_A_MEMBER",
  "ORIGIN_MISMATCH",
  "WORKSPACE_SUSPENDED",
  "FEATURE_NOT_AVAILABLE",
  "RESOURCE_NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "IDEMPOTENCY_CONFLICT",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "RATE_LIMIT_EXCEEDED",
  "BURST_LIMIT_EXCEEDED",
  "INTERNAL_ERROR",
  "SERVICE_UNAVAILABLE",
];

/**
 * Returns the component name of an error response, such as `ForbiddenPlanLimitExceeded`. Code generators
 * build identifiers from component names, so the names consist of letters and digits only and differ in more
 * than case.
 */
export function formatResponseName(response: NamedResponse): string {
  const { status, codes, hasLowercaseCodes, isKeyless, isReplayable } = response;
  const unusual = codes.filter((code) => !USUAL_CODES.includes(code)).map(formatPascalCase);
  return [
    REASON_PHRASES[status] ?? `Status${status}`,
    unusual.join("Or"),
    hasLowercaseCodes ? "Lowercase" : "",
    isKeyless ? "Keyless" : "",
    isReplayable ? "Replayable" : "",
  ].join("");
}

/** Converts `PLAN_LIMIT_EXCEEDED` to `PlanLimitExceeded`. */
function formatPascalCase(code: string): string {
  return code.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
