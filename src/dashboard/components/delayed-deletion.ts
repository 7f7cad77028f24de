import { computed, signal } from "@preact/signals";
import { asFault } from "../data/calls.ts";
import { showToast } from "./toast-list.ts";

/** Deletions with a way back: the service cannot take one back, so it hears of it when the time to undo is over. */

/** Deletions that the page shows already, by id, with the functions that tell the service. */
const waiting = signal<ReadonlyMap<string, () => void>>(new Map());

/** Ids that no list shows, because their deletion can still be undone. */
export const hiddenIds = computed(() => new Set(waiting.value.keys()));

interface Deletion {
  id: string;
  /** Message with the button that undoes it. */
  message: string;
  /** Tells the service, and takes the item out of what was read. `isLeaving` is true for a page that is being left. */
  send: (isLeaving: boolean) => Promise<void>;
  /** Called after the deletion was undone. */
  onUndo?: () => void;
}

/**
 * Deletes when the message is gone, unless that is undone: so its button works for as long as it is there. A page that is
 * left sends what waits.
 */
export function deleteLater({ id, message, send, onUndo }: Deletion): void {
  let isOver = false;
  const end = async (isLeaving: boolean) => {
    if (isOver) return;
    isOver = true;
    try {
      await send(isLeaving);
    } catch (fault) {
      showToast(asFault(fault).message);
    }
    stopWaiting(id);
  };
  const undo = () => {
    if (isOver) return;
    stopWaiting(id);
    onUndo?.();
  };
  waiting.value = new Map([...waiting.peek(), [id, () => void end(true)]]);
  showToast(message, { label: "Undo", run: undo }, () => void end(false));
}

function stopWaiting(id: string): void {
  waiting.value = new Map([...waiting.peek()].filter(([other]) => other !== id));
}

addEventListener("pagehide", () => {
  for (const send of waiting.peek().values()) send();
});
