/** HTTP status of every error code. */
export const ERROR_STATUS = {
  VALIDATION_ERROR: 400,
  INVALID_API_KEY: 401,
  REVOKED_API_KEY: 401,
  EXPIRED_API_KEY: 401,
  INVALID_SESSION: 401,
  HTTPS_REQUIRED: 403,
  INSUFFICIENT_SCOPE: 403,
  INSUFFICIENT_ROLE: 403,
  NOT_A_MEMBER: 403,
  ORIGIN_MISMATCH: 403,
  SESSION_REQUIRED: 403,
  INVALID_UPLOAD_URL: 403,
  EXPIRED_UPLOAD_URL: 403,
  WORKSPACE_SUSPENDED: 403,
  LINK_BANNED: 403,
  FEATURE_NOT_AVAILABLE: 403,
  PLAN_LIMIT_EXCEEDED: 403,
  RESOURCE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  SLUG_TAKEN: 409,
  ALIAS_TAKEN: 409,
  ALIAS_LIMIT_EXCEEDED: 409,
  EXTERNAL_ID_TAKEN: 409,
  DOMAIN_TAKEN: 409,
  DOMAIN_IS_PRIMARY: 409,
  DOMAIN_NOT_ACTIVE: 409,
  ASSET_NOT_UPLOADED: 409,
  ASSET_ALREADY_UPLOADED: 409,
  ASSET_NOT_CONFIRMED: 409,
  ENTRY_NOT_REVERTIBLE: 409,
  IDEMPOTENCY_CONFLICT: 409,
  KEY_LIMIT_EXCEEDED: 409,
  KEY_NOT_ACTIVE: 409,
  MEMBERS_MANAGED_BY_PROVIDER: 409,
  ALREADY_A_MEMBER: 409,
  LAST_OWNER: 409,
  INVITATION_LIMIT_EXCEEDED: 409,
  PASSKEY_LIMIT_EXCEEDED: 409,
  WEBHOOK_DISABLED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMIT_EXCEEDED: 429,
  BURST_LIMIT_EXCEEDED: 429,
  DELIVERY_BACKLOG: 429,
  EXPORT_IN_PROGRESS: 429,
  QUOTA_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
  WORKSPACE_MOVING: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Public names that replace error codes in one operation's responses. */
export type ErrorNames = Readonly<Partial<Record<ErrorCode, string>>>;

/** Validation error of one input field. */
export interface FieldProblem {
  /** Path of the field, such as `links[3].url`. */
  field: string;
  /** Text shown after the path, such as `must be a string`. */
  message: string;
}

interface ApiErrorOptions {
  details?: readonly FieldProblem[];
  headers?: Readonly<Record<string, string>>;
  /** Overrides the status of {@link ERROR_STATUS}: `IDEMPOTENCY_CONFLICT` is sent with 409 or 422. */
  status?: number;
}

/** Error sent to the client. The response contains its message unchanged. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: readonly FieldProblem[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.status = options.status ?? ERROR_STATUS[code];
    this.details = options.details;
    this.headers = options.headers ?? {};
  }
}

/** Resource names used in "not found" messages. */
export type ResourceName =
  | "asset"
  | "bio page"
  | "delivery"
  | "domain"
  | "entry"
  | "invitation"
  | "key"
  | "link"
  | "member"
  | "passkey"
  | "path"
  | "report"
  | "session"
  | "template"
  | "webhook";

/**
 * Returns the error for an id that is malformed, unknown or in another workspace. All three cases have the
 * same response, and the message doesn't contain the id, so that callers can't find out which ids exist.
 */
export function createNotFoundError(resource: ResourceName): ApiError {
  return new ApiError("RESOURCE_NOT_FOUND", `The ${resource} does not exist.`);
}

/** Returns the error for a change of a link that an administrator has banned. */
export function createBannedError(): ApiError {
  return new ApiError(
    "LINK_BANNED",
    "The administrator of this service has banned this link. It can't be changed or deleted.",
  );
}

/**
 * Returns a `VALIDATION_ERROR`. Its message describes the first problem; `error.details` lists all problems.
 */
export function createValidationError(...problems: [FieldProblem, ...FieldProblem[]]): ApiError {
  const [first] = problems;
  return new ApiError("VALIDATION_ERROR", `${first.field}: ${first.message}`, { details: problems });
}
