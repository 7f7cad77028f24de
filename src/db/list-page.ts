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

/** Returns the condition for items older than the one with this id, or undefined without an id. */
export function olderThan(column: SQLWrapper, id: string | undefined): SQL | undefined {
  return id === undefined ? undefined : lt(column, id);
}
