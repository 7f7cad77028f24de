/**
 * Whether a statement failed on a UNIQUE constraint over exactly these columns (`table.column`, in the order of
 * the index).
 */
export function violatesUnique(error: unknown, ...columns: string[]): boolean {
  return constraintMessage(error).includes(`UNIQUE constraint failed: ${columns.join(", ")}:`);
}

/** Whether a statement failed on the CHECK constraint of this name. */
export function violatesCheck(error: unknown, name: string): boolean {
  return constraintMessage(error).includes(`CHECK constraint failed: ${name}:`);
}

/** D1's own message (`D1_ERROR: UNIQUE constraint failed: …: SQLITE_CONSTRAINT`), below Drizzle's wrapping. */
function constraintMessage(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return error.cause instanceof Error ? `${error.cause.message}:` : `${error.message}:`;
}
