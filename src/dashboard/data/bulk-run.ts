/** Work on many items: in groups, a few at a time, with progress. */

/** State of the work. */
export interface BulkProgress {
  done: number;
  failed: number;
  total: number;
}

interface BulkOptions<Item> {
  items: readonly Item[];
  /** Items of one call. */
  groupSize: number;
  /** Calls at the same time. */
  parallel: number;
  /** Works on a group. Throws if all of it failed. */
  work: (group: readonly Item[]) => Promise<void>;
  /** Returns how long to wait before the same group is tried again, or null to give it up. */
  getPauseMs: (fault: unknown, tries: number) => number | null;
  pause: (ms: number) => Promise<void>;
  /** Waits until a call may begin, so that a limit is not met in the first place. */
  takeTurn?: () => Promise<void>;
  onProgress: (progress: BulkProgress) => void;
  /** Ends the work after the calls that are under way. */
  signal: AbortSignal;
}

/** Result of the work. */
export interface BulkResult<Item> extends BulkProgress {
  /** Items that were worked on. */
  finished: Item[];
  /** First fault that was given up, or null. */
  fault: unknown;
}

/** Works on all items. A group that fails is counted and does not stop the others. */
export async function runBulk<Item>(options: BulkOptions<Item>): Promise<BulkResult<Item>> {
  const { items, groupSize, parallel, work, getPauseMs, pause, takeTurn, onProgress, signal } = options;
  const result: BulkResult<Item> = { done: 0, failed: 0, total: items.length, finished: [], fault: null };
  let next = 0;
  /** Pause that the service asked for. It holds all calls, since all of them would be refused. */
  let hold: Promise<void> = Promise.resolve();

  const runGroup = async (group: readonly Item[]) => {
    for (let tries = 1; ; tries++) {
      await hold;
      await takeTurn?.();
      try {
        await work(group);
        result.done += group.length;
        result.finished.push(...group);
        return;
      } catch (fault) {
        const pauseMs = signal.aborted ? null : getPauseMs(fault, tries);
        if (pauseMs === null) {
          result.failed += group.length;
          result.fault ??= fault;
          return;
        }
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
