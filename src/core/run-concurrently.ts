/**
 * Runs something for each item, in their order, for at most `concurrentMax` at a time. Throws the first error of a run; the
 * runs under way go on.
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
