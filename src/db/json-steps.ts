import { splitBySize } from "../core/split.ts";

/** Maximum number of rows in one statement. */
const STEP_ROWS = 1_000;
/** Maximum size of the rows of one statement, in characters. A value of D1 takes 2 MB, and a character up to 3 bytes. */
const STEP_CHARACTERS_MAX = 500_000;

/** Returns rows as JSON arrays for one statement each. A row that is too large has a statement of its own. */
export function formatSteps(rows: readonly unknown[]): string[] {
  const texts = rows.map((row) => JSON.stringify(row));
  const steps = splitBySize(texts, ({ length }) => length, STEP_CHARACTERS_MAX, STEP_ROWS);
  return steps.map((step) => `[${step.join(",")}]`);
}
