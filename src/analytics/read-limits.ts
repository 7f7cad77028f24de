// Pure: no I/O, clock or randomness.
import { createValidationError } from "../core/error.ts";

/** Maximum number of rows that a query adds up. */
export const ROWS_MAX = 20_000;
/** Maximum size of these rows in bytes. */
const BYTES_MAX = 4_000_000;

/** Size of the rows that a query would read. */
export interface ReadSize {
  bytes: number;
  count: number;
}

/** Returns true if the rows are neither too large nor too many. */
export function isSmallRead({ bytes, count }: ReadSize): boolean {
  return bytes <= BYTES_MAX && count <= ROWS_MAX;
}

/** Throws `VALIDATION_ERROR` if the rows are too large or too many. `field` is the parameter at fault. */
export function requireSmallRead(field: string, size: ReadSize): void {
  if (isSmallRead(size)) return;
  const message = "matches too many scans in this range; use a shorter range or set link_id";
  throw createValidationError({ field, message });
}

/** Throws `VALIDATION_ERROR` if a query returned more rows than it may. */
export function requireFewRows(rows: readonly unknown[], rowsMax: number): void {
  if (rows.length <= rowsMax) return;
  throw createValidationError({
    field: "from_date",
    message: "begins a range with too many months of links",
  });
}
