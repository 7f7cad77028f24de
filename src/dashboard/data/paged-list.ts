// Pure: no I/O, clock or randomness.

/** Lists that are loaded page by page, and changes to them. */

interface Item {
  id: string;
}

/** Items of a list that are loaded so far. */
export interface PagedList<Item> {
  items: readonly Item[];
  /** Cursor of the next page, or null at the end. */
  nextBefore: string | null;
  /** Number of all items, loaded or not. Missing if the API doesn't count them. */
  total?: number | undefined;
  /** True if there may be more items than `total`. */
  isTotalCapped?: boolean;
}

/** List whose items the API counts. */
export type CountedList<Item> = PagedList<Item> & { total: number; isTotalCapped: boolean };

/** Response of the API with one page of a list. */
interface PageBody<Item> {
  data: Item[];
  meta: { total: number; total_is_capped: boolean; next_before: string | null };
}

/** Converts a response to a list. */
export function toPage<Item>({ data, meta }: PageBody<Item>): CountedList<Item> {
  const { total, total_is_capped: isTotalCapped, next_before: nextBefore } = meta;
  return { items: data, nextBefore, total, isTotalCapped };
}

/** Returns a page of a list without `meta.next_before`. A full page may be followed by an empty one. */
export function toFullPage<Row extends Item>(items: readonly Row[], pageSize: number): PagedList<Row> {
  return { items, nextBefore: items.length === pageSize ? (items.at(-1)?.id ?? null) : null };
}

/** Appends the next page to a list. Leaves out items that are already in the list. */
export function appendPage<List extends PagedList<Item>>(known: List, next: List): List {
  const ids = new Set(known.items.map(({ id }) => id));
  return { ...next, items: [...known.items, ...next.items.filter(({ id }) => !ids.has(id))] };
}

/** Returns the list with a new item at the start, or with the item replaced if the list has it. */
export function putItem<List extends PagedList<Item>>(list: List, item: List["items"][number]): List {
  if (list.items.some(({ id }) => id === item.id)) return changeItem(list, item.id, item);
  return {
    ...list,
    items: [item, ...list.items],
    ...(list.total !== undefined && { total: list.total + 1 }),
  };
}

/** Returns the list with one item changed, or the same list if the item isn't in it. */
export function changeItem<List extends PagedList<Item>>(
  list: List,
  id: string,
  change: Partial<List["items"][number]>,
): List {
  return changeItems(list, new Set([id]), () => change);
}

/** Returns the list with several items changed, or the same list if it has none of them. */
export function changeItems<List extends PagedList<Item>>(
  list: List,
  ids: ReadonlySet<string>,
  change: (item: List["items"][number]) => Partial<List["items"][number]>,
): List {
  if (!list.items.some(({ id }) => ids.has(id))) return list;
  const items = list.items.map((item) => (ids.has(item.id) ? { ...item, ...change(item) } : item));
  return { ...list, items };
}

/** Returns the list without some items, or the same list if it has none of them. */
export function removeItems<List extends PagedList<Item>>(list: List, ids: ReadonlySet<string>): List {
  const items = list.items.filter(({ id }) => !ids.has(id));
  const count = list.items.length - items.length;
  if (count === 0) return list;
  return { ...list, items, ...(list.total !== undefined && { total: list.total - count }) };
}
