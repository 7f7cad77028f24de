import { signal } from "@preact/signals";
import type { BulkProgress } from "../../data/bulk-run.ts";

/** Progress of the running bulk action, for the bar below the list. Separate from the actions, which load later. */

/** Running action as shown in the bar. */
export interface BulkWork extends BulkProgress {
  doing: string;
  abort: AbortController;
}

/** Running action, or null. Only one runs at a time. */
export const bulkWork = signal<BulkWork | null>(null);

/** Stops the running action once the calls in progress have finished. */
export function stopWork(): void {
  bulkWork.peek()?.abort.abort();
}

/** Starts an action. A running action is stopped. */
export function beginWork(doing: string, total: number): BulkWork {
  stopWork();
  const work = { doing, done: 0, failed: 0, total, abort: new AbortController() };
  bulkWork.value = work;
  return work;
}

/** Shows the progress of an action, unless another one has started since. */
export function advanceWork(work: BulkWork, progress: BulkProgress): void {
  if (bulkWork.peek()?.abort === work.abort) bulkWork.value = { ...work, ...progress };
}

/** Ends an action, unless another one has started since. */
export function endWork(work: BulkWork): void {
  if (bulkWork.peek()?.abort === work.abort) bulkWork.value = null;
}
