/**
 * Splits items into steps whose sizes sum up to at most `sizeMax`, in their order. An item that exceeds it alone is a
 * step of its own.
 */
export function splitBySize<Item>(
  items: readonly Item[],
  getSize: (item: Item) => number,
  sizeMax: number,
): Item[][] {
  const steps: Item[][] = [];
  let left = 0;
  for (const item of items) {
    const size = getSize(item);
    if (size > left || steps.length === 0) {
      steps.push([]);
      left = sizeMax;
    }
    left -= size;
    steps.at(-1)?.push(item);
  }
  return steps;
}
