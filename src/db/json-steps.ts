import { splitBySize } from "../core/split.ts";

/** Maximum number of rows per statement. */
const STEP_ROWS = 1_000;
/**
 * Maximum size of one statement's rows in characters. A D1 value can have 2 MB, and a character up to 3
 * bytes.
 */
const STEP_CHARACTERS_MAX = 500_000;

/**
 * Splits rows into batches and returns each batch as a JSON array for one statement. A row that is too large
 * gets a batch of its own.
 */
export function formatSteps(rows: readonly unknown[]): string[] {
  const texts = rows.map((row) => JSON.stringify(row));
  const steps = splitBySize(texts, ({ length }) => length, STEP_CHARACTERS_MAX, STEP_ROWS);
  return steps.map((step) => `[${step.join(",")}]`);
}
