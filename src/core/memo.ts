/** Maximum length of cached texts. Keeps clients from filling the isolate's memory. */
const TEXT_MAX_LENGTH = 1_000;
const ENTRIES_MAX = 1_000;

/**
 * Caches the last results of `compute`, up to {@link ENTRIES_MAX}. Use it for pure functions that cost more
 * than a map look-up, and never modify the results.
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

/** Caches the result of `compute` for each object, as long as the object exists. */
export function memoizeByObject<Key extends object, Result>(
  compute: (key: Key) => Result,
): (key: Key) => Result {
  const cache = new WeakMap<Key, Result>();
  return (key) => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const result = compute(key);
    cache.set(key, result);
    return result;
  };
}
