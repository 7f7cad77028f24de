import { lt, type SQL, type SQLWrapper } from "drizzle-orm";

/** Page of a list to return. Lists are sorted newest first. */
export interface ListPage {
  limit: number;
  /** Number of items to skip. */
  offset: number;
  /**
   * Id of the last item on the previous page. This item may have been deleted, because ids are in the order
   * of creation.
   */
  before?: string | undefined;
}

/** Splits rows that were read with `limit + 1` into a page and the `before` of the next page. */
export function cutPage<Row extends { id: string }>(
  rows: readonly Row[],
  limit: number,
): { rows: Row[]; nextBefore: string | null } {
  const page = rows.slice(0, limit);
  return { rows: page, nextBefore: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

/** Returns the condition for items older than the one with this id, or undefined without an id. */
export function olderThan(column: SQLWrapper, id: string | undefined): SQL | undefined {
  return id === undefined ? undefined : lt(column, id);
}
