import { type SQL, sql } from "drizzle-orm";

/** Maximum size of the items on a page, in bytes. An item larger than this has a page of its own. */
export const PAGE_BYTES_MAX = 1_048_576;

/**
 * Returns the condition for the first rows of a list that together have at most `bytesMax` bytes, and the row
 * after them, which shows that there is another page. Keeps an isolate from reading hundreds of large
 * rows. `rows` selects `id` and `bytes` of the page's rows in the order of the list, newest first.
 */
export function withinPageBytes(id: SQL, rows: SQL, bytesMax = PAGE_BYTES_MAX): SQL {
  return sql`${id} >= (select min(id) from (
      select id, sum(bytes) over (order by id desc) - bytes as earlier from (${rows}))
    where earlier <= ${bytesMax})`;
}
