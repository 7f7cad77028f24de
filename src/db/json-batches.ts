// Pure: no I/O, clock or randomness.
import { splitBySize } from "../core/split.ts";

/** Maximum number of rows per statement. */
const BATCH_ROWS = 1_000;
/**
 * Maximum size of one statement's rows in characters. A D1 value can have 2 MB, and a character up to 3
 * bytes.
 */
const BATCH_CHARACTERS_MAX = 500_000;

/**
 * Splits rows into batches and returns each batch as a JSON array for one statement. A row that is too large
 * gets a batch of its own.
 */
export function formatBatches(rows: readonly unknown[]): string[] {
  const texts = rows.map((row) => JSON.stringify(row));
  const batches = splitBySize(texts, ({ length }) => length, BATCH_CHARACTERS_MAX, BATCH_ROWS);
  return batches.map((batch) => `[${batch.join(",")}]`);
}
