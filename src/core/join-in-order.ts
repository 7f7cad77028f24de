/**
 * Waits for two results of work that runs at the same time. Throws the error of the first, even if the second fails
 * earlier, so that a caller sees the same error as if one had followed the other.
 */
export async function joinInOrder<First, Second>(
  first: Promise<First>,
  second: Promise<Second>,
): Promise<[First, Second]> {
  // The error of the second is thrown below, unless that of the first is.
  second.catch(() => {});
  return [await first, await second];
}
