import { signal } from "@preact/signals";
import { formatCount } from "../../../core/format-count.ts";
import { showToast } from "../../components/toast-list.ts";
import type { BulkProgress, BulkResult } from "../../data/bulk-run.ts";
import { asFault } from "../../data/calls.ts";
import { trackWork } from "../../data/pending-work.ts";
import { type BulkCommand, runCommand } from "./bulk-commands.ts";
import { showFault } from "./link-commands.ts";
import type { LinkQuery } from "./link-filters.ts";
import { type Link, readAll } from "./link-store.ts";

/** Runs bulk actions on links, and holds their progress for the bar below the list. */

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

function begin(doing: string, total: number): BulkWork {
  stopWork();
  const work = { doing, done: 0, failed: 0, total, abort: new AbortController() };
  bulkWork.value = work;
  return work;
}

/** Shows the progress of an action, unless another one has started since. */
function advance(work: BulkWork, progress: BulkProgress): void {
  if (bulkWork.peek()?.abort === work.abort) bulkWork.value = { ...work, ...progress };
}

function end(work: BulkWork): void {
  if (bulkWork.peek()?.abort === work.abort) bulkWork.value = null;
}

/** Runs an action on links, and shows its result with an undo button. An undo itself can't be undone. */
export async function runOnLinks(
  command: BulkCommand,
  links: readonly Link[],
  isUndo = false,
): Promise<void> {
  const work = begin(command.doing, links.length);
  const run = runCommand(command, links, (progress) => advance(work, progress), work.abort.signal);
  trackWork(run);
  const result = await run;
  end(work);
  const back = isUndo ? null : (command.invert?.(result.finished) ?? null);
  const undo = () => back && void runOnLinks(back.command, back.links, true);
  showToast(
    describeResult(command, result),
    back === null || back.links.length === 0 ? null : { label: "Undo", run: () => void undo() },
  );
}

function describeResult({ done }: BulkCommand, { finished, failed, total, fault }: BulkResult<Link>): string {
  const [first] = finished;
  if (total === 1) return first ? `/${first.short_code} ${done}` : asFault(fault).message;
  const count = finished.length.toLocaleString("en-GB");
  if (failed > 0)
    return `${formatCount(finished.length, "link")} ${done}. ${failed.toLocaleString("en-GB")} failed: ${asFault(fault).message}`;
  return finished.length === total
    ? `${formatCount(total, "link")} ${done}`
    : `Stopped: ${count} of ${formatCount(total, "link")} ${done}`;
}

/** Loads all links of a list with progress. Returns null if that fails or is stopped. */
export async function readAllShown(doing: string, query: LinkQuery, total: number): Promise<Link[] | null> {
  const work = begin(doing, total);
  const { signal } = work.abort;
  try {
    const links = await readAll(query, (count) => {
      advance(work, { done: count, failed: 0, total: Math.max(count, total) });
      return !signal.aborted;
    });
    return signal.aborted ? null : links;
  } catch (fault) {
    showFault(fault);
    return null;
  } finally {
    end(work);
  }
}
