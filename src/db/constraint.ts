/**
 * Returns true if a statement failed on a UNIQUE constraint over exactly these columns. Columns are given as
 * `table.column`, in the order of the index.
 */
export function isUniqueViolation(error: unknown, ...columns: string[]): boolean {
  return getConstraintMessage(error).includes(`UNIQUE constraint failed: ${columns.join(", ")}:`);
}

/** Returns true if a statement failed on the unique index of this name, which is on an expression. */
export function isUniqueIndexViolation(error: unknown, index: string): boolean {
  return getConstraintMessage(error).includes(`UNIQUE constraint failed: index '${index}':`);
}

/** Returns true if a trigger refused a statement with this message. */
export function isRaised(error: unknown, message: string): boolean {
  return getConstraintMessage(error).includes(`${message}:`);
}

/** Returns true if a statement failed on the CHECK constraint of this name. */
export function isCheckViolation(error: unknown, name: string): boolean {
  return getConstraintMessage(error).includes(`CHECK constraint failed: ${name}:`);
}

/**
 * Returns the message of D1 (`D1_ERROR: UNIQUE constraint failed: …: SQLITE_CONSTRAINT`). Drizzle wraps the error of D1
 * and keeps it as `cause`.
 */
function getConstraintMessage(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return error.cause instanceof Error ? `${error.cause.message}:` : `${error.message}:`;
}
