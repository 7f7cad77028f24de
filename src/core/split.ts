/**
 * Splits items into batches, keeping their order. Each batch has at most `itemsMax` items with a total size
 * of at most `sizeMax`. An item larger than `sizeMax` becomes a batch of its own.
 */
export function splitBySize<Item>(
  items: readonly Item[],
  getSize: (item: Item) => number,
  sizeMax: number,
  itemsMax = Number.POSITIVE_INFINITY,
): Item[][] {
  const steps: Item[][] = [];
  let step: Item[] | undefined;
  let left = 0;
  for (const item of items) {
    const size = getSize(item);
    if (step === undefined || size > left || step.length === itemsMax) {
      step = [];
      steps.push(step);
      left = sizeMax;
    }
    left -= size;
    step.push(item);
  }
  return steps;
}
