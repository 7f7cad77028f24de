// Pure: no I/O, clock or randomness.

/** Computes selections of rows by their keys. */

/**
 * Returns the selection after the row at `index` was selected or deselected. With `from`, all rows in between
 * change too, as with the Shift key.
 */
export function selectRows(
  keys: readonly string[],
  chosen: ReadonlySet<string>,
  index: number,
  isChosen: boolean,
  from: number | null = null,
): Set<string> {
  const next = new Set(chosen);
  const [first, last] = from === null ? [index, index] : [Math.min(from, index), Math.max(from, index)];
  for (const key of keys.slice(first, last + 1)) {
    if (isChosen) next.add(key);
    else next.delete(key);
  }
  return next;
}

/** Returns whether none, some or all of the rows are selected. */
export function judgeSelection(
  keys: readonly string[],
  chosen: ReadonlySet<string>,
): "none" | "some" | "all" {
  const count = keys.filter((key) => chosen.has(key)).length;
  if (count === 0) return "none";
  return count === keys.length ? "all" : "some";
}
