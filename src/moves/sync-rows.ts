import type { MovedTable } from "./moved-tables.ts";
import { matchKey, readJson, writeJson } from "./row-sql.ts";

/**
 * Maximum size of the rows in one statement. D1 accepts values of up to 2 MB, and each byte of a blob takes
 * two digits.
 */
const STEP_BYTES_MAX = 500_000;

/** Maximum number of rows in one statement. */
const STEP_ROWS = 500;

/** Runs statements on the target in one transaction. */
export type RunOnTarget = (prepare: (d1: D1Database) => D1PreparedStatement[]) => Promise<void>;

/**
 * Makes rows on the target equal to the rows on the source. `keys` are the rows' keys as JSON arrays. Rows
 * missing from the source are deleted from the target. Can be repeated safely.
 */
export async function syncRows(
  source: D1Database,
  runOnTarget: RunOnTarget,
  table: MovedTable,
  keys: readonly string[],
): Promise<void> {
  let rest = keys;
  while (rest.length > 0) {
    const rows = await readRows(source, table, rest.slice(0, STEP_ROWS));
    const missing = rows.flatMap(({ row }, index) => (row === null ? [rest[index] as string] : []));
    const found = rows.flatMap(({ row }) => row ?? []);
    await runOnTarget((d1) => [
      ...(missing.length > 0 ? [prepareDeletion(d1, table, missing)] : []),
      ...(found.length > 0 ? prepareWrites(d1, table, found) : []),
    ]);
    rest = rest.slice(rows.length);
  }
}

/**
 * Returns the first rows, each as a JSON array of its columns, or null if it's missing. Stops at
 * {@link STEP_BYTES_MAX}, but returns at least one row. `format` replaces the SQL expression for a row, which may use
 * the columns of `t`.
 */
export async function readRows(
  d1: D1Database,
  table: MovedTable,
  keys: readonly string[],
  format = `json_array(${table.columns.map((column) => writeJson(column, "t.")).join(", ")})`,
): Promise<{ row: string | null }[]> {
  const { name, columns, key } = table;
  const size = columns.map((column) => `coalesce(octet_length(t.${column.name}), 0)`).join(" + ");
  const { results } = await d1
    .prepare(
      `WITH sized AS (
         SELECT k.key AS number, k.value AS key, coalesce(${size}, 0) AS size
           FROM json_each(?1) AS k LEFT JOIN ${name} AS t ON ${matchKey(table, "k.value", "t.")}),
       placed AS (SELECT number, key, sum(size) OVER (ORDER BY number ROWS UNBOUNDED PRECEDING) - size AS start FROM sized)
       SELECT iif(t.${key[0]?.name} IS NULL, NULL, ${format}) AS row
         FROM placed LEFT JOIN ${name} AS t ON ${matchKey(table, "placed.key", "t.")}
        WHERE placed.start < ${STEP_BYTES_MAX} ORDER BY placed.number`,
    )
    .bind(joinArrays(keys))
    .all<{ row: string | null }>();
  return results;
}

/** Prepares the statements that insert or overwrite rows on the target. */
function prepareWrites(d1: D1Database, table: MovedTable, rows: readonly string[]): D1PreparedStatement[] {
  const { name, columns, key } = table;
  const keyNames = key.map((column) => column.name);
  const changed = columns.filter((column) => !keyNames.includes(column.name));
  const update = changed.map((column) => `${column.name} = excluded.${column.name}`).join(", ");
  const values = columns.map((column) => readJson("value", columns, column)).join(", ");
  const insert = `INSERT INTO ${name} (${columns.map((column) => column.name).join(", ")})
    SELECT ${values} FROM json_each(?1) WHERE true
    ON CONFLICT (${keyNames.join(", ")}) DO ${update === "" ? "NOTHING" : `UPDATE SET ${update}`}`;
  const statements = [...table.uniques.map((unique) => formatEviction(table, unique)), insert];
  const json = joinArrays(rows);
  return statements.map((statement) => d1.prepare(statement).bind(json));
}

/**
 * Returns the statement that deletes target rows which have the unique values of a new row under a different
 * key. On the source those rows have changed or no longer exist. They are written again later, or in the same
 * batch.
 */
function formatEviction(table: MovedTable, unique: readonly string[]): string {
  const { name, columns, key } = table;
  const read = (columnName: string) => {
    const column = columns.find((candidate) => candidate.name === columnName);
    return column === undefined ? "NULL" : readJson("new.value", columns, column);
  };
  const sameUnique = unique.map((column) => `old.${column} = ${read(column)}`).join(" AND ");
  const sameKey = key.map((column) => `old.${column.name} = ${read(column.name)}`).join(" AND ");
  const names = key.map((column) => column.name);
  return `DELETE FROM ${name} WHERE (${names.join(", ")}) IN (
    SELECT ${names.map((column) => `old.${column}`).join(", ")} FROM json_each(?1) AS new
     CROSS JOIN ${name} AS old ON ${sameUnique} WHERE NOT (${sameKey}))`;
}

/** Prepares the statement that deletes rows by their keys. */
export function prepareDeletion(
  d1: D1Database,
  { name, key }: MovedTable,
  keys: readonly string[],
): D1PreparedStatement {
  const names = key.map((column) => column.name).join(", ");
  const values = key.map((column) => readJson("value", key, column)).join(", ");
  return d1
    .prepare(`DELETE FROM ${name} WHERE (${names}) IN (SELECT ${values} FROM json_each(?1))`)
    .bind(joinArrays(keys));
}

/** Splits keys into one batch per statement. */
export function splitKeys(keys: readonly string[]): string[][] {
  const steps = Math.ceil(keys.length / STEP_ROWS);
  return Array.from({ length: steps }, (_, step) => keys.slice(step * STEP_ROWS, (step + 1) * STEP_ROWS));
}

/** Joins JSON values to a JSON array. */
function joinArrays(values: readonly string[]): string {
  return `[${values.join(",")}]`;
}
