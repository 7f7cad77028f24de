import { computed, signal } from "@preact/signals";
import { navigate } from "../../address/address.ts";
import { showToast, TOAST_MS } from "../../components/toasts.tsx";
import { asFault } from "../../data/calls.ts";
import { createBioPage, deleteBioPage, type Page, setPublished } from "./page-store.ts";

/** Commands for one bio page. Each can be undone. */

/** Publishes or unpublishes a page. Returns it, or null if that failed. */
export async function togglePublished(page: Page): Promise<Page | null> {
  const isPublished = !page.is_published;
  try {
    const changed = await setPublished(page, isPublished);
    const undo = () => void setPublished(changed, !isPublished).catch(showPageFault);
    showToast(isPublished ? `“${page.title}” is public` : `“${page.title}” is no longer public`, {
      label: "Undo",
      run: undo,
    });
    return changed;
  } catch (fault) {
    showPageFault(fault);
    return null;
  }
}

/** Creates an unpublished copy of a page. Its address is a new one. */
export async function duplicatePage({ title, description, page_data }: Page): Promise<void> {
  try {
    const copy = await createBioPage({ title, description, page_data }, crypto.randomUUID());
    showToast(`A copy of “${title}” is ready, not public yet`, {
      label: "Edit",
      run: () => navigate(`/pages/${copy.id}`),
    });
  } catch (fault) {
    showPageFault(fault);
  }
}

/** Pages that are deleted as far as the dashboard shows, by the function that tells the service. */
const waiting = signal<ReadonlyMap<string, () => void>>(new Map());

/** Ids of pages that no list shows, because their deletion can still be undone. */
export const hiddenPageIds = computed(() => new Set(waiting.value.keys()));

function stopWaiting(id: string): void {
  waiting.value = new Map([...waiting.peek()].filter(([other]) => other !== id));
}

/**
 * Deletes a page when its message is gone, unless that is undone: the service cannot take a deletion back. A document that
 * is left sends what waits.
 */
export function removePage({ id, title }: Page): void {
  const send = async (isLeaving: boolean) => {
    clearTimeout(timer);
    try {
      await deleteBioPage(id, isLeaving);
    } catch (fault) {
      showPageFault(fault);
    }
    stopWaiting(id);
  };
  const timer = setTimeout(send, TOAST_MS, false);
  waiting.value = new Map([...waiting.peek(), [id, () => void send(true)]]);
  const undo = () => {
    clearTimeout(timer);
    stopWaiting(id);
  };
  showToast(`“${title}” is deleted`, { label: "Undo", run: undo });
}

addEventListener("pagehide", () => {
  for (const send of waiting.peek().values()) send();
});

/** Says what failed. */
export function showPageFault(fault: unknown): void {
  showToast(asFault(fault).message);
}
