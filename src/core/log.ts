/** Maximum length of a log line in characters. */
const LINE_MAX_LENGTH = 2_000;
/**
 * Maximum length of one error's description. Leaves room for the causes of an error with a long statement.
 */
const ERROR_MAX_LENGTH = 700;
const FRAMES_MAX = 8;
const CAUSES_MAX = 4;

/**
 * Logs an error as one line of bounded length, without personal data, keys, bodies or values bound to
 * statements. `context` says what failed and what happens next. Its variable parts must only be ids and
 * numbers. All logging of the Worker goes through this function.
 */
export function logError(context: string, error?: unknown): void {
  const line = error === undefined ? context : `${context}: ${describeError(error)}`;
  console.error(line.slice(0, LINE_MAX_LENGTH));
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
