/**
 * Waits for two promises that run in parallel. If both reject, throws the first promise's error, even if the
 * second rejected earlier, so that callers see the same error as with sequential calls.
 */
export async function joinInOrder<First, Second>(
  first: Promise<First>,
  second: Promise<Second>,
): Promise<[First, Second]> {
  // Prevents an unhandled rejection if the first promise rejects. If the first promise resolves, the next
  // line still throws the second error.
  second.catch(() => {});
  return [await first, await second];
}
