import { formatCount } from "../../../core/format-count.ts";
import { showToast } from "../../components/toast-list.ts";
import type { BulkResult } from "../../data/bulk-run.ts";
import { asFault } from "../../data/calls.ts";
import { trackWork } from "../../data/pending-work.ts";
import { type BulkCommand, deleteCommand, runCommand } from "./bulk-commands.ts";
import { advanceWork, beginWork, endWork } from "./bulk-progress.ts";
import { showFault } from "./link-commands.ts";
import type { LinkQuery } from "./link-filters.ts";
import { type Link, type LinkPage, readAll } from "./link-store.ts";
import { saveLinksCsv } from "./save-csv.ts";

/** Runs bulk actions on links. */

/** Runs an action on links, and shows its result with an undo button. An undo itself can't be undone. */
export async function runOnLinks(
  command: BulkCommand,
  links: readonly Link[],
  isUndo = false,
): Promise<void> {
  const work = beginWork(command.doing, links.length);
  const run = runCommand(command, links, (progress) => advanceWork(work, progress), work.abort.signal);
  trackWork(run);
  const result = await run;
  endWork(work);
  const back = isUndo ? null : (command.invert?.(result.finished) ?? null);
  const undo = () => back && void runOnLinks(back.command, back.links, true);
  showToast(
    describeResult(command, result),
    back === null || back.links.length === 0 ? null : { label: "Undo", run: () => void undo() },
  );
}

/** Moves links to the trash, and shows a button that undoes it. */
export function deleteLinks(links: readonly Link[]): Promise<void> {
  return runOnLinks(deleteCommand(), links);
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
  const work = beginWork(doing, total);
  const { signal } = work.abort;
  try {
    const links = await readAll(query, (count) => {
      advanceWork(work, { done: count, failed: 0, total: Math.max(count, total) });
      return !signal.aborted;
    });
    return signal.aborted ? null : links;
  } catch (fault) {
    showFault(fault);
    return null;
  } finally {
    endWork(work);
  }
}

/** Saves all links of a list as CSV. Links after its first page are read first. */
export async function saveAllShown(query: LinkQuery, page: LinkPage): Promise<void> {
  const links = page.nextBefore === null ? page.items : await readAllShown("Loading", query, page.total);
  if (links !== null) saveLinksCsv(links);
}
