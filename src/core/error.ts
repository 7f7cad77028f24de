/** HTTP status of every error code (contract section 7 and decisions section 1). */
export const ERROR_STATUS = {
  VALIDATION_ERROR: 400,
  INVALID_API_KEY: 401,
  REVOKED_API_KEY: 401,
  EXPIRED_API_KEY: 401,
  INSUFFICIENT_SCOPE: 403,
  INVALID_UPLOAD_URL: 403,
  EXPIRED_UPLOAD_URL: 403,
  FEATURE_NOT_AVAILABLE: 403,
  PLAN_LIMIT_EXCEEDED: 403,
  RESOURCE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  SLUG_TAKEN: 409,
  ASSET_NOT_UPLOADED: 409,
  ASSET_ALREADY_UPLOADED: 409,
  ASSET_NOT_CONFIRMED: 409,
  IDEMPOTENCY_CONFLICT: 409,
  WEBHOOK_DISABLED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMIT_EXCEEDED: 429,
  BURST_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Codes by other names, for an operation that has its own. */
export type ErrorNames = Readonly<Partial<Record<ErrorCode, string>>>;

/** One fault of an input: the path of the field (`links[3].url`) and what it must be. */
export interface FieldFault {
  field: string;
  message: string;
}

interface ApiErrorOptions {
  details?: readonly FieldFault[];
  headers?: Readonly<Record<string, string>>;
  /** Only where one code has two statuses (`IDEMPOTENCY_CONFLICT`: 409 and 422). */
  status?: number;
}

/** An error the client is told about: its message is written for them and goes out as it is. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: readonly FieldFault[] | undefined;
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

/** One answer for an id that is malformed, unknown or another workspace's, so that none can be told apart. */
export function notFound(): ApiError {
  return new ApiError("RESOURCE_NOT_FOUND", "The resource does not exist.");
}

/** A `VALIDATION_ERROR` whose message names the first fault; all of them are in `error.details`. */
export function invalid(...faults: [FieldFault, ...FieldFault[]]): ApiError {
  const [first] = faults;
  return new ApiError("VALIDATION_ERROR", `${first.field}: ${first.message}`, { details: faults });
}
