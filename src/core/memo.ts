/** Maximum length of a text that is remembered, so that a client cannot fill the memory of an isolate. */
const TEXT_MAX_LENGTH = 1_000;
const ENTRIES_MAX = 1_000;

/**
 * Returns `compute` with a cache of its last results. Use it for a pure function that costs more than a look-up in a
 * map, and whose results are never modified.
 */
export function memoize<Result>(compute: (text: string) => Result): (text: string) => Result {
  const cache = new Map<string, Result>();
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const result = compute(text);
    if (text.length > TEXT_MAX_LENGTH) return result;
    if (cache.size >= ENTRIES_MAX) cache.delete(cache.keys().next().value as string);
    cache.set(text, result);
    return result;
  };
}
