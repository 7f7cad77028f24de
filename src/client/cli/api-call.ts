import { CommandError, EXIT, type ExitCode } from "./exit-code.ts";

/** Pending call of the client. */
type Call<Body> = Promise<{ data?: Body; error?: unknown; response: Response }>;

/** Parts of an error response that are shown. */
interface ErrorBody {
  error?: { code?: string; message?: string; details?: { field?: string; message?: string }[] };
  meta?: { request_id?: string };
}

const EXIT_CODES: Record<number, ExitCode> = {
  400: EXIT.usage,
  401: EXIT.refused,
  403: EXIT.refused,
  404: EXIT.missing,
  409: EXIT.conflict,
  422: EXIT.usage,
  429: EXIT.limited,
};

/** Returns the exit code for the status of an error response. */
export function toExitCode(status: number): ExitCode {
  return EXIT_CODES[status] ?? EXIT.failed;
}

/** Waits for a call and returns its body. Throws a {@link CommandError} with the service's error message. */
export async function callService<Body>(call: Call<Body>): Promise<Body> {
  const result = await call.catch((error: unknown) => {
    throw explainFailure(error);
  });
  if (!result.response.ok || result.data === undefined)
    throw explainResponse(result.response.status, result.error);
  return result.data;
}

/** Returns the error for an unsuccessful response. */
export function explainResponse(status: number, body: unknown): CommandError {
  const { error, meta } = (typeof body === "object" && body !== null ? body : {}) as ErrorBody;
  const exitCode = toExitCode(status);
  if (error?.message === undefined) return new CommandError(`the service returned ${status}`, exitCode);
  const request = status >= 500 && meta?.request_id ? ` (request ${meta.request_id})` : "";
  const problems = (error.details ?? []).map(({ field, message }) => `${field}: ${message}`);
  // A single problem is already in the message.
  const details = problems.length > 1 ? problems : [];
  return new CommandError(`${error.code}: ${error.message}${request}`, exitCode, details);
}

/**
 * Returns the error for a call without a response. Uses the cause, which is more specific than the message of
 * `fetch`.
 */
export function explainFailure(error: unknown): CommandError {
  const { message, cause } = error as Error & { cause?: { message?: string; code?: string } };
  return new CommandError(`can't reach the service: ${cause?.code ?? (cause?.message || message)}`);
}
