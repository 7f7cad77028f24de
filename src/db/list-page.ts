import { lt, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** Part of a list, newest first, to return. */
export interface ListPage {
  limit: number;
  /** Number of items to skip. */
  offset: number;
  /** Id of the item that the list continues after. The item may be deleted: ids have the order of creation. */
  before?: string | undefined;
}

/** Returns the condition for items that are older than the one with this id. Returns undefined without an id. */
export function olderThan(column: SQLiteColumn, id: string | undefined): SQL | undefined {
  return id === undefined ? undefined : lt(column, id);
}
