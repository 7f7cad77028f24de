/** Part of a list that continues with a cursor. */
export interface PagedList<Item> {
  items: readonly Item[];
  /** Cursor of the next part, or null at the end. */
  nextBefore: string | null;
}

/** Returns a list with its next part. What is there already is not added again. */
export function appendPage<Item extends { id: string }>(
  known: PagedList<Item>,
  next: PagedList<Item>,
): PagedList<Item> {
  const ids = new Set(known.items.map(({ id }) => id));
  return { ...next, items: [...known.items, ...next.items.filter(({ id }) => !ids.has(id))] };
}

/** Returns a list with an item changed. The same list if it is not there. */
export function changeItem<Item extends { id: string }, List extends { items: readonly Item[] }>(
  list: List,
  id: string,
  change: Partial<Item>,
): List {
  if (!list.items.some((item) => item.id === id)) return list;
  return { ...list, items: list.items.map((item) => (item.id === id ? { ...item, ...change } : item)) };
}
