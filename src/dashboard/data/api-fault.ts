/** Failure of a call, with all that a screen needs to tell what to do. */

/** Kind of a failure, by what a screen does about it. */
export type FaultKind =
  | "offline"
  | "signed-out"
  | "not-a-member"
  | "forbidden"
  | "missing"
  | "conflict"
  | "invalid"
  | "limited"
  | "server";

interface FaultOptions {
  kind: FaultKind;
  code: string;
  message: string;
  requestId?: string | null;
  retryAfterS?: number | null;
  fields?: Readonly<Record<string, string>>;
}

/** Error of a call of the API. */
export class ApiFault extends Error {
  readonly kind: FaultKind;
  readonly code: string;
  readonly requestId: string | null;
  /** Seconds until another try makes sense, or null. */
  readonly retryAfterS: number | null;
  /** Faults of fields by their path, such as `labels[0]`. Empty if the error names none. */
  readonly fields: Readonly<Record<string, string>>;

  constructor({ kind, code, message, requestId = null, retryAfterS = null, fields = {} }: FaultOptions) {
    super(message);
    this.name = "ApiFault";
    this.kind = kind;
    this.code = code;
    this.requestId = requestId;
    this.retryAfterS = retryAfterS;
    this.fields = fields;
  }
}

/** Fault for a call without a response. */
export function createOfflineFault(): ApiFault {
  return new ApiFault({
    kind: "offline",
    code: "OFFLINE",
    message: "There is no connection. Nothing was lost; try again when you are back online.",
  });
}

/** Parts of a response that tell a fault. */
export interface FaultyResponse {
  status: number;
  /** Parsed body, or anything if the response is not of the API. */
  body: unknown;
  retryAfter: string | null;
}

/** Fields that codes without details are about. */
const FIELD_OF_CODE: Readonly<Record<string, string>> = { SLUG_TAKEN: "custom_slug" };

/** Builds the fault of a response with an error. */
export function parseFault({ status, body, retryAfter }: FaultyResponse): ApiFault {
  const { error, meta } = readEnvelope(body);
  const code = error.code ?? "INTERNAL_ERROR";
  const message = error.message ?? "The service did not respond as expected. Try again.";
  const retryAfterS = retryAfter === null ? Number.NaN : Number(retryAfter);
  return new ApiFault({
    kind: findKind(status, code),
    code,
    message,
    requestId: meta.request_id ?? null,
    retryAfterS: Number.isFinite(retryAfterS) && retryAfterS >= 0 ? Math.ceil(retryAfterS) : null,
    fields: readFields(error, code, message),
  });
}

interface ErrorEnvelope {
  error: { code?: string; message?: string; details?: readonly { field: string; message: string }[] };
  meta: { request_id?: string };
}

function readEnvelope(body: unknown): ErrorEnvelope {
  const { error, meta } = (isObject(body) ? body : {}) as Partial<ErrorEnvelope>;
  return { error: isObject(error) ? error : {}, meta: isObject(meta) ? meta : {} };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function findKind(status: number, code: string): FaultKind {
  if (code === "NOT_A_MEMBER") return "not-a-member";
  if (status === 401) return "signed-out";
  if (status === 403) return "forbidden";
  if (status === 404) return "missing";
  if (status === 409) return "conflict";
  if (status === 429) return "limited";
  return status >= 400 && status < 500 ? "invalid" : "server";
}

function readFields(
  { details }: ErrorEnvelope["error"],
  code: string,
  message: string,
): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { field, message: text } of details ?? []) fields[field] ??= toSentence(text);
  const field = FIELD_OF_CODE[code];
  if (field !== undefined) fields[field] ??= message;
  return fields;
}

/** Turns the text after a field's name, such as `must be a URL`, into a sentence that stands below the field. */
function toSentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
