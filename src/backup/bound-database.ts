import { quoteName, readLine, writeLine } from "./row-json.ts";
import type { StoredTable } from "./stored-tables.ts";

/** Maximum number of rows and bytes of a page. A row that is larger has a page of its own. */
const PAGE_ROWS = 1_000;
const PAGE_BYTES = 1_000_000;

/** Some rows of a table, as lines. */
export interface Page {
  lines: string[];
  /** Key of the last row. The next page begins after it. Null after the last row of the table. */
  last: string | null;
}

/** Reads the rows of a table after a key, in the order of the primary key. */
export async function readPage(d1: D1Database, table: StoredTable, after: string | null): Promise<Page> {
  const statement = d1.prepare(selectPage(table, after !== null));
  const bound = after === null ? statement : statement.bind(after);
  const { results } = await bound.all<{ line: string; key: string }>();
  return { lines: results.map(({ line }) => line), last: results.at(-1)?.key ?? null };
}

/** Yields all rows of a table as lines, one page in memory at a time. Each page is read in its own transaction. */
export async function* readPages(d1: D1Database, table: StoredTable): AsyncGenerator<string> {
  for (let page = await readPage(d1, table, null); page.last !== null; ) {
    yield* page.lines;
    page = await readPage(d1, table, page.last);
  }
}

function selectPage({ name, columns, key }: StoredTable, isLater: boolean): string {
  const names = key.map(quoteName);
  const sorted = names.map((_, index) => `key_${index}`);
  const after = `WHERE (${names.join(", ")}) > (${readLine("?1", key)})`;
  return `SELECT line, key FROM (
    SELECT line, key, sum(octet_length(line)) OVER (ORDER BY ${sorted.join(", ")}) - octet_length(line) AS earlier FROM (
      SELECT ${names.map((column, index) => `${column} AS ${sorted[index]}`).join(", ")},
             ${writeLine(columns)} AS line, ${writeLine(key)} AS key
        FROM ${quoteName(name)} ${isLater ? after : ""} ORDER BY ${names.join(", ")} LIMIT ${PAGE_ROWS}))
    WHERE earlier <= ${PAGE_BYTES} ORDER BY earlier`;
}
