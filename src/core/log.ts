/** Maximum length of a log line in characters. */
const LINE_MAX_LENGTH = 2_000;
/** Maximum length of one error's description, so that a long statement leaves room for its cause. */
const ERROR_MAX_LENGTH = 700;
const FRAMES_MAX = 8;
const CAUSES_MAX = 4;

/**
 * Logs an error as one bounded line that names no person and holds no key, body or value of a statement. `context` says
 * what failed and what follows; of variable parts it may hold only ids and numbers. Nothing else in the Worker writes
 * to the console.
 */
export function logError(context: string, error?: unknown): void {
  const line = error === undefined ? context : `${context}: ${describeError(error)}`;
  console.error(line.slice(0, LINE_MAX_LENGTH));
}

/** Describes an error with its causes and the frames of its stack, in one line without values. */
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
  // The message of Drizzle's error contains the bound parameters, and its property `query` the statement without them.
  if ("query" in error && "params" in error) return `failed statement ${toOneLine(String(error.query))}`;
  return `${error.name}: ${removeValues(error.message)}`;
}

/**
 * Removes from a message what may be a value: everything from its first to its last quotation mark, since a quoted
 * value may itself contain some, then addresses, e-mail addresses and keys. Errors of JSON and URLs quote their input.
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

/** Formats where the error was thrown. Only lines after the message are frames, so that a message cannot forge any. */
function formatFrames(error: unknown): string {
  if (!(error instanceof Error) || error.stack === undefined) return "";
  const end = error.stack.indexOf(error.message);
  if (end < 0) return "";
  const lines = error.stack.slice(end + error.message.length).split("\n");
  const frames = lines.filter((line) => /^\s+at \S/.test(line) && !line.includes("@"));
  return frames.length === 0 ? "" : ` ${toOneLine(frames.slice(0, FRAMES_MAX).join(" "))}`;
}
