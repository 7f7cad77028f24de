import { computed, signal } from "@preact/signals";
import { asFault } from "../data/calls.ts";
import { trackWork } from "../data/pending-work.ts";
import { showToast } from "./toast-list.ts";

/**
 * Deletes files with an undo option. The service can't restore files, so the service is only called once the
 * time to undo is over.
 */

/** Unsent deletions of hidden items, by item ID. Each function sends its deletion immediately. */
const waiting = signal<ReadonlyMap<string, () => void>>(new Map());

/** IDs that lists hide because their deletion is pending. */
export const hiddenIds = computed(() => new Set(waiting.value.keys()));

interface Deletion {
  /** Items that are deleted and restored together. */
  ids: readonly string[];
  /** Message shown with the undo button. */
  message: string;
  /** Calls the service and removes the items from cached data. `isLeaving` is true if the page is closing. */
  send: (isLeaving: boolean) => Promise<void>;
  /** Called after the deletion was undone. */
  onUndo?: () => void;
}

/**
 * Hides items and deletes them when the message disappears, unless the user clicks "Undo". The button works
 * as long as the message is visible. Leaving the page, and switching to another workspace, sends pending
 * deletions immediately.
 */
export function deleteLater({ ids, message, send, onUndo }: Deletion): void {
  let isOver = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = async (isLeaving: boolean) => {
    if (isOver) return;
    isOver = true;
    try {
      await send(isLeaving);
    } catch (fault) {
      showToast(asFault(fault).message);
    }
    stopWaiting(ids);
    resolve();
  };
  const undo = () => {
    if (isOver) return;
    isOver = true;
    stopWaiting(ids);
    resolve();
    onUndo?.();
  };
  trackWork(promise, () => void end(false));
  waiting.value = new Map([...waiting.peek(), ...ids.map((id) => [id, () => void end(true)] as const)]);
  showToast(message, { label: "Undo", run: undo }, () => void end(false));
}

function stopWaiting(ids: readonly string[]): void {
  waiting.value = new Map([...waiting.peek()].filter(([id]) => !ids.includes(id)));
}

addEventListener("pagehide", () => {
  for (const send of waiting.peek().values()) send();
});
