/**
 * Runs a function for all items, in order, with at most `concurrentMax` calls at a time. Throws the first
 * error immediately. The other items are still processed, unless `concurrentMax` calls fail.
 */
export async function runConcurrently<Item>(
  items: Iterable<Item>,
  concurrentMax: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items].values();
  const runNext = async () => {
    for (const item of waiting) await run(item);
  };
  await Promise.all(Array.from({ length: concurrentMax }, runNext));
}
