import { type PageDraft, toDraft } from "./page-draft.ts";

/**
 * Stores unsaved changes of page forms. They survive closing the editor, a reload and signing in again, but
 * not closing the tab.
 */

const PREFIX = "signpost-page:";

/** Stores a draft. Null removes it. */
export function keepDraft(key: string, draft: PageDraft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(PREFIX + key);
    else sessionStorage.setItem(PREFIX + key, JSON.stringify(draft));
  } catch {
    // If the storage is unavailable or full, the draft only lives as long as the editor.
  }
}

/** Returns the stored draft, or null. */
export function readDraft(key: string): PageDraft | null {
  try {
    const text = sessionStorage.getItem(PREFIX + key);
    if (text === null) return null;
    const empty = toDraft({ title: "", description: "", page_data: {} });
    return { ...empty, ...(JSON.parse(text) as PageDraft) };
  } catch {
    return null;
  }
}
