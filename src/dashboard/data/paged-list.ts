// Pure: no I/O, clock or randomness.

/** Loaded pages of a list with a cursor. */
export interface PagedList<Item> {
  items: readonly Item[];
  /** Cursor of the next page, or null at the end. */
  nextBefore: string | null;
}

/** Appends the next page to a list. Leaves out items that are already in the list. */
export function appendPage<Item extends { id: string }>(
  known: PagedList<Item>,
  next: PagedList<Item>,
): PagedList<Item> {
  const ids = new Set(known.items.map(({ id }) => id));
  return { ...next, items: [...known.items, ...next.items.filter(({ id }) => !ids.has(id))] };
}

/** Returns the list with one item changed, or the same list if the item isn't in it. */
export function changeItem<Item extends { id: string }, List extends { items: readonly Item[] }>(
  list: List,
  id: string,
  change: Partial<Item>,
): List {
  if (!list.items.some((item) => item.id === id)) return list;
  return { ...list, items: list.items.map((item) => (item.id === id ? { ...item, ...change } : item)) };
}
