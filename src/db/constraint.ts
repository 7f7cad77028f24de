/**
 * Returns true if a statement violated a UNIQUE constraint on exactly these columns. Columns are given as
 * `table.column` in the order of the index.
 */
export function isUniqueViolation(error: unknown, ...columns: string[]): boolean {
  return getConstraintMessage(error).includes(`UNIQUE constraint failed: ${columns.join(", ")}:`);
}

/** Returns true if a statement violated the unique index with this name. Used for indexes on expressions. */
export function isUniqueIndexViolation(error: unknown, index: string): boolean {
  return getConstraintMessage(error).includes(`UNIQUE constraint failed: index '${index}':`);
}

/** Returns true if a statement gave a column, written as `table.column`, no value although it needs one. */
export function isNotNullViolation(error: unknown, column: string): boolean {
  return getConstraintMessage(error).includes(`NOT NULL constraint failed: ${column}:`);
}

/** Returns true if a trigger rejected a statement with this message. */
export function isRaised(error: unknown, message: string): boolean {
  return getConstraintMessage(error).includes(`${message}:`);
}

/** Returns true if a statement violated the NOT NULL constraint on a column, given as `table.column`. */
export function isMissingValue(error: unknown, column: string): boolean {
  return getConstraintMessage(error).includes(`NOT NULL constraint failed: ${column}:`);
}

/** Returns true if a statement violated the CHECK constraint with this name. */
export function isCheckViolation(error: unknown, name: string): boolean {
  return getConstraintMessage(error).includes(`CHECK constraint failed: ${name}:`);
}

/**
 * Returns D1's error message (`D1_ERROR: UNIQUE constraint failed: …: SQLITE_CONSTRAINT`), with a trailing
 * colon. Drizzle wraps D1's error as `cause`.
 */
function getConstraintMessage(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return error.cause instanceof Error ? `${error.cause.message}:` : `${error.message}:`;
}
