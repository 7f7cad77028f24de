/** Longest time between two polls. The first ones follow each other sooner. */
const PAUSE_MAX_MS = 100;

/** Polls `read` until its value is accepted and returns that value. Throws with the last value after `deadlineMs`. */
export async function eventually<Value>(
  read: () => Promise<Value>,
  isExpected: (value: Value) => boolean,
  deadlineMs = 15_000,
): Promise<Value> {
  const endMs = Date.now() + deadlineMs;
  for (let pauseMs = 5; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)) {
    const value = await read();
    if (isExpected(value)) return value;
    if (Date.now() > endMs) throw new Error(`still not as expected: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
