import { computed, signal } from "@preact/signals";
import { showToast } from "../../components/toasts.tsx";
import { asFault } from "../../data/calls.ts";
import { deleteLink, hideLinks, type Link, updateLink } from "./link-store.ts";

/** Commands for one link that need no form. Each can be undone. */

/** Enables, disables or archives a link, or the opposite. */
export async function toggleLink(
  link: Link,
  change: { enabled?: boolean; archived?: boolean },
  done: string,
): Promise<void> {
  const { id, short_code: code, enabled, archived } = link;
  const back = change.enabled === undefined ? { archived } : { enabled };
  try {
    await updateLink(id, change, change);
    showToast(`/${code} is ${done}`, {
      label: "Undo",
      run: () => void updateLink(id, back, back).catch(showFault),
    });
  } catch (fault) {
    showFault(fault);
  }
}

/** Time in which a deletion can be undone. It is the time that its message is shown. */
const UNDO_MS = 8_000;

/** Links that are deleted as far as the page shows, by the function that tells the service. */
const waiting = signal<ReadonlyMap<string, () => void>>(new Map());

/** Ids of links that no list shows, because their deletion can still be undone. */
export const hiddenIds = computed(() => new Set(waiting.value.keys()));

function stopWaiting(id: string): void {
  waiting.value = new Map([...waiting.peek()].filter(([other]) => other !== id));
}

/**
 * Deletes a link after {@link UNDO_MS}, unless that is undone: the service cannot take a deletion back. A page that is
 * left sends what waits.
 */
export function removeLink({ id, short_code: code }: Link): void {
  const send = async (isLeaving: boolean) => {
    clearTimeout(timer);
    try {
      await deleteLink(id, isLeaving);
      hideLinks(new Set([id]));
    } catch (fault) {
      showFault(fault);
    }
    stopWaiting(id);
  };
  const timer = setTimeout(send, UNDO_MS, false);
  waiting.value = new Map([...waiting.peek(), [id, () => void send(true)]]);
  const undo = () => {
    clearTimeout(timer);
    stopWaiting(id);
  };
  showToast(`/${code} is deleted`, { label: "Undo", run: undo });
}

addEventListener("pagehide", () => {
  for (const send of waiting.peek().values()) send();
});

/** Says what failed. */
export function showFault(fault: unknown): void {
  showToast(asFault(fault).message);
}
