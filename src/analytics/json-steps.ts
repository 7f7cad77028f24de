/** Maximum number of rows in one statement. */
const STEP_ROWS = 1_000;
/** Maximum size of the rows of one statement, in characters. A value of D1 takes 2 MB, and a character up to 3 bytes. */
const STEP_CHARACTERS_MAX = 500_000;

/** Returns rows as JSON arrays for one statement each. A row that is too large has a statement of its own. */
export function formatSteps(rows: readonly unknown[]): string[] {
  const steps: string[][] = [];
  let charactersLeft = 0;
  for (const row of rows.map((value) => JSON.stringify(value))) {
    if (row.length > charactersLeft || steps.at(-1)?.length === STEP_ROWS) {
      steps.push([]);
      charactersLeft = STEP_CHARACTERS_MAX;
    }
    charactersLeft -= row.length;
    steps.at(-1)?.push(row);
  }
  return steps.map((step) => `[${step.join(",")}]`);
}
