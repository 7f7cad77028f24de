import { navigate } from "../../address/address.ts";
import { deleteLater } from "../../components/delayed-deletion.ts";
import { showToast } from "../../components/toast-list.ts";
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

/** Deletes a page, unless that is undone. */
export function removePage({ id, title }: Page): void {
  const send = (isLeaving: boolean) => deleteBioPage(id, isLeaving);
  deleteLater({ id, message: `“${title}” is deleted`, send });
}

/** Says what failed. */
export function showPageFault(fault: unknown): void {
  showToast(asFault(fault).message);
}
