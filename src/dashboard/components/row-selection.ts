/** Selection of rows by their keys. */

/**
 * Returns a selection in which the row at `index` is chosen or not. With `from`, all rows between follow, as with the
 * shift key.
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

/** Tells how many of the rows are chosen. */
export function judgeSelection(
  keys: readonly string[],
  chosen: ReadonlySet<string>,
): "none" | "some" | "all" {
  const count = keys.filter((key) => chosen.has(key)).length;
  if (count === 0) return "none";
  return count === keys.length ? "all" : "some";
}
