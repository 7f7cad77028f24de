// Pure: no I/O, clock or randomness.

/** Represents a failed API call, with everything that a screen needs to show it. */

/** Kind of fault. Determines how a screen reacts. */
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

/** Error thrown for a failed API call. */
export class CallError extends Error {
  readonly kind: FaultKind;
  readonly code: string;
  readonly requestId: string | null;
  /** Seconds after which a retry makes sense, or null. */
  readonly retryAfterS: number | null;
  /** Messages by field path, such as `labels[0]`. Empty if the error isn't about a field. */
  readonly fields: Readonly<Record<string, string>>;

  constructor({ kind, code, message, requestId = null, retryAfterS = null, fields = {} }: FaultOptions) {
    super(message);
    this.name = "CallError";
    this.kind = kind;
    this.code = code;
    this.requestId = requestId;
    this.retryAfterS = retryAfterS;
    this.fields = fields;
  }
}

/** Creates the fault for a call without a response. */
export function createOfflineFault(): CallError {
  return new CallError({
    kind: "offline",
    code: "OFFLINE",
    message: "You're offline. Nothing was lost. Try again when you're back online.",
  });
}

/** Parts of a response that describe a fault. */
export interface FaultyResponse {
  status: number;
  /** Parsed body. Can be anything if the response isn't from the API. */
  body: unknown;
  retryAfter: string | null;
}

/** Converts an error response to a fault. */
export function parseFault({ status, body, retryAfter }: FaultyResponse): CallError {
  const { error, meta } = readEnvelope(body);
  const code = error.code ?? "INTERNAL_ERROR";
  const message = error.message ?? "Something went wrong. Try again.";
  const retryAfterS = retryAfter === null ? Number.NaN : Number(retryAfter);
  return new CallError({
    kind: findKind(status, code),
    code,
    message,
    requestId: meta.request_id ?? null,
    retryAfterS: Number.isFinite(retryAfterS) && retryAfterS >= 0 ? Math.ceil(retryAfterS) : null,
    fields: readFields(error, message),
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

/** Reads the messages by field. An error without `details`, such as a conflict, may begin with a field and a colon. */
function readFields({ details }: ErrorEnvelope["error"], message: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { field, message: text } of details ?? []) fields[field] ??= toSentence(text);
  const [, field, text] = /^([a-z_]+): (.+)$/s.exec(message) ?? [];
  if (!details?.length && field !== undefined) fields[field] = `${text}.`;
  return fields;
}

/** Converts the text after a field name, such as `must be a URL`, to a sentence shown below the field. */
function toSentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
