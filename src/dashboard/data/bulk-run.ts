// Pure: no I/O, clock or randomness.

/** Processes many items in batches, a few calls in parallel, and reports progress. */

export interface BulkProgress {
  done: number;
  failed: number;
  total: number;
}

interface BulkOptions<Item> {
  items: readonly Item[];
  /** Items per call. */
  groupSize: number;
  /** Number of parallel calls. */
  parallel: number;
  /** Processes a group. Throws if the whole group failed. */
  work: (group: readonly Item[]) => Promise<void>;
  /** Returns the wait in milliseconds before a group is retried, or null to give the group up. */
  getPauseMs: (fault: unknown, tries: number) => number | null;
  pause: (ms: number) => Promise<void>;
  /** Called before each call. Resolves when the call may start, which keeps the calls below a rate limit. */
  takeTurn?: () => Promise<void>;
  onProgress: (progress: BulkProgress) => void;
  /** If aborted, starts no further groups. Calls in progress finish. */
  signal: AbortSignal;
}

export interface BulkResult<Item> extends BulkProgress {
  /** Items that were processed. */
  finished: Item[];
  /** First fault of a group that was given up, or null. */
  fault: unknown;
}

/** Thrown by `work` if only a part of a group failed. That part isn't retried. */
export class PartialFailure extends Error {
  readonly finished: readonly unknown[];
  readonly fault: unknown;

  constructor(finished: readonly unknown[], fault: unknown) {
    super("a part of the group failed");
    this.finished = finished;
    this.fault = fault;
  }
}

/** Processes all items. A failed group is counted and doesn't stop the others. */
export async function runBulk<Item>(options: BulkOptions<Item>): Promise<BulkResult<Item>> {
  const { items, groupSize, parallel, work, getPauseMs, pause, takeTurn, onProgress, signal } = options;
  const result: BulkResult<Item> = { done: 0, failed: 0, total: items.length, finished: [], fault: null };
  let next = 0;
  /** Resolves after the pause that the service requested. All calls wait, as all would be rejected. */
  let hold: Promise<void> = Promise.resolve();

  const settle = (group: readonly Item[], finished: readonly Item[], fault: unknown) => {
    result.done += finished.length;
    result.failed += group.length - finished.length;
    result.finished.push(...finished);
    result.fault ??= fault;
  };
  const runGroup = async (group: readonly Item[]) => {
    for (let tries = 1; ; tries++) {
      await hold;
      await takeTurn?.();
      try {
        await work(group);
        return settle(group, group, null);
      } catch (fault) {
        if (fault instanceof PartialFailure) return settle(group, fault.finished as Item[], fault.fault);
        const pauseMs = signal.aborted ? null : getPauseMs(fault, tries);
        if (pauseMs === null) return settle(group, [], fault);
        hold = pause(pauseMs);
      }
    }
  };
  const runLane = async () => {
    while (next < items.length && !signal.aborted) {
      const group = items.slice(next, next + groupSize);
      next += groupSize;
      await runGroup(group);
      onProgress({ done: result.done, failed: result.failed, total: result.total });
    }
  };
  await Promise.all(Array.from({ length: parallel }, runLane));
  return result;
}
