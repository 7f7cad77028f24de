/** Asks again until the answer is right. Fails with the last answer after `deadlineMs`. */
export async function eventually<Value>(
  ask: () => Promise<Value>,
  isRight: (value: Value) => boolean,
  deadlineMs = 15_000,
): Promise<Value> {
  const endMs = Date.now() + deadlineMs;
  for (;;) {
    const value = await ask();
    if (isRight(value)) return value;
    if (Date.now() > endMs) throw new Error(`still not right: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
