// Pure: no I/O, clock or randomness.

/** Returns a function that waits until the caller may proceed. Callers proceed at least `gapMs` apart. */
export function createPacer(
  gapMs: number,
  { nowMs, sleep }: { nowMs: () => number; sleep: (durationMs: number) => Promise<void> },
): () => Promise<void> {
  let nextAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const turnMs = Math.max(nowMs(), nextAtMs);
    nextAtMs = turnMs + gapMs;
    const waitMs = turnMs - nowMs();
    if (waitMs > 0) await sleep(waitMs);
  };
}
