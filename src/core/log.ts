/** Maximum length of a log line in characters. */
const LINE_MAX_LENGTH = 2_000;
/**
 * Maximum length of one error's description. Leaves room for the causes of an error with a long statement.
 */
const ERROR_MAX_LENGTH = 700;
/** Maximum length of a message, so that the line has room for an error. */
const MESSAGE_MAX_LENGTH = 500;
const FRAMES_MAX = 8;
const CAUSES_MAX = 4;

/** Facts about a failed request, named as in its log line. Clients can't choose any of these values. */
export interface RequestFacts {
  request_id?: string | undefined;
  /** Id of the workspace, if it was found. */
  workspace?: string | undefined;
  /** `operationId`, otherwise the method and the route, or the surface. */
  operation?: string | undefined;
  status: number;
  /** Code of the error in the response. */
  code?: string;
  duration_ms?: number;
}

/**
 * Logs an error as one line of JSON of bounded length, without personal data, keys, bodies or values bound to
 * statements. `message` says what failed and what happens next. Its variable parts must only be ids and
 * numbers. All logging of the Worker goes through this function.
 */
export function logError(message: string, error?: unknown, facts?: RequestFacts): void {
  const fields = { message: message.slice(0, MESSAGE_MAX_LENGTH), ...facts };
  console.error(formatLine(fields, error === undefined ? undefined : describeError(error)));
}

/** Formats a line, and shortens the description of the error until it fits. */
function formatLine(fields: object, error: string | undefined): string {
  const line = JSON.stringify({ ...fields, error });
  const excess = line.length - LINE_MAX_LENGTH;
  return excess > 0 && error ? formatLine(fields, error.slice(0, -excess)) : line;
}

/** Describes an error, its causes and its stack frames in one line without values. */
export function describeError(error: unknown): string {
  const descriptions: string[] = [];
  for (let cause = error; cause !== undefined && descriptions.length < CAUSES_MAX; ) {
    descriptions.push(describeOne(cause).slice(0, ERROR_MAX_LENGTH));
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return descriptions.join("; caused by ") + formatFrames(error);
}

function describeOne(error: unknown): string {
  if (!(error instanceof Error)) return `thrown ${typeof error}`;
  // Drizzle's error message contains the bound parameters. Its property `query` contains the statement
  // without them.
  if ("query" in error && "params" in error) return `failed statement ${toOneLine(String(error.query))}`;
  return `${error.name}: ${removeValues(error.message)}`;
}

/**
 * Removes possible values from a message: everything between its first and last quotation mark, because a
 * quoted value may contain quotation marks itself, then URLs, email addresses and keys. JSON and URL errors
 * quote their input.
 */
function removeValues(message: string): string {
  const start = message.search(/["'`]/);
  const end = Math.max(...['"', "'", "`"].map((quote) => message.lastIndexOf(quote)));
  const unquoted = end > start ? `${message.slice(0, start)}…${message.slice(end + 1)}` : message;
  return toOneLine(unquoted.slice(0, ERROR_MAX_LENGTH))
    .replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/\S*/gi, "[address]")
    .replaceAll(/\S+@\S+/g, "[address]")
    .replaceAll(/\b(?:svc_pk_|svc_scim_|whsec_)\S*/g, "[key]");
}

function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/**
 * Formats the stack frames of an error. Ignores lines within the message, so that messages can't forge
 * frames.
 */
function formatFrames(error: unknown): string {
  if (!(error instanceof Error) || error.stack === undefined) return "";
  const end = error.stack.indexOf(error.message);
  if (end < 0) return "";
  const lines = error.stack.slice(end + error.message.length).split("\n");
  const frames = lines.filter((line) => /^\s+at \S/.test(line) && !line.includes("@"));
  return frames.length === 0 ? "" : ` ${toOneLine(frames.slice(0, FRAMES_MAX).join(" "))}`;
}
