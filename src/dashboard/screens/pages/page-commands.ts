import { navigate } from "../../address/address.ts";
import { showToast } from "../../components/toast-list.ts";
import { asFault } from "../../data/calls.ts";
import { createBioPage, deleteBioPage, type Page, restoreBioPage, setPublished } from "./page-store.ts";

/** Actions for a bio page. */

/**
 * Publishes or unpublishes a page, with a button to undo it. Returns the changed page, or null if that fails.
 */
export async function togglePublished(page: Page): Promise<Page | null> {
  const isPublished = !page.is_published;
  try {
    const changed = await setPublished(page, isPublished);
    const undo = () => void setPublished(changed, !isPublished).catch(showPageFault);
    showToast(isPublished ? `“${page.title}” published` : `“${page.title}” unpublished`, {
      label: "Undo",
      run: undo,
    });
    return changed;
  } catch (fault) {
    showPageFault(fault);
    return null;
  }
}

/** Creates an unpublished copy of a page with a new slug. */
export async function duplicatePage({ title, description, page_data }: Page): Promise<void> {
  try {
    const copy = await createBioPage({ title, description, page_data }, crypto.randomUUID());
    showToast(`“${title}” duplicated. The copy isn't published yet.`, {
      label: "Edit",
      run: () => navigate(`/pages/${copy.id}`),
    });
  } catch (fault) {
    showPageFault(fault);
  }
}

/** Moves a page to the trash, with a button to restore it. Returns false if that fails. */
export async function removePage({ id, title }: Page): Promise<boolean> {
  try {
    const show = await deleteBioPage(id);
    const undo = () => void restoreBioPage(id, show).catch(showPageFault);
    showToast(`“${title}” deleted`, { label: "Undo", run: undo });
    return true;
  } catch (fault) {
    showPageFault(fault);
    return false;
  }
}

/** Shows the message of an error in a toast. */
export function showPageFault(fault: unknown): void {
  showToast(asFault(fault).message);
}
