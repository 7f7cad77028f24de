import { onTestFinished } from "vitest";

/**
 * Lets a database ignore some writes until the test ends, as if another request were always faster.
 * `condition` selects them by their `NEW` row. Returns a function that counts them.
 */
export async function ignoreWrites(
  d1: D1Database,
  write: `UPDATE ON ${string}` | `INSERT ON ${string}`,
  condition: string,
): Promise<() => Promise<number>> {
  const name = `ignored_${crypto.randomUUID().replaceAll("-", "")}`;
  await d1.prepare(`CREATE TABLE ${name} (n)`).run();
  await d1
    .prepare(
      `CREATE TRIGGER ${name}_trigger BEFORE ${write} WHEN ${condition}
        BEGIN INSERT INTO ${name} VALUES (1); SELECT RAISE(IGNORE); END`,
    )
    .run();
  onTestFinished(async () => {
    await d1.batch([d1.prepare(`DROP TRIGGER ${name}_trigger`), d1.prepare(`DROP TABLE ${name}`)]);
  });
  return async () => (await d1.prepare(`SELECT count(*) AS n FROM ${name}`).first<number>("n")) ?? 0;
}
